package rect

import (
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
)

// Buffer is a rectangle in steps and bytes, before compression.
type Buffer struct {
	First, End  uint64 // steps, First < End
	Size, Align uint64 // bytes; Size at least 1, Align a power of two
}

// Steps are the steps [First, End) of a section at which its buffers live.
type Steps struct{ First, End uint64 }

// Compress makes the plain problem of some buffers, in their order. Unit is how
// many bytes a unit is, and steps says when each section is. It fails if the sum
// of the sizes, rounded up to the alignments, does not fit 63 bits.
func Compress(buffers []Buffer) (p *Problem, unit uint64, steps []Steps, err error) {
	var sum, largest uint64
	for _, b := range buffers {
		rounded, err := checked.AlignUp(b.Size, b.Align)
		if err == nil {
			sum, err = checked.Add(sum, rounded)
		}
		if err == nil {
			_, err = checked.Mul(sum, 2)
		}
		if err != nil {
			return nil, 0, nil, err
		}
		unit, largest = gcd(unit, b.Size), max(largest, b.Align)
	}
	// A left-justified packing has offsets that are sums of sizes. An alignment
	// that divides all sizes costs nothing, another one leaves a power of two.
	if len(buffers) > 0 && unit%largest != 0 {
		unit = gcd(unit, largest)
	}
	steps = sections(buffers)
	p = &Problem{Rects: make([]Rect, len(buffers)), Sections: int32(len(steps))}
	for i, b := range buffers {
		// A section lies in a lifetime if its first step does.
		first, _ := slices.BinarySearchFunc(steps, b.First, compareFirst)
		end, _ := slices.BinarySearchFunc(steps, b.End, compareFirst)
		p.Rects[i] = Rect{First: int32(first), End: int32(end), Size: b.Size / unit, Align: max(1, b.Align/unit)}
	}
	return p, unit, steps, nil
}

func compareFirst(s Steps, step uint64) int {
	switch {
	case s.First < step:
		return -1
	case s.First > step:
		return 1
	}
	return 0
}

// sections returns the maximal sections. Who lives at a start step lives there
// until the next end; if another buffer starts before that end, all of them live
// with it too, and the earlier section is contained in the later one.
func sections(buffers []Buffer) []Steps {
	starts, ends := make([]uint64, len(buffers)), make([]uint64, len(buffers))
	for i, b := range buffers {
		starts[i], ends[i] = b.First, b.End
	}
	slices.Sort(starts)
	slices.Sort(ends)
	var out []Steps
	e := 0
	for i, at := range starts {
		for e < len(ends) && ends[e] <= at {
			e++
		}
		if i+1 < len(starts) && starts[i+1] < ends[e] {
			continue
		}
		out = append(out, Steps{at, ends[e]})
	}
	return out
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
