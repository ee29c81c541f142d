package planner_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/verify"
	"github.com/seqplan/seqplan/sequences"
)

func velo(t testing.TB) *sequences.Sequence {
	data, err := os.ReadFile("testdata/velo.yaml")
	require.NoError(t, err)
	return read(t, data)
}

func makePlan(t testing.TB, seq *sequences.Sequence) *planner.Plan {
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return p
}

// The figures of a small sequence, by hand.
func TestMake(t *testing.T) {
	p := makePlan(t, velo(t))
	require.Equal(t, "velo", p.Name)
	require.Equal(t, "test.yaml", p.Source)
	require.Equal(t, "n_events", p.Batch)
	require.Equal(t, uint64(p.Hash), p.Layout.PlanHash)
	l := p.Layout
	require.Equal(t, []abi.Param{{Name: "n_events", Min: 1, Max: 1000}}, l.Params)
	require.Equal(t, 0, l.Batch)
	require.Equal(t, uint64(128), l.SlotsOffset)
	require.Equal(t, uint64(128+64), l.ExtentsOffset)
	require.Equal(t, uint64(128+64+64), l.ParamsOffset)
	require.Equal(t, uint64(128+64+64+64), l.ProgramOffset)
	require.Equal(t, uint64(512), l.ArenaAlign)
	require.Equal(t, []abi.SlotInfo{
		{Name: "clusters", Scope: abi.ScopeDevice, ElemSize: 12, Step: 1},
		{Name: "hit_used", Scope: abi.ScopeDevice, ElemSize: 1, Step: 1},
		{Name: "host_clusters", Scope: abi.ScopeHost, ElemSize: 12, Step: 2},
	}, l.Slots)

	// raw_banks 64 MiB and the 4004 bytes of offsets live together at step 0.
	device := p.Pools[sequences.Device]
	require.Equal(t, sequences.Bytes(65536000+4096+256000), device.LowerBound)
	require.Equal(t, sequences.StepID(1), device.PeakStep)
	require.True(t, device.Optimal)
	require.Equal(t, device.LowerBound, device.Height)
	require.Equal(t, sequences.Bytes(512), device.Align)
	require.Zero(t, device.Reserved%512)
	require.GreaterOrEqual(t, uint64(device.Reserved), l.ProgramOffset+8*uint64(len(l.Program)))
	require.Less(t, uint64(device.Reserved), l.ProgramOffset+8*uint64(len(l.Program))+512)
	require.Equal(t, uint64(device.Size), l.Device.Size)

	worst, typical := p.Arena.Worst, p.Arena.Typical
	require.Equal(t, sequences.Bytes(60000256+5000192), worst.Sum) // rounded to 512
	require.Equal(t, sequences.Bytes(15600128+1300480), typical.Sum)
	require.Equal(t, worst.Sum, worst.Peak)
	require.Equal(t, sequences.Bytes(60000000), worst.HostSum)
	require.Empty(t, p.Waits)
}

func TestProgram(t *testing.T) {
	p := makePlan(t, velo(t))
	l := p.Layout
	w := l.Program
	require.Equal(t, []uint64{abi.ProgramMagic, uint64(len(w)), 4, 3, 1, l.SlotsOffset, l.ParamsOffset, l.ExtentsOffset}, w[:8])
	entries := w[8 : 8+4*5]
	releases := uint64(8 + 4*5)
	allocs := releases + 2
	code := allocs + 6*3
	require.Equal(t, []uint64{
		releases, 0, allocs, 0,
		releases, 0, allocs, 2,
		releases, 0, allocs + 12, 1,
		releases, 2, allocs + 18, 0, // hit_used and host_clusters end before step 3
		releases + 2, 0, allocs + 18, 0, // clusters is an output
	}, entries)
	require.Equal(t, []uint64{1, 2}, w[releases:allocs])
	offsets := l.Buffers[slices.IndexFunc(l.Buffers, func(b abi.StaticBuffer) bool { return b.Name == "cluster_offsets" })]
	clusters := []uint64{
		uint64(abi.OpParam.With(0)),
		uint64(abi.OpLoad.With(4)), offsets.Offset, 4004,
		uint64(abi.OpParam.With(0)), uint64(abi.OpConst), 5000, uint64(abi.OpMul), uint64(abi.OpCheckMax),
	}
	twelve := []uint64{uint64(abi.OpConst), 12, uint64(abi.OpMul)}
	require.Equal(t, slices.Concat(clusters, twelve, clusters, clusters, twelve), w[code:])
	require.Equal(t, []uint64{0, 0, 0, code, 12, 0, 1, 0, 0, code + 12, 9, 0}, w[allocs:allocs+12])
	require.Equal(t, []uint64{2, abi.AllocHost, 0, code + 21, 12, 0}, w[allocs+12:allocs+18])
	require.Equal(t, []bool{false, true, true, true}, []bool{l.Steps[0].Dynamic, l.Steps[1].Dynamic, l.Steps[2].Dynamic, l.Steps[3].Dynamic})
}

