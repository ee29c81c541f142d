// Package rect is the plain form of a packing problem, which the engines for
// large inputs work on: rectangles of sections and units. A section is a class
// of steps with the same buffers alive, of which none contains another; a unit
// is the greatest common divisor of all sizes and alignments.
//
// Whoever makes a Problem has checked that the sum of all sizes, each rounded up
// to its alignment, fits uint64 with a bit to spare, so that no sum of offsets
// and sizes in any left-justified packing can wrap.
package rect

// Rect is a buffer that is alive in the sections [First, End).
type Rect struct {
	First, End int32  // First < End
	Size       uint64 // units, at least 1
	Align      uint64 // units, a power of two
}

// Problem is a plain packing problem: rectangles that share a section must be
// disjoint. Every section has a rectangle.
type Problem struct {
	Rects    []Rect
	Sections int32
}

// Totals returns the units alive in each section.
func (p *Problem) Totals() []uint64 {
	totals := make([]uint64, p.Sections+1)
	for _, r := range p.Rects {
		totals[r.First] += r.Size
		totals[r.End] -= r.Size // may wrap here, and does not below
	}
	for s := int32(1); s < p.Sections; s++ {
		totals[s] += totals[s-1]
	}
	return totals[:p.Sections]
}

// Height is the largest offset + size.
func (p *Problem) Height(offsets []uint64) uint64 {
	var height uint64
	for i, r := range p.Rects {
		height = max(height, offsets[i]+r.Size)
	}
	return height
}
