package planner

import (
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// sizeCompiler compiles size programs: the bytes of a dynamic buffer as postfix
// code over parameters, constants and counts. count_of is expanded, so that a
// program needs nothing but the counts. It implements expr.Leaves.
type sizeCompiler struct {
	in      *layoutInput
	slot    []uint64 // by BufferID
	offsets []uint64 // by BufferID; nil while they are not known
	param   []uint32 // by ParamID: the index of a launch-time parameter
}

func newSizeCompiler(in *layoutInput, slot, offsets []uint64) *sizeCompiler {
	c := &sizeCompiler{in: in, slot: slot, offsets: offsets, param: make([]uint32, len(in.seq.Params))}
	next := uint32(0)
	for i, p := range in.seq.Params {
		if !p.Fixed() {
			c.param[i] = next
			next++
		}
	}
	return c
}

// size returns the size program of a buffer.
func (c *sizeCompiler) size(b sequences.BufferID) ([]uint64, error) {
	buffer := &c.in.seq.Buffers[b]
	n := buffer.Count
	if size := uint64(c.in.seq.Types[buffer.Type].Size); size != 1 {
		n = &expr.Node{Kind: expr.Mul, Pos: n.Pos, Args: []*expr.Node{n, {Kind: expr.Lit, Pos: n.Pos, Value: size}}}
	}
	code, err := expr.Compile(n, c)
	return code.Words, err
}

// Param implements expr.Leaves.
func (c *sizeCompiler) Param(ref int) (expr.Code, error) {
	if p := c.in.seq.Params[ref]; p.Fixed() {
		return expr.ConstCode(p.Min), nil
	}
	return expr.ParamCode(c.param[ref]), nil
}

// CountOf implements expr.Leaves.
func (c *sizeCompiler) CountOf(ref int) (*expr.Node, error) { return c.in.seq.Buffers[ref].Count, nil }

// Count implements expr.Leaves: it loads a count from where it lies and checks
// it against its max.
func (c *sizeCompiler) Count(ref int) (expr.Code, error) {
	count := &c.in.seq.Counts[ref]
	code, err := expr.Compile(count.Index, c)
	if err != nil {
		return expr.Code{}, err
	}
	words := slices.Clip(code.Words)
	width := uint32(c.in.seq.Types[c.in.seq.Buffers[count.At].Type].Size)
	if c.in.classes[count.At].class == Dynamic {
		words = append(words, uint64(abi.OpLoadSlot.With(width)), c.slot[count.At])
	} else {
		var offset uint64
		if c.offsets != nil {
			offset = c.offsets[count.At]
		}
		words = append(words, uint64(abi.OpLoad.With(width)), offset, c.in.sizes[count.At])
	}
	if count.Max == nil {
		return expr.Code{Words: words, Stack: code.Stack}, nil
	}
	bound, err := expr.Compile(count.Max, c)
	if err != nil {
		return expr.Code{}, err
	}
	words = append(append(words, bound.Words...), uint64(abi.OpCheckMax))
	return expr.Code{Words: words, Stack: max(code.Stack, 1+bound.Stack)}, nil
}
