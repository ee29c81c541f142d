package generate

import "github.com/seqplan/seqplan/planner/pack"

// Family is a distribution of random problems. With s the square root of n,
// lifetimes are given in steps and sizes in bytes; alignments are 1. In all but
// Dense the buffers start at uniform steps of [0, n) and end there at the latest.
// About 2s buffers are alive at a time: with fewer, one high peak would decide
// the height, and the more buffers the easier it would be.
type Family uint8

// The families.
const (
	Uniform   Family = iota // lifetimes 1 to 4s, sizes 1 to 2^20, both uniform
	Pareto                  // lifetimes from s/2 with exponent 4/3, sizes uniform from 1 to 2^20
	FewSizes                // lifetimes uniform from 1 to 4s, eight sizes: multiples of 256 to 2^20 drawn by the seed
	LongShort               // one in 16 lives up to 32s with up to 2^18 bytes, the others up to s with up to 2^20
	Dense                   // lifetimes 1 to 4s, sizes 1 to 2^20; each starts as soon as it fits under s*2^20 live bytes
	numFamilies
)

func (f Family) String() string {
	names := [numFamilies]string{"uniform", "pareto", "few sizes", "long short", "dense"}
	if f < numFamilies {
		return names[f]
	}
	return "unknown"
}

// Families are all of them.
func Families() []Family { return []Family{Uniform, Pareto, FewSizes, LongShort, Dense} }

const (
	largest   = 1 << 20 // bytes of a buffer
	sizeCount = 8       // of FewSizes
)

// Random draws n buffers of a family. An unknown family and an n below 1 give
// the empty problem.
func Random(f Family, n int, seed uint64) pack.Problem {
	if f >= numFamilies || n < 1 {
		return pack.Problem{}
	}
	r := newRNG(familyStream+stream(f), seed)
	if f == Dense {
		return dense(r, n)
	}
	var sizes [sizeCount]uint64
	if f == FewSizes {
		for i := range sizes {
			sizes[i] = 256 * (1 + r.below(largest/256))
		}
	}
	p := pack.Problem{Buffers: make([]pack.Buffer, n)}
	s := root(n)
	for i := range p.Buffers {
		first := r.between(0, n-1)
		length, size := 0, 1+r.below(largest)
		switch f {
		case Pareto:
			length = r.pareto(max(1, s/2), n)
		case LongShort:
			length = r.between(1, s)
			if r.coin(16) {
				length, size = r.between(1, 32*s), 1+size/4
			}
		default:
			length = r.between(1, 4*s)
		}
		if f == FewSizes {
			size = sizes[r.between(0, sizeCount-1)]
		}
		p.Buffers[i] = pack.Buffer{First: uint64(first), End: uint64(min(n, first+length)), Size: size, Align: 1}
	}
	return p
}

// dense admits buffers first come, first served: one that does not fit under the
// cap waits, and so do those behind it. All sections but the last ones are full
// but for less than one buffer.
func dense(r *rng, n int) pack.Problem {
	p := pack.Problem{Buffers: make([]pack.Buffer, n)}
	s := root(n)
	limit := uint64(s) * largest
	ends := make([]uint64, 4*s+1) // bytes that end at a step, by step modulo the length
	step := 0
	var live uint64
	for i := range p.Buffers {
		length, size := r.between(1, 4*s), 1+r.below(largest)
		for live+size > limit {
			step++
			live -= ends[step%len(ends)]
			ends[step%len(ends)] = 0
		}
		live += size
		ends[(step+length)%len(ends)] += size
		p.Buffers[i] = pack.Buffer{First: uint64(step), End: uint64(step + length), Size: size, Align: 1}
	}
	r.shuffle(n, func(i, j int) { p.Buffers[i], p.Buffers[j] = p.Buffers[j], p.Buffers[i] })
	return p
}
