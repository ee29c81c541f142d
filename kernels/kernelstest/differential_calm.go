package kernelstest

import (
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
)

// calm replaces the steps by ones in which nothing fails as long as there is room:
// many buffers with different lifetimes, some of them in place, in sizes that let
// pieces of the arena fit, nearly fit, touch and merge.
func (d *drawer) calm() {
	type held struct {
		slot, units uint64
		inPlace     bool
	}
	var live []held
	var steps []Step
	slots := uint64(0)
	size := func(units uint64) []uint64 {
		if units == 0 {
			return Const(0)
		}
		n := units*d.s.ArenaAlign - d.Uint64N(d.s.ArenaAlign)
		switch d.IntN(4) {
		case 0: // a parameter times nothing, and the size
			return slices.Concat(Param(0), Const(0), Code(abi.OpMul), Const(n), Code(abi.OpAdd))
		case 1: // a count, bounded, in units of the alignment
			return slices.Concat(Const(d.Uint64N(5)), d.s.Load(2+d.IntN(2)), Const(1<<16), Code(abi.OpCheckMax),
				Const(n), Code(abi.OpMin))
		}
		return Const(n)
	}
	for range 3 + d.IntN(10) {
		var s Step
		d.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
		for n := d.IntN(len(live) + 1); n > 0; n-- {
			word := live[0].slot
			if live[0].inPlace && d.IntN(100) > 0 {
				word |= abi.ReleaseSlotOnly
			}
			s.Releases = append(s.Releases, word)
			live = live[1:]
		}
		for range d.IntN(4) {
			units := d.Uint64N(7)
			b := Buffer{Rule: d.Uint64N(2)}
			if len(live) > 0 && d.IntN(8) == 0 {
				base := live[d.IntN(len(live))]
				b.InPlace, b.InPlaceOf, units = true, base.slot, min(units, base.units)
			} else if d.IntN(12) == 0 {
				b.Host = true
			}
			b.Code = size(units)
			if d.IntN(400) == 0 {
				b.Code = Const(^d.Uint64N(3 * d.s.ArenaAlign))
			}
			s.Allocs = append(s.Allocs, b)
			if !b.Host {
				live = append(live, held{slots, units, b.InPlace})
			}
			slots++
		}
		steps = append(steps, s)
	}
	d.s.Steps = steps
}
