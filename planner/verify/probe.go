package verify

import (
	"slices"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// probeCounts is how many counts of one size program are probed, so that the time of
// a check stays linear in the words of the program.
const probeCounts = 32

// smallCount is above every other count in a probe with small ones.
const smallCount = 8

// probe runs a size program with one count at exactly its max, and one above: no
// point of the others has a count above its max, so none sees a check that was
// loosened or lost. Where very many counts drive a buffer, which of them are probed
// depends on its slot.
func (c *checker) probe(b sequences.BufferID, s int, code []uint64) {
	counts, buffers := c.closure(b)
	if n := len(counts); n > probeCounts {
		start := c.slot[b] * probeCounts % n
		counts = slices.Concat(counts[start:], counts[:start])[:probeCounts]
	}
	for _, v := range c.probes {
		for _, id := range counts {
			if !c.probeCount(b, s, code, v, id, buffers) {
				return
			}
		}
	}
}

func (c *checker) probeCount(b sequences.BufferID, s int, code []uint64, v *values, id sequences.CountID, buffers []sequences.BufferID) bool {
	count, most := &c.seq.Counts[id], v.most[id]
	if count.Max == nil {
		return true
	}
	first := v.leader[id]
	before := v.counts[first]
	defer func() { v.counts[first] = before }()
	limit := ^uint64(0) >> (64 - 8*min(8, c.seq.Types[c.seq.Buffers[count.At].Type].Size))
	for above := range uint64(2) {
		if most > limit || above > limit-most {
			break // the element cannot hold it
		}
		v.counts[first] = most + above
		v.forget(buffers)
		if !c.compare(b, s, code, v) {
			return false
		}
	}
	return true
}

// closure returns the counts that drive a buffer, and the buffers on which its size
// depends, with itself.
func (c *checker) closure(b sequences.BufferID) (counts []sequences.CountID, buffers []sequences.BufferID) {
	seenCount, seen := map[int]bool{}, map[sequences.BufferID]bool{b: true}
	buffers = []sequences.BufferID{b}
	for i := 0; i < len(buffers); i++ {
		size := c.seq.Buffers[buffers[i]].Count
		for _, ref := range expr.Refs(size, expr.Count) {
			if !seenCount[ref] {
				seenCount[ref] = true
				counts = append(counts, sequences.CountID(ref))
			}
		}
		for _, ref := range expr.Refs(size, expr.CountOf) {
			if other := sequences.BufferID(ref); !seen[other] {
				seen[other] = true
				buffers = append(buffers, other)
			}
		}
	}
	return counts, buffers
}

// forget makes the elements of some buffers be computed anew.
func (v *values) forget(buffers []sequences.BufferID) {
	for _, b := range buffers {
		v.known[b] = false
	}
}

// withCounts returns the same point with other counts: none above its max.
func (v *values) withCounts(count func(sequences.CountID) uint64) *values {
	out := newValues(v.seq)
	out.params, out.most, out.leader, out.index = v.params, v.most, v.leader, v.index
	for i := range out.counts {
		out.counts[i] = ^uint64(0)
	}
	for i := range out.counts {
		id := sequences.CountID(i)
		out.lower(id, min(count(id), v.most[id]))
	}
	return out
}

// typicalCounts returns the same point with each count typical, if it says what that
// is.
func (v *values) typicalCounts() *values {
	return v.withCounts(func(id sequences.CountID) uint64 {
		if n := v.seq.Counts[id].Typical; n != nil {
			if typical, err := v.eval(n); err == nil {
				return typical
			}
		}
		return v.counts[v.leader[id]]
	})
}

// smallCounts returns the same point with small counts.
func (v *values) smallCounts() *values {
	return v.withCounts(func(id sequences.CountID) uint64 { return v.counts[v.leader[id]] % smallCount })
}
