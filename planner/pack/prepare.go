package pack

import (
	"fmt"
	"math"
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
)

// limit is above every offset and height that an engine meets, so that none of
// their sums and differences leaves 63 bits.
const limit = 1 << 60

// SizeError says that a problem is too large to pack: all buffers behind each other,
// above the topmost fixed one, do not lie below 2^60 bytes.
type SizeError struct {
	Buffer int // with those before it, it is too much
	Err    error
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("buffer %d: with those before it, it does not lie below 2^60 bytes", e.Buffer)
}

// Unwrap returns checked.ErrOverflow.
func (e *SizeError) Unwrap() error { return e.Err }

// measure checks the sums of a valid problem once, so that no engine has to. It
// returns a *SizeError.
func (p Problem) measure() error {
	var c checked.Calc
	var sum, fixed, align uint64
	for i := range p.Buffers {
		b := &p.Buffers[i]
		sum = c.Add(sum, c.AlignUp(b.Size, b.Align))
		if b.Offset != nil {
			fixed = max(fixed, c.Add(*b.Offset, b.Size))
		}
		align = max(align, b.Align)
		total := c.Add(c.Add(sum, fixed), align)
		if c.Err() != nil || total >= limit {
			return &SizeError{Buffer: i, Err: checked.ErrOverflow}
		}
	}
	return nil
}

// infeasible turns a result into one without a packing.
func infeasible(r Result, conflict []int, minimal bool) Result {
	return Result{Status: Infeasible, Bound: r.Bound, Conflict: conflict, Minimal: minimal, Method: "bounds", Nodes: r.Nodes}
}

// with adds a packing to a result.
func (r Result) with(p Problem, offsets []uint64) Result {
	r.Offsets, r.Height = offsets, p.height(offsets)
	switch {
	case r.Height <= r.Bound.Bytes:
		r.Status = Optimal
	case r.Height > p.capacity():
		r.Status = Unknown
	default:
		r.Status = Feasible
	}
	return r
}

// alive returns the buffers that are alive in some steps, with all buffers of
// their groups: those have a say in the offset too.
func (p Problem) alive(first, end uint64) []int {
	alive := make([]bool, len(p.Buffers))
	for i := range p.Buffers {
		alive[i] = p.Buffers[i].First < end && first < p.Buffers[i].End
	}
	for _, group := range p.InPlace {
		if slices.ContainsFunc(group, func(i int) bool { return alive[i] }) {
			for _, i := range group {
				alive[i] = true
			}
		}
	}
	var out []int
	for i, a := range alive {
		if a {
			out = append(out, i)
		}
	}
	return out
}

// capacity is the height to fit into: any below the limit if there is none.
func (p Problem) capacity() uint64 {
	if p.Capacity == nil {
		return limit
	}
	return min(*p.Capacity, limit)
}

// span returns the first step of all and the end of the last.
func (p Problem) span() (first, end uint64) {
	first = math.MaxUint64
	for i := range p.Buffers {
		first, end = min(first, p.Buffers[i].First), max(end, p.Buffers[i].End)
	}
	return min(first, end), end
}

// height returns the largest end.
func (p Problem) height(offsets []uint64) uint64 {
	var height uint64
	for i := range p.Buffers {
		height = max(height, offsets[i]+p.Buffers[i].Size)
	}
	return height
}

// bound returns the strongest bound that takes no search.
func (m *model) bound() (Bound, error) {
	live, err := maxLive(m.uses())
	if err != nil {
		return Bound{}, err
	}
	bounds := []Bound{live}
	var list []rounded
	for n := range m.items {
		it := &m.items[n]
		first, end := m.span(n)
		b := Bound{Bytes: it.size, First: first, End: end}
		if it.fixed != nil {
			b.Bytes, b.Kind = *it.fixed+it.size, Placed
		}
		bounds = append(bounds, b)
		for _, p := range it.pieces {
			if p.Low == 0 { // else others may lie below, at the same multiple
				list = append(list, rounded{p.First, p.End, p.High, it.align})
			}
		}
	}
	bounds = append(bounds, alignedBound(list))
	return strongest(bounds...), nil
}

// span returns the steps of an item.
func (m *model) span(n int) (first, end uint64) {
	b := m.problem.Buffers[m.items[n].buffers[0]]
	first, end = b.First, b.End
	for _, i := range m.items[n].buffers[1:] {
		b := &m.problem.Buffers[i]
		first, end = min(first, b.First), max(end, b.End)
	}
	return first, end
}
