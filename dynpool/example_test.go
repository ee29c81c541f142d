package dynpool_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// Step 0 counts hits on the device; step 1 writes them to a buffer that the device
// itself places, because the host never learns the count. A generated package holds
// the layout; here it is made by hand.
func Example() {
	sequence := kernelstest.Sequence{
		Params:  []abi.Param{{Name: "n_events", Min: 1, Max: 1000}},
		Statics: []abi.StaticBuffer{{Name: "n_hits", Size: 4, ElemSize: 4}},
	}
	code := append(kernelstest.Const(0), sequence.Load(0)...) // n_hits[0] bytes
	sequence.Steps = []kernelstest.Step{
		{},
		{Allocs: []kernelstest.Buffer{{Name: "hits", Code: code}}},
	}
	nHits, hits := abi.Offset(sequence.Offset(0)), abi.SlotID(0)

	dev := host.New(host.Options{})
	pool, err := dynpool.Open(dev, sequence.Layout(), dynpool.WithArena(4096))
	if err != nil {
		log.Fatal(err)
	}
	stream, err := dev.NewStream()
	if err != nil {
		log.Fatal(err)
	}
	// The kernels of the sequence: 7 hits per event, each one byte.
	err = errors.Join(
		dev.Register("count", func(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
			b, err := mem.Bytes(kernels.Addr(args[0]), 4)
			if err == nil {
				binary.LittleEndian.PutUint32(b, uint32(7*args[1]))
			}
			return err
		}),
		dev.Register("write", func(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
			entry, err := mem.Bytes(kernels.Addr(args[1]), abi.SlotSize)
			if err != nil {
				return err
			}
			slot := abi.ReadSlot(entry)
			if slot.Offset == abi.NotPlaced {
				return nil // the batch has failed: do nothing
			}
			b, err := mem.Bytes(kernels.Addr(args[0]+slot.Offset), slot.Size)
			for i := range b {
				b[i] = 'h'
			}
			return err
		}))
	if err != nil {
		log.Fatal(err)
	}
	count, err := dev.Kernel("count")
	if err != nil {
		log.Fatal(err)
	}
	write, err := dev.Kernel("write")
	if err != nil {
		log.Fatal(err)
	}

	grid := kernels.Grid{Blocks: 1, Threads: 1}
	play := func(_, events uint64) error {
		batch, err := pool.Begin(stream, events)
		if err != nil {
			return err
		}
		err = errors.Join(
			batch.Step(0),
			stream.Launch(count, grid, kernels.Args{uint64(pool.Addr(nHits)), events}),
			batch.Step(1), // the device places what step 1 writes
			stream.Launch(write, grid, kernels.Args{uint64(pool.Base()), uint64(pool.SlotAddr(hits))}))
		status, endErr := batch.End() // the one wait
		if err = errors.Join(err, endErr); err != nil {
			fmt.Println(err)
			return err
		}
		fmt.Printf("%d events: %d bytes of hits at %d of the arena\n",
			events, status.Slots[hits].Size, status.Slots[hits].Offset-pool.ArenaStart())
		return nil
	}
	stats, err := dynpool.Split(1000, play)
	fmt.Printf("%d runs, %d split, %v\n", stats.Runs, stats.Splits, err)
	if err := errors.Join(stream.Close(), pool.Close(), dev.Close()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// arena exhausted: buffer hits of step step1 wants 7168 bytes of the device pool, 0 of 4096 are in use
	// 500 events: 3500 bytes of hits at 0 of the arena
	// 500 events: 3500 bytes of hits at 0 of the arena
	// 3 runs, 1 split, <nil>
}

// A batch that does not fit is halved until it does.
func ExampleSplit() {
	stats, err := dynpool.Split(8, func(first, count uint64) error {
		if count > 3 {
			return fmt.Errorf("events %d to %d: %w", first, first+count-1, dynpool.ErrExhausted)
		}
		fmt.Println("ran events", first, "to", first+count-1)
		return nil
	})
	fmt.Println(stats.Events, "events,", stats.Splits, "splits,", err)
	// Output:
	// ran events 0 to 1
	// ran events 2 to 3
	// ran events 4 to 5
	// ran events 6 to 7
	// 8 events, 3 splits, <nil>
}
