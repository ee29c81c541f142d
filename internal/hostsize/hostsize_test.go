package hostsize_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/hostsize"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

const text = `
seqplan: 1
name: nested
params: {n_events: {min: 1, max: 8}}
counts:
  a: {at: "x[n_events]", max: "n_events * 10"}
  b: {at: "p[n_events + 1]", max: 200}
  c: {at: "x[n_events]", max: "n_events * 9"}
steps:
  - {name: s0, writes: {x: {type: u32, count: "n_events + 1"}}}
  - {name: s1, writes: {o: {type: u8, count: a}, p: {type: u16, count: "a + 9"}}}
  - {name: s2, reads: [p, x], writes: {q: {type: u32, count: "b - a"}}}
  - {name: s3, reads: [q], writes: {r: {type: u8, count: "c + n_events"}}}
`

func planned(t *testing.T, text string) (*sequences.Sequence, *planner.Plan) {
	t.Helper()
	seq, diags := sequences.Read("s.yaml", []byte(text))
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, plan
}

func compiled(t *testing.T, seq *sequences.Sequence, plan *planner.Plan, events uint64) (*hostsize.Program, error) {
	t.Helper()
	at, params, err := play.At(seq, events)
	require.NoError(t, err)
	return hostsize.Compile(seq, plan, at, params)
}

// TestProgram: each count is read once, before the first step that needs it.
func TestProgram(t *testing.T) {
	seq, plan := planned(t, text)
	p, err := compiled(t, seq, plan, 3)
	require.NoError(t, err)
	x, o := plan.Buffers[0], plan.Buffers[2]
	require.Equal(t, "x", x.Name)
	require.Equal(t, "p", o.Name)
	require.Equal(t, []hostsize.Cell{
		{Buffer: 0, Slot: -1, Index: 3, At: uint64(x.Offset) + 12, Width: 4}, // c lies there too
		{Buffer: 2, Slot: o.Slot, Index: 4, At: 8, Width: 2},
	}, p.Cells)
	require.Len(t, p.Steps, 5, "with the end step")
	var reads [][]int
	for _, s := range p.Steps {
		reads = append(reads, s.Reads)
		require.False(t, s.Wait)
	}
	require.Equal(t, [][]int{nil, {0}, {1}, nil, nil}, reads)

	counts := []uint64{20, 30}
	for slot, want := range []uint64{20, 2 * 29, 4 * 10, 23} {
		size, err := find(p, slot).Run(p.Params, counts)
		require.NoError(t, err)
		require.Equal(t, want, size, "slot %d", slot)
	}
	require.True(t, find(p, 2).Loads(0) && find(p, 2).Loads(1))
	require.False(t, find(p, 3).Loads(1))

	_, err = find(p, 2).Run(p.Params, []uint64{31, 30})
	var over *hostsize.OverMaxError
	require.ErrorAs(t, err, &over)
	require.Equal(t, &hostsize.OverMaxError{Cell: 0, Value: 31, Max: 30}, over)
	require.EqualError(t, err, "the count 31 is above its max 30")
	_, err = find(p, 2).Run(p.Params, []uint64{1, 201})
	require.ErrorAs(t, err, &over)
	require.Equal(t, &hostsize.OverMaxError{Cell: 1, Value: 201, Max: 200}, over)
	_, err = find(p, 3).Run(p.Params, []uint64{28, 0})
	require.ErrorAs(t, err, &over, "two counts in one cell have each its own max")
	require.EqualValues(t, 27, over.Max)
	_, err = find(p, 2).Run(p.Params, []uint64{20, 10})
	require.ErrorIs(t, err, checked.ErrNegative)
}

func find(p *hostsize.Program, slot int) *hostsize.Alloc {
	for s := range p.Steps {
		for i := range p.Steps[s].Allocs {
			if a := &p.Steps[s].Allocs[i]; a.Slot == uint64(slot) {
				return a
			}
		}
	}
	return nil
}

// TestForeignPrograms: a program that does not belong to the sequence is refused.
func TestForeignPrograms(t *testing.T) {
	seq, plan := planned(t, text)
	layout := *plan.Layout
	bad := *plan
	bad.Layout, layout.Program = &layout, nil
	_, err := compiled(t, seq, &bad, 3)
	require.ErrorIs(t, err, abi.ErrProgram)

	layout.Program = slices.Clone(plan.Layout.Program)
	program, err := abi.DecodeProgram(layout.Program)
	require.NoError(t, err)
	code := program.Steps[1].Allocs[0].Code
	load := slices.IndexFunc(code, func(w uint64) bool { return abi.Op(w).Code() == abi.OpLoad })
	code[load+1] += 64 // where another buffer may lie
	_, err = compiled(t, seq, &bad, 3)
	require.ErrorIs(t, err, abi.ErrProgram)
	require.ErrorContains(t, err, "buffer o: ")
}

// TestReader brings counts of each width, and waits once for all.
func TestReader(t *testing.T) {
	dev := host.New(host.Options{})
	mem, err := dev.Alloc(64)
	require.NoError(t, err)
	s, err := dev.NewStream()
	require.NoError(t, err)
	bytes := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	require.NoError(t, s.CopyToDevice(mem, bytes))
	p := &hostsize.Program{
		Cells: []hostsize.Cell{{Width: 1}, {Width: 2}, {Width: 4}, {Width: 8}},
		Steps: []hostsize.Step{{}, {Reads: []int{3, 1}}, {Wait: true}, {Reads: []int{0, 2}}},
	}
	r, err := hostsize.NewReader(dev, len(p.Cells))
	require.NoError(t, err)
	counted := &waits{Stream: s}
	for step, want := range []int{0, 1, 2, 3} {
		require.NoError(t, r.Read(counted, p, step, func(int) (kernels.Addr, error) { return mem, nil }))
		require.Equal(t, want, counted.n)
	}
	require.Equal(t, []uint64{1, 0x201, 0x4030201, 0x807060504030201}, r.Counts)
	lost := errors.New("lost")
	require.ErrorIs(t, r.Read(counted, p, 1, func(int) (kernels.Addr, error) { return 0, lost }), lost)
	require.NoError(t, errors.Join(r.Close(), s.Close(), dev.Free(mem), dev.Close()))
}

type waits struct {
	kernels.Stream
	n int
}

func (w *waits) Synchronize() error {
	w.n++
	return w.Stream.Synchronize()
}