func TestInPlace(t *testing.T) {
	seq := read(t, []byte(`
seqplan: 1
name: inplace
params: {n: {min: 1, max: 100}}
counts:
  m: {at: "o[n]", max: "n * 9"}
steps:
  - name: s0
    writes:
      o: {type: u32, count: "n + 1"}
      a: {type: u8, count: "n"}
  - name: s1
    reads: [a]
    writes:
      b: {type: u8, count: "n * 30", in_place_of: a, align: 1024}
      x: {type: u32, count: "m"}
  - name: s2
    reads: [x, b]
    writes:
      y: {type: u16, count: "m + m", in_place_of: x}
  - name: s3
    reads: [y]
    writes:
      z: {type: u8, count: "n"}
  - name: s4
    reads: [z]
`))
	p := makePlan(t, seq)
	byName := map[string]planner.Buffer{}
	for _, b := range p.Buffers {
		byName[b.Name] = b
	}
	require.Equal(t, byName["a"].Offset, byName["b"].Offset)
	require.Zero(t, byName["a"].Offset%1024)
	require.Equal(t, planner.Interval{First: 0, End: 3}, byName["a"].Lifetime)
	require.Equal(t, "x", byName["y"].InPlaceOf)
	require.Equal(t, sequences.Bytes(3600+240), p.Arena.Worst.Sum)
	require.Equal(t, p.Arena.Worst.Sum, p.Arena.Worst.Peak)
	w := p.Layout.Program
	entry := w[abi.HeaderWords+2*abi.StepWords:]
	require.Equal(t, []uint64{1, abi.AllocInPlace, 0}, w[entry[2]:entry[2]+3])
	end := w[abi.HeaderWords+4*abi.StepWords:]
	require.Equal(t, []uint64{0, 1 | abi.ReleaseSlotOnly}, w[end[0]:end[0]+end[1]], "the memory of both is that of the first")
}

func TestJSON(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 7))
		p, err := planner.Make(read(t, randseq.YAML(r, randseq.Small(r))), planner.Options{})
		if err != nil {
			continue
		}
		var out bytes.Buffer
		require.NoError(t, p.WriteJSON(&out))
		text := out.String()
		q, err := planner.ReadPlan(&out)
		require.NoError(t, err)
		require.Nil(t, q.Layout)
		require.Nil(t, q.Packings)
		q.Layout, q.Packings = p.Layout, p.Packings
		require.True(t, reflect.DeepEqual(p, q), "%s", text)
		require.Contains(t, text, fmt.Sprintf(`"hash": "%016x"`, uint64(p.Hash)))
		require.Contains(t, text, `"class": "static"`)
	}
}

