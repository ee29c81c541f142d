package verify_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/verify"
	"github.com/seqplan/seqplan/sequences"
)

// sample has at least one of everything that the verifier looks at.
const sample = `
seqplan: 1
name: sample
params:
  n_events: {min: 1, max: 100}
  cut: {min: 2, max: 9}
  width: 4
counts:
  n_hits: {at: "offsets[n_events]", max: "n_events * 50", typical: "n_events * 10"}
  n_tracks: {at: "track_offsets[0]", max: "n_events * 20", typical: "n_events"}
inputs:
  raw: {type: u8, count: "n_events * 64"}
steps:
  - name: decode
    reads: [raw]
    writes:
      offsets: {type: u32, count: "n_events + 1"}
      banks: {type: u32, count: "n_events * width"}
      sizes: {type: u32, count: n_events, scope: host}
  - name: cluster
    reads: [banks, offsets]
    writes:
      hits: {type: f32, count: "n_hits * 3"}
      track_offsets: {type: u32, count: "n_hits + 1"}
      moved: {type: u32, count: "n_events * width * 2", in_place_of: banks}
    scratch:
      work: {type: u64, count: "n_events * cut", align: 512}
  - name: sorted
    reads: [hits, moved]
    writes:
      order: {type: f32, count: "n_hits * 3", in_place_of: hits}
      late: {type: u8, count: "n_events * 512"}
  - name: monitor
    on: host
    reads: [sizes]
    writes:
      summary: {type: u32, count: n_events, scope: host}
  - name: track
    reads: [order, late, summary]
    writes:
      tracks: {type: f32, count: "n_tracks * 5"}
      names: {type: u8, count: "n_tracks", scope: host}
      state: {type: u64, count: 8, keep: true}
  - name: finish
    reads: [tracks]
    writes:
      out: {type: f32, count: "n_events"}
outputs: [out]
`

func plan(t testing.TB, data []byte) (*sequences.Sequence, *abi.Layout) {
	t.Helper()
	seq, diags := sequences.Read("sample.yaml", data)
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, p.Layout
}

func clone(l *abi.Layout) *abi.Layout {
	c := *l
	c.Params, c.Program = slices.Clone(l.Params), slices.Clone(l.Program)
	c.Buffers, c.Slots, c.Steps = slices.Clone(l.Buffers), slices.Clone(l.Slots), slices.Clone(l.Steps)
	return &c
}

