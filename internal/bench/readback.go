package bench

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/hostsize"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
)

// readback plays batches in the way of today, in the memory of a pool. It is made
// for one value of the parameters, at which it knows where each count lies.
type readback struct {
	pool    *dynpool.Pool
	stream  kernels.Stream
	program *hostsize.Program
	tables  []tableRange // by StepID
	ended   []bool       // by slot: the device program releases it

	slots  []abi.Slot         // of the batch, as the host has placed them
	counts *hostsize.Reader   // of the batch
	table  kernels.HostMemory // slots on their way to the device
	found  kernels.HostMemory // slots on their way back, to be compared
	cursor uint64             // of the arena
}

// tableRange is the slots that a step allocates.
type tableRange struct{ first, n int }

func newReadback(w *workload, pool *dynpool.Pool, stream kernels.Stream, params []uint64, at *planner.Point) (*readback, error) {
	program, err := hostsize.Compile(w.seq, w.plan, at, params)
	if err != nil {
		return nil, err
	}
	r := &readback{pool: pool, stream: stream, program: program, tables: make([]tableRange, len(w.seq.Steps))}
	r.slots = make([]abi.Slot, len(w.plan.Layout.Slots))
	r.ended = make([]bool, len(r.slots))
	for _, s := range program.Steps {
		for _, word := range s.Releases {
			r.ended[word&^abi.ReleaseSlotOnly] = true
		}
	}
	for s := range r.tables {
		t := &r.tables[s]
		for _, a := range program.Steps[s].Allocs {
			if t.n == 0 {
				t.first = int(a.Slot)
			}
			if int(a.Slot) != t.first+t.n {
				return nil, fmt.Errorf("the slots of step %s are not in a row", w.plan.Steps[s].Name)
			}
			t.n++
		}
	}
	return r, r.allocate(pool.Device())
}

// allocate allocates at least a byte each, since none cannot be.
func (r *readback) allocate(dev kernels.Device) (err error) {
	slots := uint64(len(r.slots))*abi.SlotSize + 1
	if r.table, err = dev.AllocHost(slots); err != nil {
		return err
	}
	if r.found, err = dev.AllocHost(slots); err != nil {
		return err
	}
	r.counts, err = hostsize.NewReader(dev, len(r.program.Cells))
	return err
}

func (r *readback) close() error {
	var errs []error
	for _, m := range []kernels.HostMemory{r.table, r.found} {
		if m != nil {
			errs = append(errs, m.Free())
		}
	}
	if r.counts != nil {
		errs = append(errs, r.counts.Close())
	}
	return errors.Join(errs...)
}

// play plays a batch.
func (r *readback) play(b *batch) error {
	r.cursor = 0
	for i := range r.slots {
		r.slots[i] = abi.Slot{Offset: abi.NotPlaced}
	}
	err := enqueue(r.stream, b.inputs)
	for s := range r.tables {
		if err == nil {
			err = r.step(s)
		}
		if err == nil {
			err = enqueue(r.stream, b.steps[s])
		}
	}
	return errors.Join(err, r.stream.Synchronize())
}

// step fetches counts and places the buffers of a step.
func (r *readback) step(s int) error {
	if err := r.counts.Read(r.stream, r.program, s, r.address); err != nil {
		return err
	}
	t := r.tables[s]
	if t.n == 0 {
		return nil
	}
	for i := range r.program.Steps[s].Allocs {
		if err := r.place(&r.program.Steps[s].Allocs[i]); err != nil {
			return err
		}
	}
	table := r.table.Bytes()[t.first*abi.SlotSize:][:t.n*abi.SlotSize]
	for i, slot := range r.slots[t.first:][:t.n] {
		slot.Put(table[i*abi.SlotSize:])
	}
	return r.stream.CopyToDevice(r.pool.SlotAddr(abi.SlotID(t.first)), table)
}

// address is where a count lies. A slot was placed by a step before.
func (r *readback) address(i int) (kernels.Addr, error) {
	c := &r.program.Cells[i]
	offset := c.At
	if c.Slot >= 0 {
		offset += r.slots[c.Slot].Offset
	}
	return r.pool.Base() + kernels.Addr(offset), nil
}

// place finds the size of a buffer and its place, by the rules of the mode bump.
func (r *readback) place(a *hostsize.Alloc) error {
	l := r.pool.Layout()
	size, err := a.Run(r.program.Params, r.counts.Counts)
	if err != nil {
		return fmt.Errorf("buffer %s: %w", l.Slots[a.Slot].Name, err)
	}
	rounded, err := checked.AlignUp(size, l.ArenaAlign)
	if err != nil {
		return fmt.Errorf("buffer %s: %w", l.Slots[a.Slot].Name, err)
	}
	slot := abi.Slot{Offset: abi.NotPlaced, Size: size}
	switch {
	case a.Flags&abi.AllocInPlace != 0:
		slot.Offset = r.slots[a.Base].Offset
	case a.Flags&abi.AllocHost != 0:
	case rounded > r.pool.ArenaCapacity() || r.cursor > r.pool.ArenaCapacity()-rounded:
		return fmt.Errorf("buffer %s: %w: it wants %d bytes, %d of %d are in use; choose a larger capacity or fewer events",
			l.Slots[a.Slot].Name, dynpool.ErrExhausted, rounded, r.cursor, r.pool.ArenaCapacity())
	default:
		slot.Offset = r.pool.ArenaStart() + r.cursor
		r.cursor += rounded
	}
	r.slots[a.Slot] = slot
	return nil
}
