package generate

import (
	"slices"

	"github.com/seqplan/seqplan/planner/pack"
)

// tinyMixedStream is beyond those of the families.
const tinyMixedStream stream = 1 << 32

// TinyMixed draws a problem small enough to try everything, with every feature: 1
// to 8 buffers, more often many, within 8 steps and of 0 to 7 bytes. Alignments
// are 1, in half of the problems 1, 2, 4 or 8. Gaps may keep a window, and may
// reach to the end. Some offsets are fixed, and may contradict each other or an
// alignment; in a group they may differ. A quarter of the problems has a capacity
// within a few bytes of what is alive at once.
func TinyMixed(seed uint64) pack.Problem {
	r := newRNG(tinyMixedStream, seed)
	n := max(r.between(1, 8), r.between(1, 8))
	p := pack.Problem{Buffers: make([]pack.Buffer, n)}
	maxLog, gaps, length := 3*r.between(0, 1), uint64(r.between(1, 4)), r.between(3, 8)
	for i := range p.Buffers {
		p.Buffers[i] = tinyBuffer(r, maxLog, gaps, length)
	}
	// Each feature is off in some of the problems, so that they meet in all
	// combinations and none hides what another one does.
	if r.coin(2) {
		tinyPlaces(r, p.Buffers)
	}
	if n > 1 && r.coin(2) {
		p.InPlace = tinyGroups(r, n)
	}
	if r.coin(2) {
		p.Excluded = tinyPairs(r, p)
	}
	if r.coin(4) {
		capacity := tinyHeight(p.Buffers) + r.below(4)
		capacity -= min(capacity, 1)
		p.Capacity = &capacity
	}
	return p
}

// tinyBuffer has gaps once in so many draws.
func tinyBuffer(r *rng, maxLog int, gaps uint64, length int) pack.Buffer {
	const steps = 8
	first := r.between(0, steps-1)
	b := pack.Buffer{
		First: uint64(first),
		End:   uint64(r.between(first+1, min(steps, first+length))),
		Size:  uint64(r.between(1, 7)),
		Align: 1 << r.between(0, maxLog),
	}
	if r.coin(16) {
		b.Size = 0
	}
	if !r.coin(gaps) {
		return b
	}
	for at := b.First; at < b.End; {
		g := pack.Gap{First: at + r.below(2)}
		g.End = g.First + 1 + r.below(3)
		if g.End > b.End {
			break
		}
		switch {
		case r.coin(3): // nothing stays in use
		case g.End == b.End && r.coin(2): // it shrinks
			g.High = r.below(b.Size + 1)
		default:
			g.Low = r.below(b.Size + 1)
			g.High = g.Low + r.below(b.Size-g.Low+1)
		}
		b.Gaps = append(b.Gaps, g)
		at = g.End
	}
	return b
}

// tinyPlaces fixes some offsets and hints at others.
func tinyPlaces(r *rng, buffers []pack.Buffer) {
	for i := range buffers {
		b := &buffers[i]
		place := b.Align * r.below(16/b.Align)
		switch r.below(4) {
		case 0:
			b.Offset = &place
		case 1:
			b.Hint = &place
		}
	}
}

// tinyGroups returns a group of two or three, and sometimes another of two.
func tinyGroups(r *rng, n int) [][]int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	r.shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	first, rest := order[:2], order[2:]
	if n > 2 && r.coin(2) {
		first, rest = order[:3], order[3:]
	}
	groups := [][]int{slices.Clone(first)}
	if len(rest) > 1 && r.coin(3) {
		groups = append(groups, slices.Clone(rest[:2]))
	}
	return groups
}

// tinyPairs excludes up to three pairs; none is in one group.
func tinyPairs(r *rng, p pack.Problem) [][2]int {
	var pairs [][2]int
	for range r.between(1, 3) {
		i, j := r.between(0, len(p.Buffers)-1), r.between(0, len(p.Buffers)-1)
		together := slices.ContainsFunc(p.InPlace, func(g []int) bool { return slices.Contains(g, i) && slices.Contains(g, j) })
		if i != j && !together {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// tinyHeight is a height that is rarely far from the optimum: what is alive at
// once, and the end of what is fixed.
func tinyHeight(buffers []pack.Buffer) (height uint64) {
	for _, at := range buffers {
		var live uint64
		for _, b := range buffers {
			if b.First <= at.First && at.First < b.End {
				live += b.Size
			}
			if b.Offset != nil {
				height = max(height, *b.Offset+b.Size)
			}
		}
		height = max(height, live)
	}
	return height
}
