package audit_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
)

const (
	steps   = 6 // of the random problems
	maxSize = 5
)

func ptr(v uint64) *uint64 { return &v }

// problems draws problems with every feature, small enough to look at every byte
// at every step.
func problems(most int) *rapid.Generator[pack.Problem] {
	return rapid.Custom(func(t *rapid.T) pack.Problem {
		var p pack.Problem
		for range rapid.IntRange(0, most).Draw(t, "buffers") {
			p.Buffers = append(p.Buffers, buffer(t))
		}
		n := len(p.Buffers)
		if n < 2 {
			return p
		}
		order := rapid.Permutation(indices(n)).Draw(t, "order")
		for range rapid.IntRange(0, 2).Draw(t, "groups") {
			k := min(len(order), rapid.IntRange(0, 3).Draw(t, "members"))
			p.InPlace = append(p.InPlace, order[:k])
			order = order[k:]
		}
		for range rapid.IntRange(0, 2).Draw(t, "pairs") {
			pair := rapid.Permutation(indices(n)).Draw(t, "pair")
			p.Excluded = append(p.Excluded, [2]int{pair[0], pair[1]})
		}
		if rapid.Bool().Draw(t, "limited") {
			p.Capacity = ptr(rapid.Uint64Range(0, 20).Draw(t, "capacity"))
		}
		return p
	})
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func buffer(t *rapid.T) pack.Buffer {
	first := rapid.Uint64Range(0, steps-1).Draw(t, "first")
	b := pack.Buffer{
		First: first, End: rapid.Uint64Range(first+1, steps).Draw(t, "end"),
		Size: rapid.Uint64Range(0, maxSize).Draw(t, "size"), Align: 1 << rapid.IntRange(0, 2).Draw(t, "align"),
	}
	for at := b.First; at < b.End && rapid.Bool().Draw(t, "gap"); {
		g := pack.Gap{First: rapid.Uint64Range(at, b.End-1).Draw(t, "gap first")}
		g.End = rapid.Uint64Range(g.First+1, b.End).Draw(t, "gap end")
		g.Low = rapid.Uint64Range(0, b.Size).Draw(t, "low")
		g.High = rapid.Uint64Range(g.Low, b.Size).Draw(t, "high")
		b.Gaps = append(b.Gaps, g)
		at = g.End
	}
	if rapid.IntRange(0, 7).Draw(t, "fixed") == 0 {
		b.Offset = ptr(rapid.Uint64Range(0, 12).Draw(t, "offset"))
	}
	return b
}

// uses tells whether a buffer at an offset has a byte in use at a step.
func uses(b *pack.Buffer, at, step, byte uint64) bool {
	if step < b.First || step >= b.End || byte < at || byte >= at+b.Size {
		return false
	}
	for _, g := range b.Gaps {
		if g.First <= step && step < g.End {
			return at+g.Low <= byte && byte < at+g.High
		}
	}
	return true
}

func together(p *pack.Problem, i, j int) bool {
	for _, group := range p.InPlace {
		if slices.Contains(group, i) && slices.Contains(group, j) {
			return true
		}
	}
	return false
}

// shared is the bytes that two buffers share at a step; empty if low >= high. What
// they use is an interval, so what they share is one.
func shared(p *pack.Problem, offsets []uint64, i, j int, step uint64) (low, high uint64) {
	low = 1 << 20
	for x := uint64(0); x < 64; x++ {
		if uses(&p.Buffers[i], offsets[i], step, x) && uses(&p.Buffers[j], offsets[j], step, x) {
			low, high = min(low, x), x+1
		}
	}
	return low, high
}

type couple struct{ i, j int }

// collisions are the pairs that share bytes at a step although they may not, with
// every step at which they do.
func collisions(p *pack.Problem, offsets []uint64) map[couple][]uint64 {
	found := map[couple][]uint64{}
	for j := range p.Buffers {
		for i := range j {
			for s := uint64(0); s < steps; s++ {
				if low, high := shared(p, offsets, i, j, s); low < high && !together(p, i, j) {
					found[couple{i, j}] = append(found[couple{i, j}], s)
				}
			}
		}
	}
	return found
}

// kinds are the kinds of faults of a placement, found the obvious way.
func kinds(p *pack.Problem, r *pack.Result) map[audit.Kind]bool {
	found := map[audit.Kind]bool{}
	var height uint64
	for i, b := range p.Buffers {
		at := r.Offsets[i]
		height = max(height, at+b.Size)
		found[audit.Misaligned] = found[audit.Misaligned] || at%b.Align != 0
		found[audit.Moved] = found[audit.Moved] || b.Offset != nil && *b.Offset != at
		for j := range p.Buffers {
			found[audit.NotInPlace] = found[audit.NotInPlace] || together(p, i, j) && at != r.Offsets[j]
		}
	}
	for _, pair := range p.Excluded {
		for x := uint64(0); x < 64; x++ {
			all := true
			for _, i := range pair {
				all = all && r.Offsets[i] <= x && x < r.Offsets[i]+p.Buffers[i].Size
			}
			found[audit.Excluded] = found[audit.Excluded] || all
		}
	}
	found[audit.Overlap] = len(collisions(p, r.Offsets)) > 0
	found[audit.WrongHeight] = height != r.Height
	found[audit.OverCapacity] = p.Capacity != nil && height > *p.Capacity
	for kind, there := range found {
		if !there {
			delete(found, kind)
		}
	}
	return found
}

// apart tells whether two buffers may be where they are.
func apart(p *pack.Problem, offsets []uint64, i, j int) bool {
	if together(p, i, j) && offsets[i] != offsets[j] {
		return false
	}
	for _, pair := range p.Excluded {
		if pair == [2]int{i, j} || pair == [2]int{j, i} {
			top := min(offsets[i]+p.Buffers[i].Size, offsets[j]+p.Buffers[j].Size)
			if max(offsets[i], offsets[j]) < top {
				return false
			}
		}
	}
	for s := range uint64(steps) {
		if low, high := shared(p, offsets, i, j, s); low < high && !together(p, i, j) {
			return false
		}
	}
	return true
}

// optimum is the least height of the packings of a problem, found by trying every
// offset below a limit; the limit if there is none.
func optimum(p *pack.Problem, limit uint64) uint64 {
	best := limit
	offsets := make([]uint64, len(p.Buffers))
	var place func(i int, height uint64)
	place = func(i int, height uint64) {
		if i == len(p.Buffers) {
			best = height
			return
		}
		b := &p.Buffers[i]
	next:
		for at := uint64(0); max(height, at+b.Size) < best; at += b.Align {
			if b.Offset != nil && *b.Offset != at {
				continue
			}
			offsets[i] = at
			for j := range i {
				if !apart(p, offsets, j, i) {
					continue next
				}
			}
			place(i+1, max(height, at+b.Size))
		}
	}
	place(0, 0)
	return best
}
