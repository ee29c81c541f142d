package shape

import (
	"cmp"
	"slices"
)

// Union returns the shape of several that have one offset: the bytes that any of
// them has in use. Windows that touch at a step become one, and so do equal
// windows of steps that follow each other.
func Union(shapes ...[]Piece) []Piece {
	all := slices.Concat(shapes...)
	slices.SortFunc(all, func(a, b Piece) int { return cmp.Compare(a.First, b.First) })
	steps := make([]uint64, 0, 2*len(all))
	for _, p := range all {
		steps = append(steps, p.First, p.End)
	}
	slices.Sort(steps)
	steps = slices.Compact(steps)

	var union, live []Piece
	var open, still []int // pieces of the union that reach up to this step, or the next one
	for i, at := range steps {
		live = slices.DeleteFunc(live, func(p Piece) bool { return p.End <= at })
		for len(all) > 0 && all[0].First == at {
			live, all = append(live, all[0]), all[1:]
		}
		still = still[:0]
		for _, w := range windows(live) {
			w.First, w.End = at, steps[i+1] // something is live, so a step follows
			k := slices.IndexFunc(open, func(k int) bool { return union[k].continues(w) })
			if k < 0 {
				still = append(still, len(union))
				union = append(union, w)
				continue
			}
			still = append(still, open[k])
			union[open[k]].End = w.End
		}
		open, still = still, open
	}
	return union
}

// windows returns the bytes of some pieces, as pieces that do not touch.
func windows(pieces []Piece) []Piece {
	slices.SortFunc(pieces, func(a, b Piece) int { return cmp.Compare(a.Low, b.Low) })
	var out []Piece
	for _, p := range pieces {
		if last := len(out) - 1; last >= 0 && p.Low <= out[last].High {
			out[last].High = max(out[last].High, p.High)
		} else {
			out = append(out, p)
		}
	}
	return out
}
