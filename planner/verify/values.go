package verify

import (
	"errors"
	"math/rand/v2"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// dynamic tells for every buffer whether its size depends on a count.
func dynamic(seq *sequences.Sequence) []bool {
	out, done := make([]bool, len(seq.Buffers)), make([]bool, len(seq.Buffers))
	var visit func(b sequences.BufferID) bool
	visit = func(b sequences.BufferID) bool {
		if done[b] {
			return out[b]
		}
		done[b] = true
		size := seq.Buffers[b].Count
		out[b] = expr.Has(size, expr.Count)
		for _, other := range expr.Refs(size, expr.CountOf) {
			if visit(sequences.BufferID(other)) {
				out[b] = true
			}
		}
		return out[b]
	}
	for b := range out {
		visit(sequences.BufferID(b))
	}
	return out
}

// values evaluates the sequence at one point: values of the parameters, and of
// the counts. The elements of a buffer are computed once.
type values struct {
	seq    *sequences.Sequence
	params []uint64
	counts []uint64
	known  []bool
	elems  []uint64
	errs   []error
}

var errCycle = errors.New("the size depends on itself")

// Param implements expr.Env.
func (v *values) Param(ref int) (uint64, error) { return v.params[ref], nil }

// Count implements expr.Env.
func (v *values) Count(ref int) (uint64, error) { return v.counts[ref], nil }

// CountOf implements expr.Env.
func (v *values) CountOf(ref int) (uint64, error) { return v.elements(sequences.BufferID(ref)) }

// elements returns the number of elements of a buffer.
func (v *values) elements(b sequences.BufferID) (uint64, error) {
	if !v.known[b] {
		v.known[b] = true
		v.errs[b] = errCycle // until it is known
		v.elems[b], v.errs[b] = v.eval(v.seq.Buffers[b].Count)
	}
	return v.elems[b], v.errs[b]
}

// bytes returns the size of a buffer in bytes.
func (v *values) bytes(b sequences.BufferID) (uint64, error) {
	n, err := v.elements(b)
	if err != nil {
		return 0, err
	}
	return checked.Mul(n, uint64(v.seq.Types[v.seq.Buffers[b].Type].Size))
}

func (v *values) eval(n *expr.Node) (uint64, error) { return expr.Eval(n, v) }

// How many points are tried: corners of the parameter box, and random ones.
const (
	maxCorners   = 16
	randomPoints = 8
)

// evaluators chooses the points. The random ones come from a fixed seed, so that
// a check gives the same answer every time.
func (c *checker) evaluators() {
	r := rand.New(rand.NewPCG(0x5e9, 0x914))
	var ranged []int
	for i, p := range c.seq.Params {
		if p.Min != p.Max {
			ranged = append(ranged, i)
		}
	}
	corners := maxCorners
	if len(ranged) < 4 {
		corners = 1 << len(ranged)
	}
	for i := range corners + randomPoints {
		v := &values{
			seq: c.seq, params: make([]uint64, len(c.seq.Params)), counts: make([]uint64, len(c.seq.Counts)),
			known: make([]bool, len(c.seq.Buffers)), elems: make([]uint64, len(c.seq.Buffers)), errs: make([]error, len(c.seq.Buffers)),
		}
		for j, p := range c.seq.Params {
			v.params[j] = p.Max
		}
		for j, id := range ranged {
			p := c.seq.Params[id]
			switch {
			case i >= corners:
				v.params[id] = between(r, p.Min, p.Max)
			case i>>(j%4)&1 == 1: // corner 0 is the one of the largest values
				v.params[id] = p.Min
			}
		}
		v.drawCounts(r)
		c.values = append(c.values, v)
	}
}

// drawCounts gives every count a value up to its bound. Counts that name the same
// element share one.
func (v *values) drawCounts(r *rand.Rand) {
	for j, count := range v.seq.Counts {
		most := uint64(1000)
		if count.Max != nil {
			if bound, err := v.eval(count.Max); err == nil {
				most = bound
			}
		}
		v.counts[j] = between(r, 0, most)
		for k, other := range v.seq.Counts[:j] {
			if other.At == count.At && v.sameIndex(count, other) {
				v.counts[j] = min(v.counts[j], v.counts[k])
				v.counts[k] = v.counts[j]
			}
		}
	}
}

func (v *values) sameIndex(a, b sequences.Count) bool {
	i, err := v.eval(a.Index)
	j, err2 := v.eval(b.Index)
	return err == nil && err2 == nil && i == j
}

// between draws from [low, high].
func between(r *rand.Rand, low, high uint64) uint64 {
	if span := high - low; span < ^uint64(0) {
		return low + r.Uint64N(span+1)
	}
	return r.Uint64()
}

// sizes checks that no static buffer is ever larger than its place.
func (c *checker) sizes() {
	for i := range c.seq.Buffers {
		b := sequences.BufferID(i)
		at, static := c.static[b]
		if !static {
			continue
		}
		for _, v := range c.values {
			size, err := v.bytes(b)
			if err != nil {
				c.fault(TooSmall, c.seq.Buffers[i].Name, "", -1, "it has no size at the parameters %v: %v", v.params, err)
				break
			}
			if size > c.layout.Buffers[at].Size {
				c.fault(TooSmall, c.seq.Buffers[i].Name, "", -1, "it has %d bytes, and needs %d at the parameters %v",
					c.layout.Buffers[at].Size, size, v.params)
				break
			}
		}
	}
}
