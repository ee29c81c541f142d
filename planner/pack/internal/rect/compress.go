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

// Compress makes the plain problem of some buffers, in their order. Unit is how
// many bytes a unit is. It fails if the sum of the sizes, rounded up to the
// alignments, does not fit 63 bits.
func Compress(buffers []Buffer) (p *Problem, unit uint64, err error) {
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
			return nil, 0, err
		}
		unit, largest = GCD(unit, b.Size), max(largest, b.Align)
	}
	if len(buffers) > 0 {
		unit = Grid(unit, largest)
	}
	starts := sections(buffers)
	p = &Problem{Rects: make([]Rect, len(buffers)), Sections: int32(len(starts))}
	for i, b := range buffers {
		// A section lies in a lifetime if its first step does.
		first, _ := slices.BinarySearch(starts, b.First)
		end, _ := slices.BinarySearch(starts, b.End)
		p.Rects[i] = Rect{First: int32(first), End: int32(end), Size: b.Size / unit, Align: max(1, b.Align/unit)}
	}
	return p, unit, nil
}

// sections returns the first steps of the maximal sections. Who lives at a start step lives there
// until the next end; if another buffer starts before that end, all of them live
// with it too, and the earlier section is contained in the later one.
func sections(buffers []Buffer) []uint64 {
	starts, ends := make([]uint64, len(buffers)), make([]uint64, len(buffers))
	for i, b := range buffers {
		starts[i], ends[i] = b.First, b.End
	}
	slices.Sort(starts)
	slices.Sort(ends)
	var out []uint64
	e := 0
	for i, at := range starts {
		for e < len(ends) && ends[e] <= at {
			e++
		}
		if i+1 < len(starts) && starts[i+1] < ends[e] {
			continue
		}
		out = append(out, at)
	}
	return out
}
