package audit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/planner/pack"
)

// window is a part [first, end) of the lifetime of a buffer, in which its bytes
// [low, high) are in use. It has a step and a byte.
type window struct{ first, end, low, high uint64 }

// windows returns the windows of a buffer in order of steps.
func windows(b *pack.Buffer) func(yield func(window) bool) {
	return func(yield func(window) bool) {
		at := b.First
		for _, g := range b.Gaps {
			if at < g.First && b.Size > 0 && !yield(window{at, g.First, 0, b.Size}) {
				return
			}
			if g.Low < g.High && !yield(window{g.First, g.End, g.Low, g.High}) {
				return
			}
			at = g.End
		}
		if at < b.End && b.Size > 0 {
			yield(window{at, b.End, 0, b.Size})
		}
	}
}

// block is a window of a placed buffer: its bytes count from the start of the pool.
type block struct {
	window
	buffer, owner int32
}

// blocks returns the windows of the buffers whose end is known.
func (c *checker) blocks(sound []bool) []block {
	blocks := make([]block, 0, len(c.p.Buffers))
	for i := range c.p.Buffers {
		if !sound[i] {
			continue
		}
		at := c.r.Offsets[i]
		for w := range windows(&c.p.Buffers[i]) {
			w.low, w.high = w.low+at, w.high+at
			blocks = append(blocks, block{w, int32(i), c.owner[i]})
		}
	}
	return blocks
}

// overlaps finds, for every block that shares bytes with one of lower offset at
// some step, one such other block. Blocks are taken by offset; a tree over time
// keeps the highest block so far, which is the one to collide with first.
func (c *checker) overlaps(sound []bool) {
	blocks := c.blocks(sound)
	// Steps between two starts are like the earlier start: at it live all that
	// live at them. So two blocks meet exactly if they meet at a start.
	starts := make([]uint64, len(blocks))
	for i := range blocks {
		starts[i] = blocks[i].first
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	slices.SortFunc(blocks, func(a, b block) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.buffer, b.buffer), cmp.Compare(a.first, b.first))
	})
	tops := newTops(blocks, len(starts))
	for i := range blocks {
		b := &blocks[i]
		first, _ := slices.BinarySearch(starts, b.first)
		end, _ := slices.BinarySearch(starts, b.end)
		if k := tops.highest(first, end, b.owner); k != none && blocks[k].high > b.low {
			c.overlap(&blocks[k], b)
		}
		tops.add(first, end, int32(i))
	}
}

// overlap reports a collision of two blocks, of which a starts at the lower byte.
func (c *checker) overlap(a, b *block) {
	c.faults = append(c.faults, Fault{
		Kind: Overlap, Buffer: int(min(a.buffer, b.buffer)), Other: int(max(a.buffer, b.buffer)), Step: max(a.first, b.first),
		Detail: fmt.Sprintf("both use the bytes [%d, %d)", b.low, min(a.high, b.high)),
	})
}
