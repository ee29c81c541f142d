package planner

import (
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// boundShrinks bounds what is left of the static buffers after each of their shrinks, in
// bytes, and proves that none of them grows.
func (b *bounder) boundShrinks() {
	related := newRelation(b)
	b.shrinks = make([][]uint64, len(b.seq.Buffers))
	for i := range b.seq.Buffers {
		buffer := &b.seq.Buffers[i]
		if b.classes[i].class == Dynamic || !b.elements[i].ok {
			continue
		}
		before := buffer.Count
		for k := range buffer.Shrinks {
			s := &buffer.Shrinks[k]
			bounds, err := b.analyze(s.Count)
			if err != nil {
				b.report(fmt.Sprintf("the shrink of %q", buffer.Name), err)
				break
			}
			if !expr.Equal(before, s.Count) && related.atLeast(before, s.Count) != nil {
				b.diags = append(b.diags, sequences.Diagnostic{
					Pos: s.Count.Pos, Code: CodeShrinkGrows, Severity: diag.Error,
					Message: fmt.Sprintf("cannot prove that %q never has more elements than before when it shrinks behind %q", buffer.Name, b.seq.Steps[s.After].Name),
					Hint:    fmt.Sprintf("write \"min(count, ...)\" with the count that it has before, %s", before),
				})
				break
			}
			before = s.Count
			most := b.sizes[i].max // also where the bound of the count is not exact
			left, err := checked.Mul(bounds.Hi, uint64(b.seq.Types[buffer.Type].Size))
			if err != nil {
				left = most
			}
			b.shrinks[i] = append(b.shrinks[i], min(left, most))
		}
	}
}

// checkWindows checks what the reader cannot know of gaps: that no window is beyond the
// end of its buffer.
func checkWindows(seq *sequences.Sequence, bounds *bounder) sequences.Diagnostics {
	var diags sequences.Diagnostics
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		for _, g := range b.Gaps {
			if size := bounds.sizes[i].max; bounds.elements[i].ok && uint64(g.High) > size {
				diags = append(diags, sequences.Diagnostic{
					Pos: g.Pos, Code: CodeWindowEnd, Severity: diag.Error,
					Message: fmt.Sprintf("the window [%d, %d) of a gap of %q ends behind the buffer, which has %d bytes at most", g.Low, g.High, b.Name, size),
				})
			}
		}
	}
	return diags
}

// piece is a part of the life of a buffer that has accesses: from a gap or shrink to
// the next one.
type piece struct {
	first, end uint64             // steps
	bytes      uint64             // in use
	accesses   []sequences.StepID // ascending
	from, to   []sequences.StepID // of these, the ones behind no other, and those with no other behind
}

// split cuts the accesses of a buffer at its gaps and shrinks. The accesses between two
// cuts are a piece; it ends when the device is done with them.
func (f *frontier) split(b sequences.BufferID) []piece {
	buffer := &f.seq.Buffers[b]
	var cuts []sequences.StepID // a piece ends with such a step
	for _, g := range buffer.Gaps {
		cuts = append(cuts, g.After)
	}
	for _, s := range buffer.Shrinks {
		cuts = append(cuts, s.After)
	}
	slices.Sort(cuts)
	var out []piece
	rest := f.all(b)
	for _, cut := range append(slices.Compact(cuts), f.end()) {
		n, _ := slices.BinarySearch(rest, cut+1)
		if n > 0 {
			p := piece{accesses: f.inFlight(b, slices.Clone(rest[:n])), from: f.earliest(rest[:n])}
			p.to = f.latest(p.accesses)
			p.first, p.end = uint64(max(0, rest[0])), uint64(min(max(0, slices.Max(p.accesses))+1, f.end()))
			out = append(out, p)
		}
		rest = rest[n:]
	}
	return out
}

// lent turns the gaps and shrinks of a buffer into gaps of its packing, of which the
// windows are rounded up to the base alignment like all sizes. A gap, or the smaller size,
// starts when the device is done with the piece before it.
func lent(buffer *sequences.Buffer, pieces []piece, life Interval, size uint64, shrinks []uint64, align uint64) []pack.Gap {
	start := func(after sequences.StepID) uint64 {
		var end uint64
		for _, p := range pieces {
			if p.accesses[0] <= after {
				end = max(end, p.end)
			}
		}
		return end
	}
	type window struct{ first, end, low, high uint64 }
	var windows []window
	for _, g := range buffer.Gaps {
		w := window{first: start(g.After), end: uint64(g.Before)}
		if g.Low < g.High {
			w.low, w.high = uint64(g.Low)/align*align, min(size, roundUp(uint64(g.High), align))
		}
		windows = append(windows, w)
	}
	for k, s := range buffer.Shrinks {
		windows = append(windows, window{start(s.After), uint64(life.End), 0, min(size, roundUp(shrinks[k], align))})
	}
	cuts := []uint64{uint64(life.First), uint64(life.End)}
	for _, w := range windows {
		cuts = append(cuts, min(w.first, uint64(life.End)), min(w.end, uint64(life.End)))
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []pack.Gap
	for i := range cuts[1:] {
		g := pack.Gap{First: cuts[i], End: cuts[i+1], High: size}
		for _, w := range windows {
			if w.first <= g.First && g.End <= w.end {
				g.Low, g.High = max(g.Low, w.low), min(g.High, w.high)
			}
		}
		if g.Low >= g.High {
			g.Low, g.High = 0, 0
		}
		last := len(out) - 1
		switch {
		case g.Low == 0 && g.High == size: // nothing is lent
		case last >= 0 && out[last].End == g.First && out[last].Low == g.Low && out[last].High == g.High:
			out[last].End = g.End
		default:
			out = append(out, g)
		}
	}
	return out
}

// roundUp rounds up what is no more than the size of a buffer, which can be rounded up.
func roundUp(n, align uint64) uint64 { return (n + align - 1) / align * align }
