package hunt

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/planner/pack/internal/exact"
)

// way is an order of the tiles with a choice of the section, and how it did.
type way struct {
	letters string
	choice  exact.Choice
	wins    int    // packings that were the best so far
	area    uint64 // the most that was placed at once
}

func (w *way) String() string { return "search " + w.letters + " " + w.choice.String() }

// newWays lists the ways, those first that proved best on the public instances.
func newWays() []way {
	var ways []way
	for _, letters := range []string{"TWA", "ZWT", "PAW", "WAT", "AWT"} {
		for c := range exact.NumChoices {
			ways = append(ways, way{letters: letters, choice: c})
		}
	}
	return ways
}

func (w *way) order() exact.Order {
	of := map[rune]exact.Letter{'W': exact.Width, 'A': exact.Area, 'Z': exact.Size, 'T': exact.Total, 'P': exact.Sum}
	var o exact.Order
	for _, l := range w.letters {
		o.Letters = append(o.Letters, of[l])
	}
	return o
}

// noisy is the order with the first letter, read once, multiplied by noise: each
// key is off by up to a part of 2^-shift, mostly by less.
func (h *hunt) noisy(w *way, seed uint64, shift uint) exact.Order {
	o := w.order()
	o.Keys = make([]uint64, len(h.problem.Tiles))
	var largest uint64
	for i := range o.Keys {
		o.Keys[i] = o.Letters[0].Of(&h.problem.Tiles[i], h.totals)
		largest = max(largest, o.Keys[i])
	}
	// The largest key gets 40 bits, the factor has up to 23.
	unused := 40 - bits.Len64(largest)
	for i := range o.Keys {
		x := splitmix.Mix(seed + uint64(i)*0x9e3779b97f4a7c15)
		// The sum of four of 16 bits is nearly normal: mean 2^17, below 2^18.
		sum := x&0xffff + x>>16&0xffff + x>>32&0xffff + x>>48
		o.Keys[i] = o.Keys[i] << max(unused, 0) >> max(-unused, 0) * (1<<(17+shift) - 1<<17 + sum)
	}
	return o
}

// best returns the ways by how they did: wins, then area, then their order.
func (h *hunt) best() []int {
	order := make([]int, len(h.ways))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &h.ways[i], &h.ways[j]
		return cmp.Or(cmp.Compare(b.wins, a.wins), cmp.Compare(b.area, a.area))
	})
	return order
}
