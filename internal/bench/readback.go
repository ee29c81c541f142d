package bench

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// readback plays batches in the way of today, in the memory of a pool. It is made
// for one value of the parameters, at which it knows where each count lies.
type readback struct {
	pool   *dynpool.Pool
	stream kernels.Stream
	params []uint64
	steps  []hostStep
	cells  []cell
	ended  []bool // by slot: the device program releases it

	slots  []abi.Slot         // of the batch, as the host has placed them
	counts []uint64           // of the batch, by cell
	table  kernels.HostMemory // slots on their way to the device
	found  kernels.HostMemory // slots on their way back, to be compared
	landed kernels.HostMemory // counts on their way back, a word each
	cursor uint64             // of the arena
}

// hostStep is what the host does before a step.
type hostStep struct {
	wait     bool  // the step itself needs a wait
	reads    []int // the counts that no step before has needed
	allocs   []hostAlloc
	first, n int // the slots of the allocations
}

type hostAlloc struct {
	abi.Alloc
	sizing
}

// cell is where a count lies.
type cell struct {
	buffer sequences.BufferID // a cell of another buffer in the same bytes is another
	slot   int                // of the buffer; -1 if it is static
	at     uint64             // offset in the slot, or in the pool
	width  uint64             // bytes
}

func newReadback(w *workload, pool *dynpool.Pool, stream kernels.Stream, params []uint64, at *planner.Point) (*readback, error) {
	program, err := abi.DecodeProgram(w.plan.Layout.Program)
	if err != nil {
		return nil, err
	}
	r := &readback{pool: pool, stream: stream, params: params, steps: make([]hostStep, len(w.seq.Steps))}
	r.slots = make([]abi.Slot, len(w.plan.Layout.Slots))
	bySlot := make([]sequences.BufferID, len(r.slots))
	for i := range w.plan.Buffers {
		if slot := w.plan.Buffers[i].Slot; slot >= 0 {
			bySlot[slot] = sequences.BufferID(i)
		}
	}
	r.ended = make([]bool, len(r.slots))
	for _, s := range program.Steps {
		for _, word := range s.Releases {
			r.ended[word&^abi.ReleaseSlotOnly] = true
		}
	}
	for s := range r.steps {
		step := &r.steps[s]
		step.wait = w.plan.Layout.Steps[s].Wait
		for _, a := range program.Steps[s].Allocs {
			if step.n == 0 {
				step.first = int(a.Slot)
			}
			if int(a.Slot) != step.first+step.n {
				return nil, fmt.Errorf("the slots of step %s are not in a row", w.plan.Steps[s].Name)
			}
			step.n++
			loads, err := r.find(w, at, bySlot[a.Slot], a.Code)
			if err != nil {
				return nil, fmt.Errorf("buffer %s: %w", w.plan.Buffers[bySlot[a.Slot]].Name, err)
			}
			step.allocs = append(step.allocs, hostAlloc{a.Alloc, sizing{a.Code, loads}})
		}
	}
	r.schedule()
	r.counts = make([]uint64, len(r.cells))
	return r, r.allocate(pool.Device())
}

// allocate allocates at least a byte each, since none cannot be.
func (r *readback) allocate(dev kernels.Device) (err error) {
	slots, counts := uint64(len(r.slots))*abi.SlotSize+1, uint64(len(r.cells))*abi.WordSize+1
	if r.table, err = dev.AllocHost(slots); err != nil {
		return err
	}
	if r.found, err = dev.AllocHost(slots); err != nil {
		return err
	}
	r.landed, err = dev.AllocHost(counts)
	return err
}

func (r *readback) close() error {
	var errs []error
	for _, m := range []kernels.HostMemory{r.table, r.found, r.landed} {
		if m != nil {
			errs = append(errs, m.Free())
		}
	}
	return errors.Join(errs...)
}

