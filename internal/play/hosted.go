package play

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/hostsize"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// hosted is memory in which the host places the buffers: it reads the counts before
// the first step that needs them, computes the sizes, and takes and gives back memory
// where the device program does.
type hosted struct {
	seq      *sequences.Sequence
	plan     *planner.Plan
	pool     *dynpool.Pool // the static region
	stream   *lanes
	source   source // nil if there is no room at all
	capacity uint64 // bytes that the device buffers share

	programs map[uint64]*hostsize.Program // by the events of a batch
	program  *hostsize.Program            // of the batch
	counts   *hostsize.Reader
	slots    []held
	pinned   pinned

	// Of device buffers, rounded, in bytes.
	used   uint64 // now
	high   uint64 // the most since the start
	demand uint64 // of the batch; saturating
}

// held is what a slot is on the host.
type held struct {
	placed bool
	size   uint64
	addr   kernels.Addr // of a device buffer of some bytes
	bytes  []byte       // of a host buffer

	// Of the slot that memory was taken for, not of those that take it over.
	taken kernels.Addr // what the source has returned; 0 if nothing
	room  uint64       // bytes, rounded
}

func openHosted(g *game, dev kernels.Device, pool *dynpool.Pool, stream *lanes, on ground) (_ *hosted, err error) {
	l := pool.Layout()
	h := &hosted{
		seq: g.seq, plan: g.plan, pool: pool, stream: stream, programs: make(map[uint64]*hostsize.Program),
		slots: make([]held, len(l.Slots)), pinned: pinned{dev: dev, align: max(l.Host.Align, l.ArenaAlign)},
	}
	if start := pool.ArenaStart(); g.opts.Capacity > start {
		h.capacity = g.opts.Capacity - start // what an arena would have
		if h.source, err = on.open(stream, on.limit(h.capacity, l)); err != nil {
			return nil, err
		}
	}
	// Two counts in one cell are one number.
	if h.counts, err = hostsize.NewReader(dev, len(g.seq.Counts)); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

func (h *hosted) close() error {
	errs := []error{h.pinned.close()}
	if h.counts != nil {
		errs = append(errs, h.counts.Close())
	}
	if h.source != nil {
		errs = append(errs, h.source.close())
	}
	return errors.Join(errs...)
}

func (h *hosted) peaks(r *Result) error {
	r.Arena = h.capacity
	if h.source == nil {
		return nil
	}
	reserved, used, err := h.source.peaks()
	r.Reserved, r.HighWater = max(r.Reserved, reserved), max(r.HighWater, used)
	return err
}

func (h *hosted) begin(events uint64, at *planner.Point, launch []uint64) (err error) {
	p, ok := h.programs[events]
	if !ok {
		if p, err = hostsize.Compile(h.seq, h.plan, at, launch); err != nil {
			return err
		}
		h.programs[events] = p
	}
	h.program, h.demand = p, 0
	clear(h.slots)
	h.pinned.reset()
	return nil
}

func (h *hosted) step(s abi.StepID) error {
	if err := h.counts.Read(h.stream, h.program, int(s), h.address(int(s))); err != nil {
		return err
	}
	step := &h.program.Steps[s]
	for _, word := range step.Releases {
		slot := word &^ abi.ReleaseSlotOnly
		h.slots[slot].placed = false // the host memory stays until the batch is over
		if err := h.giveBack(slot); err != nil {
			return err
		}
	}
	for i := range step.Allocs {
		if err := h.place(&step.Allocs[i]); err != nil {
			return err
		}
	}
	return nil
}

// address returns the function that says where a count lies that a step needs. One
// that its buffer does not hold cannot be loaded, as on the device.
func (h *hosted) address(step int) func(cell int) (kernels.Addr, error) {
	return func(cell int) (kernels.Addr, error) {
		c := &h.program.Cells[cell]
		if c.Slot < 0 {
			return h.pool.Addr(abi.Offset(c.At)), nil
		}
		slot := &h.slots[c.Slot]
		if slot.placed && slot.size >= c.Width && c.At <= slot.size-c.Width {
			return slot.addr + kernels.Addr(c.At), nil
		}
		e := &dynpool.ProgramError{Failure: dynpool.Failure{Slot: -1, Failed: 1}, Code: abi.BadProgram}
		for i := range h.program.Steps[step].Allocs {
			if a := &h.program.Steps[step].Allocs[i]; a.Loads(cell) {
				e.Failure = h.failure(a)
				break
			}
		}
		return 0, e
	}
}

// end waits and gives back what is still held.
func (h *hosted) end() error {
	errs := []error{h.stream.Synchronize()}
	for i := range h.slots {
		errs = append(errs, h.giveBack(uint64(i)))
	}
	return errors.Join(errs...)
}

// giveBack gives the memory of a slot back, if it was taken for it.
func (h *hosted) giveBack(slot uint64) error {
	s := &h.slots[slot]
	if s.taken == 0 {
		return nil
	}
	if err := h.source.free(s.taken); err != nil {
		return fmt.Errorf("buffer %s: %w", h.pool.Layout().Slots[slot].Name, err) // tried again at the end
	}
	h.used -= s.room
	s.taken = 0
	return nil
}

func (h *hosted) find(slot abi.SlotID) (target, bool) {
	s := &h.slots[slot]
	if s.addr == 0 { // nothing will be touched, but kernels want an address
		return target{h.pool.Base(), kernels.StaticPlace(0), 0}, s.placed
	}
	return target{s.addr, kernels.StaticPlace(0), s.size}, s.placed
}

func (h *hosted) hostSlot(slot abi.SlotID) []byte { return h.slots[slot].bytes }

// failure names what could not be placed.
func (h *hosted) failure(a *hostsize.Alloc) dynpool.Failure {
	l := h.pool.Layout()
	info := &l.Slots[a.Slot]
	return dynpool.Failure{Buffer: info.Name, Step: l.Steps[info.Step].Name, Slot: abi.SlotID(a.Slot), Failed: 1}
}

// place finds the size of a buffer and memory for it, by the rules of the arena.
func (h *hosted) place(a *hostsize.Alloc) error {
	size, err := a.Run(h.program.Params, h.counts.Counts)
	if err != nil {
		return h.refused(a, err)
	}
	rounded, err := checked.AlignUp(size, h.pool.Layout().ArenaAlign)
	if err != nil {
		return h.refused(a, err)
	}
	s := &h.slots[a.Slot]
	switch {
	case a.Flags&abi.AllocInPlace != 0:
		return h.takeOver(a, size, rounded)
	case a.Flags&abi.AllocHost != 0:
		s.bytes, err = h.pinned.take(size)
		if err != nil {
			return fmt.Errorf("dynamic host buffer %s: %w", h.pool.Layout().Slots[a.Slot].Name, err)
		}
	default:
		if err := h.take(a, rounded); err != nil {
			return err
		}
	}
	s.placed, s.size = true, size
	return nil
}
