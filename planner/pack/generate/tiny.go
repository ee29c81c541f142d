package generate

import "github.com/seqplan/seqplan/planner/pack"

// Tiny draws a problem small enough to try everything: 1 to 8 buffers, more often
// many, within 6 steps and of 1 to 6 bytes; one buffer in 16 has 0 bytes. In half
// of the problems all alignments are 1, in the others 1, 2 or 4. In about one
// problem of seven the optimum is above the largest number of live bytes, nearly
// always for an alignment.
func Tiny(seed uint64) pack.Problem {
	r := newRNG(tinyStream, seed)
	const steps = 6
	maxLog := 2 * r.between(0, 1)
	p := pack.Problem{Buffers: make([]pack.Buffer, max(r.between(1, 8), r.between(1, 8)))}
	for i := range p.Buffers {
		first := r.between(0, steps-1)
		b := pack.Buffer{
			First: uint64(first),
			End:   uint64(r.between(first+1, min(steps, first+4))),
			Size:  uint64(r.between(1, 6)),
			Align: 1 << r.between(0, maxLog),
		}
		if r.coin(16) {
			b.Size = 0
		}
		p.Buffers[i] = b
	}
	return p
}