// find returns which cell each load of the size program of a buffer reads: one of
// the counts that the plan says drive the buffer.
func (r *readback) find(w *workload, at *planner.Point, b sequences.BufferID, code []uint64) ([]int, error) {
	refs, err := references(code, r.params)
	if err != nil {
		return nil, err
	}
	var loads []int
	for _, ref := range refs {
		i := slices.IndexFunc(w.seq.Counts, func(c sequences.Count) bool {
			if !slices.Contains(w.plan.Buffers[b].DrivenBy, c.Name) || !ref.in(&w.plan.Buffers[c.At]) {
				return false
			}
			index, err := at.Eval(c.Index)
			return err == nil && index == ref.index
		})
		if i < 0 {
			return nil, fmt.Errorf("%w: it loads what is no count", abi.ErrProgram)
		}
		holder := w.seq.Counts[i].At
		c := cell{buffer: holder, slot: w.plan.Buffers[holder].Slot, at: ref.index * ref.width, width: ref.width}
		if !ref.slot {
			c.at += ref.where
		}
		known := slices.Index(r.cells, c)
		if known < 0 {
			known = len(r.cells)
			r.cells = append(r.cells, c)
		}
		loads = append(loads, known)
	}
	return loads, nil
}

// in reports whether a buffer is the one that the load reads.
func (r *reference) in(b *planner.Buffer) bool {
	if r.slot {
		return b.Class == planner.Dynamic && uint64(b.Slot) == r.where
	}
	return b.Class == planner.Static && b.Scope == sequences.Device && uint64(b.Offset) == r.where && uint64(b.Max) == r.size
}

// schedule finds the first step that needs each count.
func (r *readback) schedule() {
	seen := make([]bool, len(r.cells))
	for s := range r.steps {
		step := &r.steps[s]
		for i := range step.allocs {
			for _, c := range step.allocs[i].loads {
				if !seen[c] {
					seen[c] = true
					step.reads = append(step.reads, c)
				}
			}
		}
	}
}

// play plays a batch.
func (r *readback) play(b *batch) error {
	r.cursor = 0
	for i := range r.slots {
		r.slots[i] = abi.Slot{Offset: abi.NotPlaced}
	}
	err := enqueue(r.stream, b.inputs)
	for s := range r.steps {
		if err == nil {
			err = r.step(&r.steps[s])
		}
		if err == nil {
			err = enqueue(r.stream, b.steps[s])
		}
	}
	return errors.Join(err, r.stream.Synchronize())
}

// step fetches counts and places the buffers of a step.
func (r *readback) step(step *hostStep) error {
	for _, i := range step.reads {
		if err := r.stream.CopyToHost(r.landing(i), r.address(i)); err != nil {
			return err
		}
	}
	if len(step.reads) > 0 || step.wait {
		if err := r.stream.Synchronize(); err != nil {
			return err
		}
	}
	for _, i := range step.reads {
		r.counts[i] = integer(r.landing(i))
	}
	if step.n == 0 {
		return nil
	}
	for i := range step.allocs {
		if err := r.place(&step.allocs[i]); err != nil {
			return err
		}
	}
	table := r.table.Bytes()[step.first*abi.SlotSize:][:step.n*abi.SlotSize]
	for i, slot := range r.slots[step.first:][:step.n] {
		slot.Put(table[i*abi.SlotSize:])
	}
	return r.stream.CopyToDevice(r.pool.SlotAddr(abi.SlotID(step.first)), table)
}

// landing is where a count comes back.
func (r *readback) landing(i int) []byte {
	return r.landed.Bytes()[i*abi.WordSize:][:r.cells[i].width]
}

// address is where a count lies. A slot was placed by a step before.
func (r *readback) address(i int) kernels.Addr {
	c := &r.cells[i]
	offset := c.at
	if c.slot >= 0 {
		offset += r.slots[c.slot].Offset
	}
	return r.pool.Base() + kernels.Addr(offset)
}

// place finds the size of a buffer and its place, by the rules of the mode bump.
func (r *readback) place(a *hostAlloc) error {
	l := r.pool.Layout()
	size, err := a.run(r.params, r.counts)
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
