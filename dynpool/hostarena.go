package dynpool

import (
	"errors"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// hostArena places the dynamic host buffers, whose sizes the device has computed.
// The host knows them by then, so the memory simply grows. It grows by further
// pieces: what was placed at a wait must not move.
type hostArena struct {
	pool   *Pool
	pieces []kernels.HostMemory
	used   uint64 // bytes of the last piece
	mem    [][]byte // by slot; nil while it is not placed
}

// firstPiece is the smallest piece in bytes.
const firstPiece = 1 << 16

// reset forgets what was placed. The next batch starts with the last piece, which
// is larger than all before it together.
func (h *hostArena) reset() {
	clear(h.mem)
	h.used = 0
}

// close frees the memory.
func (h *hostArena) close() error {
	var errs []error
	for _, p := range h.pieces {
		errs = append(errs, p.Free())
	}
	h.pieces = nil
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
			if a.Flags&abi.AllocInPlace != 0 {
				base := h.mem[a.Base]
				size := min(slots[a.Slot].Size, uint64(cap(base)))
				h.mem[a.Slot] = base[:size]
				continue
			}
			mem, err := h.take(slots[a.Slot].Size)
			if err != nil {
				return err
			}
			h.mem[a.Slot] = mem
		}
	}
	return nil
}

// take returns size bytes, with room up to the next multiple of the arena
// alignment, which a buffer in the same place may use.
func (h *hostArena) take(size uint64) ([]byte, error) {
	rounded, err := checked.AlignUp(size, max(h.pool.Layout().Host.Align, h.pool.Layout().ArenaAlign))
	if err != nil {
		return nil, err
	}
	if len(h.pieces) == 0 || rounded > uint64(len(h.last()))-h.used {
		if err := h.grow(rounded); err != nil {
			return nil, err
		}
	}
	mem := h.last()[h.used:][:size:rounded]
	h.used += rounded
	return mem, nil
}

func (h *hostArena) last() []byte { return h.pieces[len(h.pieces)-1].Bytes() }

func (h *hostArena) grow(need uint64) error {
	size := max(need, firstPiece)
	if len(h.pieces) > 0 {
		if doubled, err := checked.Mul(uint64(len(h.last())), 2); err == nil {
			size = max(size, doubled)
		}
	}
	piece, err := h.pool.Device().AllocHost(size)
	if err != nil {
		return err
	}
	h.pieces = append(h.pieces, piece)
	h.used = 0
	return nil
}

func (h *hostArena) bytes(slot abi.SlotID) []byte {
	if slot < 0 || int(slot) >= len(h.mem) {
		return nil
	}
	return h.mem[slot]
}
