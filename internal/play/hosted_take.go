package play

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/hostsize"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// refused is the error of a size that cannot be computed, as the arena reports it.
func (h *hosted) refused(a *hostsize.Alloc, err error) error {
	var over *hostsize.OverMaxError
	if !errors.As(err, &over) {
		return &dynpool.ArithmeticError{Failure: h.failure(a)}
	}
	cell := &h.program.Cells[over.Cell]
	return &dynpool.CountError{
		Failure: h.failure(a), Value: over.Value, Max: over.Max, MaxKnown: true,
		Count: fmt.Sprintf("%s[%d]", h.plan.Buffers[cell.Buffer].Name, cell.Index),
	}
}

// exhausted is the error of a buffer that has no room.
func (h *hosted) exhausted(a *hostsize.Alloc, rounded uint64) *dynpool.ExhaustedError {
	return &dynpool.ExhaustedError{
		Failure: h.failure(a), Wanted: rounded, Capacity: h.capacity,
		Used: h.used, HighWater: h.high, Demand: h.demand,
	}
}

// fullError says that a pool of the host had no memory for a buffer. It is what the
// arena's error is, so that the batch is split.
type fullError struct {
	*dynpool.ExhaustedError
	cause error
}

func (e *fullError) Error() string {
	return fmt.Sprintf("buffer %s of step %s wants %d bytes: %s", e.Buffer, e.Step, e.Wanted, e.cause)
}

func (e *fullError) Unwrap() []error { return []error{e.ExhaustedError, e.cause} }

// take takes memory for a device buffer.
func (h *hosted) take(a *hostsize.Alloc, rounded uint64) error {
	var err error
	if h.demand, err = checked.Add(h.demand, rounded); err != nil {
		h.demand = ^uint64(0)
	}
	s := &h.slots[a.Slot]
	if rounded == 0 {
		return nil
	}
	if h.source == nil {
		return &fullError{h.exhausted(a, rounded), fmt.Errorf("%w: the capacity is that of the static region", kernels.ErrOutOfMemory)}
	}
	align := h.pool.Layout().ArenaAlign
	asked, err := checked.Add(rounded, align-min(align, h.source.align())) // powers of two
	if err != nil {
		return h.refused(a, err)
	}
	taken, err := h.source.alloc(asked)
	switch {
	case errors.Is(err, kernels.ErrOutOfMemory):
		return &fullError{h.exhausted(a, rounded), err}
	case err != nil:
		return fmt.Errorf("buffer %s: %w", h.pool.Layout().Slots[a.Slot].Name, err)
	}
	s.taken, s.room = taken, rounded
	s.addr = (taken + kernels.Addr(align-1)) &^ kernels.Addr(align-1)
	h.used += rounded
	h.high = max(h.high, h.used)
	return nil
}

// takeOver gives a buffer the memory of its base, which must be as large. The base is
// placed: abi.DecodeProgram has checked that it is held.
func (h *hosted) takeOver(a *hostsize.Alloc, size, rounded uint64) error {
	base, s := &h.slots[a.Base], &h.slots[a.Slot]
	room, err := checked.AlignUp(base.size, h.pool.Layout().ArenaAlign)
	switch {
	case err != nil || rounded > room:
		return h.exhausted(a, rounded)
	case a.Flags&abi.AllocHost != 0:
		s.bytes = base.bytes[:size]
	}
	s.placed, s.size, s.addr = true, size, base.addr
	return nil
}