func static(t testing.TB, l *abi.Layout, name string) *abi.StaticBuffer {
	i := slices.IndexFunc(l.Buffers, func(b abi.StaticBuffer) bool { return b.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return &l.Buffers[i]
}

// loads returns the word indexes of the load instructions of a program.
func loads(l *abi.Layout, code abi.Op) []int {
	var out []int
	for at := range l.Program {
		a := allocAt(l, at)
		if a == nil {
			continue
		}
		for i := int(a[3]); i < int(a[3]+a[4]); i += 1 + abi.Op(l.Program[i]).Immediates() {
			if abi.Op(l.Program[i]).Code() == code {
				out = append(out, i)
			}
		}
	}
	return out
}

// allocAt returns the allocation record that starts at a word, or nil.
func allocAt(l *abi.Layout, word int) []uint64 {
	for s := range len(l.Steps) + 1 {
		e := l.Program[abi.HeaderWords+s*abi.StepWords:]
		for i := range int(e[3]) {
			if at := int(e[2]) + i*abi.AllocWords; at == word {
				return l.Program[at : at+abi.AllocWords]
			}
		}
	}
	return nil
}

// bound is the word of the constant in the max of the first count that is checked:
// param, const, its value, mul, check_max.
func bound(l *abi.Layout) int {
	for at := range l.Program {
		if at > 2 && abi.Op(l.Program[at]).Code() == abi.OpCheckMax && abi.Op(l.Program[at-1]) == abi.OpMul && abi.Op(l.Program[at-3]) == abi.OpConst {
			return at - 2
		}
	}
	return -1
}

// Two counts in one element, of which one has no max, are one load that may be used
// with and without a check.
func TestSharedElement(t *testing.T) {
	seq, l := plan(t, []byte(`
seqplan: 1
name: shared
params: {n: {min: 1, max: 9}}
counts:
  any: {at: "totals[0]", typical: 5}
  few: {at: "totals[0]", max: "n * 10"}
  fewer: {at: "totals[0]", max: "n * 7"}
steps:
  - name: count
    writes:
      totals: {type: u32, count: 1}
  - name: use
    reads: [totals]
    writes:
      a: {type: u8, count: any}
      b: {type: u8, count: few}
      c: {type: u8, count: fewer}
`))
	require.NoError(t, verify.Check(seq, l))
	i := bound(l)
	require.Equal(t, uint64(10), l.Program[i])
	l = clone(l)
	l.Program[i] = 11
	require.ErrorContains(t, verify.Check(seq, l), "the max of no count")
}

func TestSampleIsFine(t *testing.T) {
	seq, l := plan(t, []byte(sample))
	require.NoError(t, verify.Check(seq, l))
	require.NotEmpty(t, loads(l, abi.OpLoad))
	require.NotEmpty(t, loads(l, abi.OpLoadSlot))
	require.Equal(t, "no faults", verify.Faults(nil).Error())
}

// For every guard, a layout that only this guard refuses.
func TestGuards(t *testing.T) {
	entry := func(l *abi.Layout, step int) []uint64 { return l.Program[abi.HeaderWords+step*abi.StepWords:] }
	firstAlloc := func(l *abi.Layout, step int) []uint64 { return l.Program[entry(l, step)[2]:] }
	for _, tc := range []struct {
		name   string
		kind   verify.Kind
		buffer string
		change func(t *testing.T, l *abi.Layout)
	}{
		{"a shifted offset", verify.Misaligned, "late", func(t *testing.T, l *abi.Layout) { static(t, l, "late").Offset += 128 }},
		{"a lowered alignment", verify.Misaligned, "work", func(t *testing.T, l *abi.Layout) { static(t, l, "work").Align = 256 }},
		{"an alignment of zero", verify.Misaligned, "work", func(t *testing.T, l *abi.Layout) { static(t, l, "work").Align = 0 }},
		{"the base of the pool", verify.Misaligned, "device pool", func(_ *testing.T, l *abi.Layout) { l.Device.Align = 256 }},
		{"the arena", verify.Misaligned, "arena", func(_ *testing.T, l *abi.Layout) { l.ArenaAlign = 128 }},
		{"a ragged pool", verify.Misaligned, "host pool", func(_ *testing.T, l *abi.Layout) { l.Host.Size++ }},
		{"a shrunk pool", verify.OutOfPool, "late", func(_ *testing.T, l *abi.Layout) { l.Device.Size -= l.Device.Align * 50 }},
		{"an offset near 2^64", verify.OutOfPool, "out", func(t *testing.T, l *abi.Layout) { static(t, l, "out").Offset = ^uint64(255) }},
		{"an overlap", verify.Overlap, "state", func(t *testing.T, l *abi.Layout) { static(t, l, "state").Offset = static(t, l, "late").Offset }},
		{"inside the reserved areas", verify.Reserved, "step program", func(t *testing.T, l *abi.Layout) { static(t, l, "state").Offset = 512 }},
		{"overlapping areas", verify.Reserved, "", func(_ *testing.T, l *abi.Layout) { l.ParamsOffset = l.ProgramOffset }},
		{"a size too small", verify.TooSmall, "late", func(t *testing.T, l *abi.Layout) { static(t, l, "late").Size-- }},
		{"out of place", verify.NotInPlace, "moved", func(t *testing.T, l *abi.Layout) { static(t, l, "moved").Offset -= 256 }},
		{"a load offset", verify.BadLoad, "hits", func(_ *testing.T, l *abi.Layout) { l.Program[loads(l, abi.OpLoad)[0]+1] += 4 }},
		{"a load size", verify.BadLoad, "hits", func(_ *testing.T, l *abi.Layout) { l.Program[loads(l, abi.OpLoad)[0]+2]-- }},
		{"a load width", verify.BadLoad, "hits", func(_ *testing.T, l *abi.Layout) {
			l.Program[loads(l, abi.OpLoad)[0]] = uint64(abi.OpLoad.With(8))
		}},
		{"a load slot", verify.BadLoad, "tracks", func(_ *testing.T, l *abi.Layout) { l.Program[loads(l, abi.OpLoadSlot)[0]+1]-- }},
		{"the code of a size", verify.BadProgram, "hits", func(_ *testing.T, l *abi.Layout) {
			a := firstAlloc(l, 1)
			l.Program[a[3]+a[4]-2]++ // the element size
		}},
		{"a short program", verify.BadProgram, "step program", func(_ *testing.T, l *abi.Layout) { l.Program = l.Program[:10] }},
		{"the header", verify.BadProgram, "step program", func(_ *testing.T, l *abi.Layout) { l.Program[3]++ }},
		{"an entry out of range", verify.BadProgram, "step program", func(_ *testing.T, l *abi.Layout) { entry(l, 1)[2] = 1 << 40 }},
		{"code out of range", verify.BadProgram, "hits", func(_ *testing.T, l *abi.Layout) { firstAlloc(l, 1)[4] = 1 << 40 }},
		{"the wrong slot", verify.BadProgram, "", func(_ *testing.T, l *abi.Layout) { firstAlloc(l, 1)[0] = 99 }},
		{"an allocation that is missing", verify.BadProgram, "tracks", func(_ *testing.T, l *abi.Layout) { e := entry(l, 4); e[2] += abi.AllocWords; e[3]-- }},
		{"a host buffer without its flag", verify.BadProgram, "names", func(_ *testing.T, l *abi.Layout) { firstAlloc(l, 4)[abi.AllocWords+1] = 0 }},
		{"in place without its base", verify.BadProgram, "order", func(_ *testing.T, l *abi.Layout) { firstAlloc(l, 2)[2] = 1 }},
		{"a release that comes early", verify.BadProgram, "order", func(_ *testing.T, l *abi.Layout) {
			// Let the step that reads it release it: the slot of order, first released after.
			from, to := entry(l, 5), entry(l, 4)
			to[0], to[1] = from[0], from[1]
			from[1] = 0
		}},
		{"a release of taken memory", verify.BadProgram, "hits", func(_ *testing.T, l *abi.Layout) {
			// The memory of hits goes when order has it.
			from, to := entry(l, 5), entry(l, 4)
			to[0], to[1] = from[0], 1
		}},
		{"a release without the memory", verify.BadProgram, "hits", func(_ *testing.T, l *abi.Layout) { l.Program[entry(l, 5)[0]] |= abi.ReleaseSlotOnly }},
		{"a release with the memory of another", verify.BadProgram, "order", func(_ *testing.T, l *abi.Layout) { l.Program[entry(l, 5)[0]+2] &^= abi.ReleaseSlotOnly }},
		{"a release at the end", verify.BadProgram, "tracks", func(_ *testing.T, l *abi.Layout) {
			end := entry(l, 6)
			end[0], end[1] = entry(l, 4)[2], 1 // the word of its slot
		}},
		{"a bound that is loosened", verify.BadProgram, "hits", func(_ *testing.T, l *abi.Layout) { l.Program[bound(l)]++ }},
		{"a bound that is lowered", verify.BadProgram, "hits", func(_ *testing.T, l *abi.Layout) { l.Program[bound(l)]-- }},
		{"a count that is clamped", verify.BadProgram, "hits", func(_ *testing.T, l *abi.Layout) { l.Program[bound(l)+2] = uint64(abi.OpMin) }},
		{"an argument where there is none", verify.BadProgram, "hits", func(_ *testing.T, l *abi.Layout) {
			l.Program[bound(l)-1] = uint64(abi.OpConst.With(1))
		}},
		{"an unknown rule", verify.BadProgram, "hits", func(_ *testing.T, l *abi.Layout) { firstAlloc(l, 1)[5] = ^uint64(0) }},
		{"a release of nothing", verify.BadProgram, "step program", func(_ *testing.T, l *abi.Layout) { l.Program[entry(l, 5)[0]] = 99 }},
		{"the dynamic flag of a step", verify.BadProgram, "decode", func(_ *testing.T, l *abi.Layout) { l.Steps[0].Dynamic = true }},
		{"a wait that is missing", verify.Race, "sizes", func(_ *testing.T, l *abi.Layout) { l.Steps[3].Wait = false }},
		{"a buffer that is missing", verify.Incomplete, "out", func(_ *testing.T, l *abi.Layout) { l.Buffers = l.Buffers[:len(l.Buffers)-1] }},
		{"a buffer twice", verify.Incomplete, "raw", func(_ *testing.T, l *abi.Layout) { l.Buffers = append(l.Buffers, l.Buffers[0]) }},
		{"an unknown buffer", verify.Incomplete, "ghost", func(_ *testing.T, l *abi.Layout) { l.Buffers = append(l.Buffers, abi.StaticBuffer{Name: "ghost"}) }},
		{"the class", verify.Incomplete, "hits", func(_ *testing.T, l *abi.Layout) {
			l.Buffers = append(l.Buffers, abi.StaticBuffer{Name: "hits", ElemSize: 4})
		}},
		{"the scope", verify.Incomplete, "sizes", func(t *testing.T, l *abi.Layout) { static(t, l, "sizes").Scope = abi.ScopeDevice }},
		{"the element size", verify.Incomplete, "out", func(t *testing.T, l *abi.Layout) { static(t, l, "out").ElemSize = 8 }},
		{"the order of the slots", verify.Incomplete, "hits", func(_ *testing.T, l *abi.Layout) { l.Slots[0], l.Slots[1] = l.Slots[1], l.Slots[0] }},
		{"the steps", verify.Incomplete, "track", func(_ *testing.T, l *abi.Layout) { l.Steps[4].Host = true }},
		{"the number of steps", verify.Incomplete, "sample", func(_ *testing.T, l *abi.Layout) { l.Steps = l.Steps[:3] }},
		{"a parameter", verify.Incomplete, "cut", func(_ *testing.T, l *abi.Layout) { l.Params[1].Max = 8 }},
		{"the number of parameters", verify.Incomplete, "sample", func(_ *testing.T, l *abi.Layout) { l.Params = l.Params[:1] }},
		{"the batch size", verify.Incomplete, "sample", func(_ *testing.T, l *abi.Layout) { l.Batch = 1 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			seq, l := plan(t, []byte(sample))
			l = clone(l)
			tc.change(t, l)
			err := verify.Check(seq, l)
			var faults verify.Faults
			require.True(t, errors.As(err, &faults), "%v", err)
			require.True(t, slices.ContainsFunc(faults, func(f verify.Fault) bool {
				return f.Kind == tc.kind && (tc.buffer == "" || f.Buffer == tc.buffer || f.Other == tc.buffer)
			}), "%v", faults)
			require.NotEmpty(t, err.Error())
			var one verify.Fault
			require.True(t, errors.As(err, &one))
		})
	}
}

// The verifier refuses every plan that was packed with a lifetime shortened, if
// the packer used the bytes.
func TestShortenedLifetimes(t *testing.T) {
	caught := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		data := randseq.YAML(r, randseq.Config{Steps: 8, Buffers: 24, HostBuffers: 0.3, HostSteps: 0.2, Dynamic: 0.2, Special: 0.1})
		seq, diags := sequences.Read("random.yaml", data)
		require.NoError(t, diags.Err())
		good, err := planner.Make(seq, planner.Options{})
		if err != nil {
			continue
		}
		for b := range good.Buffers {
			if l := good.Buffers[b].Lifetime; l.End-l.First < 2 || good.Buffers[b].Class == planner.Dynamic || taker(good, b) != nil {
				continue // the end of storage that is taken over is that of the taker
			}
			bad, err := planner.Make(seq, planner.Options{SkipVerify: true, MutateLifetimes: func(l []planner.Interval) { l[b].End-- }})
			require.NoError(t, err)
			err = verify.Check(seq, bad.Layout)
			if overlap(good, bad, b) {
				require.Error(t, err, "seed %d, %s", seed, good.Buffers[b].Name)
				caught++
			} else {
				require.NoError(t, err, "seed %d, %s", seed, good.Buffers[b].Name)
			}
		}
	}
	require.Greater(t, caught, 50)
}

// taker is the buffer that takes over the storage of another one, or nil.
func taker(p *planner.Plan, b int) *planner.Buffer {
	i := slices.IndexFunc(p.Buffers, func(o planner.Buffer) bool { return o.InPlaceOf == p.Buffers[b].Name })
	if i < 0 {
		return nil
	}
	return &p.Buffers[i]
}

// lifetime is that of a buffer without what takes over its storage.
func lifetime(p *planner.Plan, b int) planner.Interval {
	l := p.Buffers[b].Lifetime
	if t := taker(p, b); t != nil {
		l.End = t.Lifetime.First + 1
	}
	return l
}

// overlap compares pair by pair the places of the bad plan with the lifetimes of
// the good one.
func overlap(good, bad *planner.Plan, b int) bool {
	x := bad.Buffers[b]
	root := func(p *planner.Plan, i int) string {
		for p.Buffers[i].InPlaceOf != "" {
			i = slices.IndexFunc(p.Buffers, func(o planner.Buffer) bool { return o.Name == p.Buffers[i].InPlaceOf })
		}
		return p.Buffers[i].Name
	}
	for i, y := range bad.Buffers {
		if i != b && y.Class == planner.Static && y.Scope == x.Scope && root(bad, i) != root(bad, b) &&
			lifetime(good, i).Overlaps(lifetime(good, b)) &&
			x.Offset < y.Offset+y.Max && y.Offset < x.Offset+x.Max {
			return true
		}
	}
	return false
}

func BenchmarkCheck(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	seq, l := plan(b, randseq.YAML(r, randseq.Config{Steps: 2000, Buffers: 20000, Dynamic: 0.3}))
	for b.Loop() {
		require.NoError(b, verify.Check(seq, l))
	}
}
