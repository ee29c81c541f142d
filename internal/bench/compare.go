package bench

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
)

// ErrDiffers: the two ways did not do the same.
var ErrDiffers = errors.New("the two ways differ")

// fetch enqueues to bring n slots to their place in a table of bytes.
func (b *bench) fetch(table []byte, first, n int) error {
	if n == 0 {
		return nil
	}
	return b.stream.CopyToHost(table[first*abi.SlotSize:][:n*abi.SlotSize], b.pool.SlotAddr(abi.SlotID(first)))
}

// watched plays a batch in both ways. It compares the slots on the device with those
// of the host: with readback at the end, and in the planned way at the step that
// places them, since it releases them later.
func (b *bench) watched(batch *batch) error {
	if err := b.readback.play(batch); err != nil {
		return err
	}
	table := b.readback.found.Bytes()
	err := b.fetch(table, 0, len(b.readback.slots))
	if err = errors.Join(err, b.stream.Synchronize()); err != nil {
		return err
	}
	if err := b.equal(table, "the host has uploaded it as"); err != nil {
		return err
	}
	err = b.planned.play(batch, func(s int) error {
		t := b.readback.tables[s]
		return b.fetch(table, t.first, t.n)
	})
	if err != nil {
		return err
	}
	return b.equal(table, "the device has placed it as")
}

func (b *bench) equal(table []byte, what string) error {
	for i, host := range b.readback.slots {
		if got := abi.ReadSlot(table[i*abi.SlotSize:]); got != host {
			return b.differs(i, what, got, host)
		}
	}
	return nil
}

func (b *bench) differs(slot int, what string, got, host abi.Slot) error {
	return fmt.Errorf("%w: buffer %s: %s %+v, the host has placed it as %+v", ErrDiffers, b.plan.Layout.Slots[slot].Name, what, got, host)
}

// compare compares the slots at the end of a batch. The device has released buffers
// whose life has ended.
func (b *bench) compare() error {
	for i, host := range b.readback.slots {
		if b.readback.ended[i] {
			host.Offset = abi.NotPlaced
		}
		if got := b.planned.slots[i]; got != host {
			return b.differs(i, "the device has left it as", got, host)
		}
	}
	return nil
}
