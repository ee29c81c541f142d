package blockpool_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels/host"
)

// A pool of 64 KiB, a block of it, and why a block that is too large is refused.
func Example() {
	dev := host.New(host.Options{})
	pool, err := blockpool.New(dev, blockpool.Options{Size: 64 << 10, Limit: 64 << 10})
	if err != nil {
		log.Fatal(err)
	}
	id, err := pool.AllocateBlock(1000)
	if err != nil {
		log.Fatal(err)
	}
	block, err := pool.Block(id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("a block of %d bytes, aligned to %d\n", block.Size, blockpool.Align)

	_, err = pool.AllocateBlock(65_000)
	fmt.Println(err)

	fmt.Println(pool.FreeBlock(id))
	fmt.Println(errors.Is(pool.FreeBlock(id), blockpool.ErrDoubleFree))

	s := pool.Stats()
	fmt.Printf("%d bytes reserved, %d used, %d at most, %d calls of the driver\n",
		s.Reserved, s.Used, s.UsedHigh, s.DriverAllocs+s.DriverFrees)
	fmt.Println(errors.Join(pool.Close(), dev.Close()))
	// Output:
	// a block of 1056 bytes, aligned to 64
	// block pool: out of memory: a block of 65056 bytes (65000 asked for): the pool holds 65536 of at most 65536, 1056 in use, the largest free piece is 64448
	// <nil>
	// true
	// 65536 bytes reserved, 0 used, 1056 at most, 1 calls of the driver
	// <nil>
}

// The workspace of an operator: only a larger need takes another block.
func ExampleWorkspace() {
	dev := host.New(host.Options{})
	pool, err := blockpool.New(dev, blockpool.Options{Size: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	w := blockpool.NewWorkspace(pool)
	for _, size := range []uint64{5000, 3000, 9000, 9000} {
		old := w.Block().ID
		if _, err := w.Require(size); err != nil {
			log.Fatal(err)
		}
		fmt.Println(size, "bytes needed,", w.Size(), "there, another block:", w.Block().ID != old)
	}
	fmt.Println(errors.Join(w.Close(), pool.Close(), dev.Close()))
	// Output:
	// 5000 bytes needed, 5056 there, another block: true
	// 3000 bytes needed, 5056 there, another block: false
	// 9000 bytes needed, 9056 there, another block: true
	// 9000 bytes needed, 9056 there, another block: false
	// <nil>
}
