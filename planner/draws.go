package planner

import (
	"math/bits"

	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/sequences"
)

// vary is by how much a drawn count differs from its typical value at most, in
// thousandths.
const vary = 300

// draws makes the sizes of the pieces for draws of the counts: each count is its
// typical value at the largest parameter values, or its max if it has none, times a
// factor that is even in [1 - vary, 1 + vary], and never more than its max. All
// buffers that a count drives see the same value.
type draws struct {
	seq     *sequences.Sequence
	pieces  *pieces
	align   uint64
	typical []uint64 // by CountID
	max     []uint64 // by CountID
}

// newDraws returns nil if a count has neither value.
func newDraws(seq *sequences.Sequence, p *pieces, align uint64, counts func(sequences.CountID) (typical *uint64, limit uint64)) *draws {
	d := &draws{seq: seq, pieces: p, align: align}
	at := newEvaluator(seq, largest(seq))
	for i := range seq.Counts {
		typical, limit := counts(sequences.CountID(i))
		if n := seq.Counts[i].Max; n != nil {
			most, err := at.eval(n)
			if err != nil {
				return nil
			}
			limit = min(limit, most)
			if typical == nil {
				typical = &most
			}
		}
		if typical == nil {
			return nil
		}
		d.typical = append(d.typical, *typical)
		d.max = append(d.max, limit)
	}
	return d
}

// sizes returns the rounded sizes of the pieces in one draw, and false where a size
// has no value.
func (d *draws) sizes(seed, draw uint64) ([]uint64, bool) {
	e := newEvaluator(d.seq, largest(d.seq))
	e.count = func(c sequences.CountID) (uint64, error) {
		factor := 1000 - vary + splitmix.Hash(seed, draw, uint64(c))%(2*vary+1)
		hi, lo := bits.Mul64(d.typical[c], factor)
		if hi >= 1000 {
			return d.max[c], nil
		}
		v, _ := bits.Div64(hi, lo, 1000)
		return min(v, d.max[c]), nil
	}
	return d.pieces.rounded(d.align, e.bytes)
}

// sample is a number of draws with the live peak of each, which is not 0.
type sample struct {
	sizes [][]uint64
	peaks []uint64
	sums  []uint64
}

// sample makes n draws, or none if one of them has no value.
func (d *draws) sample(seed uint64, n int) sample {
	var s sample
	for i := range n {
		sizes, ok := d.sizes(seed, uint64(i))
		if !ok {
			return sample{}
		}
		if peak, sum := d.pieces.peak(sizes); peak > 0 {
			s.sizes, s.peaks, s.sums = append(s.sizes, sizes), append(s.peaks, peak), append(s.sums, sum)
		}
	}
	return s
}
