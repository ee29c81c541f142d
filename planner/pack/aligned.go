package pack

import (
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
)

// rounded is a buffer or an item for the bound of the alignment: its bytes from
// its offset on, in use in the steps [first, end).
type rounded struct{ first, end, bytes, align uint64 }

// alignedBound looks for a step at which the alignment costs bytes. Those that are
// alive at a step and have at least the alignment a lie at different multiples of
// a, and so all but the topmost take their size rounded up to a.
func alignedBound(list []rounded) Bound {
	var aligns []uint64
	for _, r := range list {
		aligns = append(aligns, r.align)
	}
	slices.Sort(aligns)
	var best Bound
	for _, a := range slices.Compact(aligns) {
		if a == 1 {
			continue
		}
		if b := alignedTo(a, list); b.Bytes > best.Bytes {
			best = b
		}
	}
	return best
}

// alignedTo returns the bound for one alignment, at the step with the largest sum.
// A sum that leaves uint64 gives none.
func alignedTo(a uint64, list []rounded) Bound {
	var uses []use
	for _, r := range list {
		if r.align < a {
			continue
		}
		bytes, err := checked.AlignUp(r.bytes, a)
		if err != nil {
			return Bound{}
		}
		uses = append(uses, use{r.first, r.end, bytes})
	}
	b, err := maxLive(uses)
	if err != nil || b.Bytes == 0 {
		return Bound{}
	}
	var slack uint64
	for _, r := range list {
		if r.align >= a && r.first <= b.First && b.First < r.end {
			slack = max(slack, (a-r.bytes%a)%a)
		}
	}
	b.Bytes -= slack
	b.Kind = Alignment
	return b
}
