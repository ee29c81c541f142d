package streampool_test

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// Memory that one stream has freed serves another that waits for it, while the work on
// it is still queued.
func Example() {
	dev := host.New(host.Options{})
	if err := run(dev); err != nil {
		fmt.Println(err)
	}
	// Output:
	// the second stream has the memory of the first: true
	// 2097152 bytes held, 4096 used
	// after the synchronization 0 held
}

func run(dev kernels.Device) (err error) {
	r, err := streampool.New(dev, streampool.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	first, err := r.NewStream()
	if err != nil {
		return err
	}
	second, err := r.NewStream()
	if err != nil {
		return err
	}
	done, err := r.NewEvent()
	if err != nil {
		return err
	}
	pool, err := r.Create(streampool.Props{
		AllocType: kernels.PoolPinned, Location: kernels.PoolLocation{Type: kernels.PoolOnDevice}, MaxSize: 1 << 30,
	})
	if err != nil {
		return err
	}

	a, err := pool.MallocAsync(4096, first)
	if err != nil {
		return err
	}
	err = errors.Join(
		first.Memset(a, 1, 4096),
		pool.FreeAsync(a, first),
		first.Record(done),
		second.Wait(done),
	)
	b, mallocErr := pool.MallocAsync(4096, second)
	if err = errors.Join(err, mallocErr, second.Memset(b, 2, 4096)); err != nil {
		return err
	}
	fmt.Println("the second stream has the memory of the first:", a == b)
	s := pool.Stats()
	fmt.Printf("%d bytes held, %d used\n", s.Reserved, s.Used)

	err = errors.Join(pool.FreeAsync(b, second), second.Synchronize()) // of the first too, by the event
	fmt.Printf("after the synchronization %d held\n", pool.Stats().Reserved)
	return errors.Join(err, pool.Destroy(), done.Close(), first.Close(), second.Close())
}
