package hlt1_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// values evaluates the sizes of a sequence at one batch size, with every count
// at its typical or at its largest value.
type values struct {
	seq    *sequences.Sequence
	events uint64
	most   bool
}

func (v values) Param(ref int) (uint64, error) {
	p := v.seq.Params[ref]
	if p.Fixed() {
		return p.Min, nil
	}
	return v.events, nil
}

func (v values) Count(ref int) (uint64, error) {
	c := v.seq.Counts[ref]
	if v.most {
		return expr.Eval(c.Max, v)
	}
	return expr.Eval(c.Typical, v)
}

func (v values) CountOf(ref int) (uint64, error) { return expr.Eval(v.seq.Buffers[ref].Count, v) }

func (v values) eval(t *testing.T, n *expr.Node) uint64 {
	t.Helper()
	x, err := expr.Eval(n, v)
	require.NoError(t, err)
	return x
}

func (v values) elements(t *testing.T, b sequences.BufferID) uint64 {
	t.Helper()
	return v.eval(t, v.seq.Buffers[b].Count)
}

func (v values) bytes(t *testing.T, b sequences.BufferID) uint64 {
	t.Helper()
	return v.elements(t, b) * uint64(v.seq.Types[v.seq.Buffers[b].Type].Size)
}

func (v values) count(t *testing.T, name string) uint64 {
	t.Helper()
	i := slices.IndexFunc(v.seq.Counts, func(c sequences.Count) bool { return c.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	x, err := v.Count(i)
	require.NoError(t, err)
	return x
}

func buffer(t *testing.T, seq *sequences.Sequence, name string) sequences.BufferID {
	t.Helper()
	i := slices.IndexFunc(seq.Buffers, func(b sequences.Buffer) bool { return b.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return sequences.BufferID(i)
}

func members(seq *sequences.Sequence, name string) []sequences.BufferID {
	for _, g := range seq.Groups {
		if g.Name == name {
			return g.Members
		}
	}
	return nil
}

func names(seq *sequences.Sequence, ids []sequences.BufferID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = seq.Buffers[id].Name
	}
	return out
}

// reach returns what a buffer holds pointers into, directly or in turn.
func reach(seq *sequences.Sequence, from sequences.BufferID) []sequences.BufferID {
	var out []sequences.BufferID
	for next := seq.Buffers[from].Views; len(next) > 0; next = next[1:] {
		if !slices.Contains(out, next[0]) {
			out = append(out, next[0])
			next = append(slices.Clone(next), seq.Buffers[next[0]].Views...)
		}
	}
	return out
}
