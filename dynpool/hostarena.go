package dynpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// hostArena places the dynamic host buffers, whose sizes the device has computed.
// The host knows them by then, so the memory simply grows. It grows by further
// pieces: what was placed at a wait must not move. With a limit there is one piece
// of that size.
type hostArena struct {
	pool    *Pool
	pieces  []kernels.HostMemory
	used    uint64   // bytes of the last piece
	placed  uint64   // bytes of this batch
	mem     [][]byte // by slot; nil while it is not placed
	limit   uint64   // bytes, if limited
	limited bool
}

// firstPiece is the smallest piece in bytes.
const firstPiece = 1 << 16

// reset forgets what was placed. The next batch starts with the last piece, which
// is at least as large as all before it together; those stay, because giving
// pinned memory back can stop the device.
func (h *hostArena) reset() {
	clear(h.mem)
	h.used, h.placed = 0, 0
}

// close frees the memory.
func (h *hostArena) close() error {
	clear(h.mem)
	var errs []error
	for _, p := range h.pieces {
		errs = append(errs, p.Free())
	}
	h.pieces, h.used = nil, 0
	return errors.Join(errs...)
}

// place places the host buffers of the steps before next that are not placed yet.
func (h *hostArena) place(slots []abi.Slot, next int) error {
	for s := range next {
		for i := range h.pool.program.Steps[s].Allocs {
			a := &h.pool.program.Steps[s].Allocs[i]
			if a.Flags&abi.AllocHost == 0 || h.mem[a.Slot] != nil {
				continue
			}
			mem, err := h.memory(&a.Alloc, slots[a.Slot].Size)
			if err != nil {
				return err
			}
			h.mem[a.Slot] = mem
		}
	}
	return nil
}

// memory finds the memory of one buffer. It is not nil, also for no bytes.
func (h *hostArena) memory(a *abi.Alloc, size uint64) ([]byte, error) {
	if a.Flags&abi.AllocInPlace == 0 {
		return h.take(a.Slot, size)
	}
	base := h.mem[a.Base]
	if base == nil || size > uint64(cap(base)) {
		// The device has compared the rounded sizes.
		return nil, &ProgramError{h.pool.at(a.Slot), abi.BadProgram}
	}
	return base[:size], nil
}

// take returns size bytes, with room up to the next multiple of the arena
// alignment, which a buffer in the same place may use.
func (h *hostArena) take(slot, size uint64) ([]byte, error) {
	l := h.pool.Layout()
	rounded, err := checked.AlignUp(size, max(l.Host.Align, l.ArenaAlign))
	if err != nil {
		return nil, &ArithmeticError{h.pool.at(slot)}
	}
	if rounded == 0 {
		return []byte{}, nil
	}
	if len(h.pieces) == 0 || rounded > uint64(len(h.last()))-h.used {
		if err := h.grow(slot, rounded); err != nil {
			return nil, err
		}
	}
	mem := h.last()[h.used:][:size:rounded]
	h.used += rounded
	h.placed += rounded // in memory: no overflow
	return mem, nil
}

func (h *hostArena) last() []byte { return h.pieces[len(h.pieces)-1].Bytes() }

// grow adds a piece for need > 0 bytes.
func (h *hostArena) grow(slot, need uint64) error {
	size := max(need, firstPiece)
	switch {
	case h.limited && (len(h.pieces) > 0 || need > h.limit):
		return &ExhaustedError{
			Failure: h.pool.at(slot), Pool: abi.ScopeHost,
			Wanted: need, Capacity: h.limit, Used: h.used, HighWater: h.used,
		}
	case h.limited:
		size = h.limit
	case len(h.pieces) > 0:
		if doubled, err := checked.Mul(uint64(len(h.last())), 2); err == nil {
			size = max(size, doubled)
		}
	}
	l := h.pool.Layout()
	piece, err := kernels.AllocHostAligned(h.pool.Device(), size, max(l.Host.Align, l.ArenaAlign))
	if err != nil {
		return fmt.Errorf("dynamic host buffer %s: %w", l.Slots[slot].Name, err)
	}
	h.pieces = append(h.pieces, piece)
	h.pool.counters.pinned(size)
	h.used = 0
	return nil
}

func (h *hostArena) bytes(slot abi.SlotID) []byte {
	if slot < 0 || int(slot) >= len(h.mem) {
		return nil
	}
	return h.mem[slot]
}
