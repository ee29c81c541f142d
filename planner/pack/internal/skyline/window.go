package skyline

import (
	"slices"

	"github.com/seqplan/seqplan/internal/splitmix"
)

// look spends the rest of the work on passes that look ahead.
func (r *runner) look() {
	if r.over() {
		return
	}
	cur := slices.Clone(r.best)
	each := uint64(15_000) // steps for a rectangle: what it took so far
	for round := uint64(0); !r.over(); round++ {
		spans := r.spans(r.tops(cur), round)
		var rects uint64 // in a window
		r.index.touching(spans[0].first, spans[0].end, func(int32) { rects++ })
		count := min(roundSize, r.steps()/(rects*each))
		if count == 0 {
			return
		}
		spans = spans[:min(len(spans), int(count))]
		found := make([]repacked, count)
		n := inOrder(r.ctx, len(found), func(i int, stop func() bool) bool {
			found[i] = r.repack(spans[i%len(spans)], cur, 2*rects*each, splitmix.Hash(r.Seed, round, uint64(i)), stop)
			return len(spans) == 1 && found[i].offsets != nil && found[i].after == 0
		})
		least := make([]uint64, len(spans)) // excess by window, while it is above 0
		steps := uint64(0)
		for i := range n {
			r.take(attempt{steps: found[i].steps})
			steps += found[i].steps
			l := &least[i%len(spans)]
			if f := &found[i]; f.offsets != nil && f.after < f.before && (*l == 0 || f.after < *l) {
				*l = f.after
				for k, o := range f.offsets {
					cur[f.id[k]] = o
				}
			}
		}
		each = max(1000, steps/uint64(n)/rects)
		r.take(attempt{offsets: cur, method: "critical skyline, looking ahead"})
	}
}

// repacked is what a pass over a window found.
type repacked struct {
	id            []int32 // by rectangle of the window: its index
	offsets       []uint64
	before, after uint64 // excess
	steps         uint64
}

// repack looks for a packing of a window in which less is above the target.
func (r *runner) repack(w span, offsets []uint64, limit, seed uint64, stop func() bool) repacked {
	s := r.cut(w.first, w.end, offsets)
	old := make([]uint64, s.len())
	for k, i := range s.id {
		old[k] = offsets[i]
	}
	draw := &rng{key: seed}
	p := newPass(s, drawn(draw), r.goal)
	p.shake(draw, [...]int64{0, 1, 2, 4}[draw.below(4)])
	out := repacked{id: s.id, before: p.excessOf(s.tops(old))}
	g := p.goal
	if p.look(drawnAhead(draw), draw.next(), limit, stop) {
		out.offsets, out.after = p.offsets, g.excessOf(s.tops(p.offsets))
	}
	out.steps = p.spent() + 32*uint64(s.len())
	return out
}

// span is a range of sections, [first, end).
type span struct{ first, end int32 }

// spans returns windows that are apart from each other, around sections above the
// target, the higher the rather; or one of the whole problem.
func (r *runner) spans(tops []uint64, round uint64) []span {
	var lengths uint64
	for i, f := range r.shape.first {
		lengths += uint64(r.end[i] - f)
	}
	n := r.sections()
	// What crosses a border is in the way, so a window is wide; of mean lengths:
	factors := [...]uint64{8, 12, 16, 48}
	wide := int32(min(uint64(n), (lengths/uint64(r.len())+1)*factors[round%uint64(len(factors))]))
	if wide >= n/2 {
		return []span{{0, n}}
	}
	draw := &rng{key: splitmix.Hash(r.Seed, round)}
	var high []int32
	for s, t := range tops {
		if t > r.goal {
			high = append(high, int32(s))
		}
	}
	var out []span
	for range 4 * roundSize {
		at := high[draw.below(len(high))]
		for range roundSize {
			if s := high[draw.below(len(high))]; tops[s] > tops[at] {
				at = s
			}
		}
		first := max(0, min(n-wide, at-wide/4-int32(draw.below(int(wide/2)+1))))
		s := span{first, first + wide}
		if !slices.ContainsFunc(out, func(t span) bool { return s.first < t.end && t.first < s.end }) {
			out = append(out, s)
		}
		if len(out) == roundSize {
			break
		}
	}
	return out
}