func TestReadPlanRefuses(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, makePlan(t, velo(t)).WriteJSON(&out))
	good := out.String()
	for name, tc := range map[string]struct{ old, new, want string }{
		"another version": {`"seqplan_plan": 1`, `"seqplan_plan": 2`, "version 2"},
		"no version":      {`"seqplan_plan": 1`, `"seqplan": 1`, "version 0"},
		"unknown field":   {`"name": "velo"`, `"nome": "velo"`, "nome"},
		"unknown class":   {`"class": "dynamic"`, `"class": "elastic"`, "elastic"},
		"unknown scope":   {`"scope": "host"`, `"scope": "moon"`, "moon"},
		"unknown kind":    {`"kind": "write"`, `"kind": "wrote"`, "wrote"},
		"bad hash":        {`"hash": "`, `"hash": "x`, "hash"},
		"a value too big": {`"workers": 1`, `"workers": 99999999999999999999`, "workers"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, good, tc.old)
			_, err := planner.ReadPlan(strings.NewReader(strings.Replace(good, tc.old, tc.new, 1)))
			require.ErrorContains(t, err, tc.want)
		})
	}
	_, err := planner.ReadPlan(strings.NewReader(`{"seqplan_plan": 1}`))
	require.ErrorIs(t, err, planner.ErrFormat, "a plan without pools")
	_, err = planner.ReadPlan(strings.NewReader(strings.Replace(good, `"seqplan_plan": 1`, `"seqplan_plan": 2`, 1)))
	require.ErrorIs(t, err, planner.ErrFormat)
}

func FuzzReadPlan(f *testing.F) {
	f.Add([]byte(`{"seqplan_plan": 1, "name": "a", "pools": [{"scope": "host"}]}`))
	f.Add([]byte(`{"seqplan_plan": 1, "hash": "0123456789abcdef", "buffers": [{"class": "dynamic", "kind": "scratch"}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := planner.ReadPlan(bytes.NewReader(data))
		if err != nil {
			return
		}
		require.Equal(t, planner.PlanFormat, p.Format)
		require.NoError(t, p.WriteJSON(&bytes.Buffer{}))
	})
}

// The hash changes with the layout, and with nothing else.
func TestHash(t *testing.T) {
	data, err := os.ReadFile("testdata/velo.yaml")
	require.NoError(t, err)
	base := makePlan(t, read(t, data)).Hash
	other, diags := sequences.Read("elsewhere/other.yaml", []byte("# a comment\n"+string(data)))
	require.NoError(t, diags.Err())
	require.Equal(t, base, makePlan(t, other).Hash)
	seen := map[planner.Hash]string{base: "base"}
	for _, change := range [][2]string{
		{"max: 1000}", "max: 1001}"},
		{"n_events * 64", "n_events * 65"},
		{"name: velo", "name: velo2"},
		{"name: cluster\n", "name: cluster_\n"},
		{"hit_used", "hit_user"},
		{"size: 12", "size: 16"},
		{"align: 512", "align: 1024"},
		{"n_events * 5000", "n_events * 5001"},
		{"max_tracks: 400", "max_tracks: {min: 1, max: 400}"},
	} {
		require.Contains(t, string(data), change[0])
		h := makePlan(t, read(t, []byte(strings.ReplaceAll(string(data), change[0], change[1])))).Hash
		require.NotContains(t, seen, h, "%v", change)
		seen[h] = change[1]
	}
}

func TestMutatedLifetimesAreRefused(t *testing.T) {
	seq := velo(t)
	_, err := planner.Make(seq, planner.Options{MutateLifetimes: func(l []planner.Interval) {
		for b := range l {
			if seq.Buffers[b].Name == "raw_banks" {
				l[b].End = 1
			}
		}
	}})
	var faults verify.Faults
	require.ErrorAs(t, err, &faults)
	require.Equal(t, verify.Overlap, faults[0].Kind)
}

type brokenPacker struct{ result pack.Result }

func (b brokenPacker) Pack(context.Context, pack.Problem) (pack.Result, error) { return b.result, nil }

func TestBrokenPacker(t *testing.T) {
	_, err := planner.Make(velo(t), planner.Options{Packer: brokenPacker{}})
	require.ErrorContains(t, err, "placed 0 of")
	_, err = planner.Make(velo(t), planner.Options{Packer: brokenPacker{pack.Result{Offsets: make([]uint64, 5)}}})
	require.Error(t, err)
}

// Offsets past 4 GiB.
func TestLargePools(t *testing.T) {
	seq, err := planner.WithParam(velo(t), "n_events", 1, 200_000)
	require.NoError(t, err)
	p := makePlan(t, seq)
	require.Greater(t, uint64(p.Pools[sequences.Device].Size), uint64(12)<<30)
	_, err = planner.WithParam(seq, "n_hits", 1, 2)
	require.ErrorContains(t, err, "n_hits")
	_, err = planner.WithParam(seq, "n_events", 2, 1)
	require.Error(t, err)
}
