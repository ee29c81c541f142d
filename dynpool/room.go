package dynpool

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// injected reports whether a FaultPlan alone made a batch fail. The slots are those
// that were read back with the line.
func (p *Pool) injected(d abi.DeviceLine) bool {
	return p.faults.caused(d) && p.hadRoom(abi.SlotID(d.FirstFailed), &d)
}

// hadRoom reports whether a buffer would have fitted that failed first, in a slot.
// After a failure nothing moves, so what was free then is free still. Memory that
// kernels took by themselves below the cursor passes for free in the mode reuse: so
// a batch may run once more than it must, but no event passes for unfit that fits.
func (p *Pool) hadRoom(slot abi.SlotID, d *abi.DeviceLine) bool {
	a, wanted := p.alloc(slot), d.FailedBytes
	if a != nil && a.Flags&abi.AllocInPlace != 0 {
		room, err := checked.AlignUp(p.batch.slots[a.Base].Size, p.Layout().ArenaAlign)
		return err == nil && wanted <= room
	}
	capacity := p.ArenaCapacity()
	if d.Next <= capacity && wanted <= capacity-d.Next {
		return true
	}
	return p.reuse && wanted <= p.largestGap(d.Next)
}

// largestGap returns the most bytes in a row below the cursor that no slot holds.
func (p *Pool) largestGap(cursor uint64) (gap uint64) {
	held := slices.DeleteFunc(slices.Clone(p.batch.slots), func(s abi.Slot) bool {
		return s.Offset == abi.NotPlaced || s.Offset < p.ArenaStart() || s.Size == 0
	})
	slices.SortFunc(held, func(a, b abi.Slot) int { return cmp.Compare(a.Offset, b.Offset) })
	end := uint64(0) // of what is held, from the start of the arena
	for _, s := range held {
		start := s.Offset - p.ArenaStart()
		if start > cursor {
			break
		}
		if start > end {
			gap = max(gap, start-end)
		}
		rounded, err := checked.AlignUp(s.Size, p.Layout().ArenaAlign)
		if err != nil || rounded > cursor-start {
			rounded = cursor - start
		}
		end = max(end, start+rounded)
	}
	return max(gap, cursor-end)
}
