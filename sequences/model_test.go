package sequences_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// examples are all sequence files of the repository that must be valid.
func examples(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"starter.yaml": sequences.Starter()}
	for _, pattern := range []string{"examples/*.yaml", "hlt1/*.yaml", "streams/*.yaml", "testdata/valid/*"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, f := range files {
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			out[f] = data
		}
	}
	return out
}

func read(t testing.TB, text string) *sequences.Sequence {
	t.Helper()
	seq, diags := sequences.Read("test.yaml", []byte(text))
	require.NoError(t, diags.Err())
	return seq
}

func TestExamplesAreValid(t *testing.T) {
	for name, data := range examples(t) {
		seq, diags := sequences.Read(name, data)
		require.Empty(t, diags, name)
		checkModel(t, seq)
	}
}

// checkModel checks what every later pass relies on.
func checkModel(t tester, s *sequences.Sequence) {
	t.Helper()
	kinds := func(n *expr.Node, static bool) {
		expr.Walk(n, func(n *expr.Node) bool {
			require.LessOrEqual(t, n.Kind, expr.Max)
			require.NotZero(t, n.Pos.Line)
			switch n.Kind {
			case expr.Param:
				require.Equal(t, s.Params[n.Ref].Name, n.Ident)
			case expr.Count:
				require.False(t, static)
				require.Equal(t, s.Counts[n.Ref].Name, n.Ident)
			case expr.CountOf:
				require.False(t, static)
				require.Equal(t, s.Buffers[n.Ref].Name, n.Ident)
			}
			return true
		})
	}
	order := sequences.NewHappensBefore(s)
	step := -1
	for i, b := range s.Buffers {
		require.EqualValues(t, i, b.ID)
		require.NotNil(t, b.Count)
		require.GreaterOrEqual(t, int(b.Step), step, "buffers are in the order of their steps")
		step = int(b.Step)
		require.Equal(t, b.Kind == sequences.Input, b.Step == sequences.None)
		require.GreaterOrEqual(t, b.Align, max(s.Scope(b.Scope).Align, s.Types[b.Type].Align))
		kinds(b.Count, false)
		for _, at := range []*sequences.Bytes{b.Offset, b.Hint} {
			require.True(t, at == nil || *at%b.Align == 0)
		}
		for _, g := range b.Gaps {
			require.True(t, order.Before(g.After, g.Before))
			require.LessOrEqual(t, g.Low, g.High)
		}
		for _, shrink := range b.Shrinks {
			require.NotNil(t, shrink.Count)
			kinds(shrink.Count, true)
		}
		if len(b.Gaps)+len(b.Shrinks) > 0 {
			require.False(t, b.Keep || b.Kind == sequences.Scratch || b.InPlaceOf != sequences.None)
		}
	}
	for _, c := range s.Counts {
		require.NotNil(t, c.Index)
		require.True(t, s.Types[s.Buffers[c.At].Type].Unsigned)
		kinds(c.Index, true)
		kinds(c.Max, true)
		kinds(c.Typical, true)
	}
	require.NotEmpty(t, s.Streams)
	for i, st := range s.Steps {
		require.EqualValues(t, i, st.ID)
		for _, r := range st.Reads {
			w := s.Buffers[r].Step
			require.True(t, w == sequences.None || order.Before(w, st.ID))
		}
		require.Less(t, int(st.Stream), len(s.Streams))
		require.True(t, slices.IsSorted(st.After))
		for _, a := range st.After {
			require.Less(t, a, st.ID)
			require.NotEqual(t, s.Steps[a].Stream, st.Stream)
			require.False(t, s.Steps[a].Host)
		}
		if st.Host {
			require.Zero(t, st.Stream)
			require.Empty(t, st.After)
		}
		for _, w := range st.Writes {
			require.Equal(t, sequences.Write, s.Buffers[w].Kind)
		}
		for _, w := range st.Scratch {
			require.Equal(t, sequences.Scratch, s.Buffers[w].Kind)
		}
	}
	for _, g := range s.Groups {
		for _, m := range g.Members {
			require.Contains(t, s.Buffers[m].Groups, g.ID)
		}
	}
}

func TestModel(t *testing.T) {
	s := read(t, `
seqplan: 1
name: all
device: {align: 128, reuse: off, capacity: 2 GiB}
workers: 3
params: {k: 0x10, n: {min: 0, max: 7}, n_events: {min: 1, max: 9}, bytes: 4KiB}
types: {hit: {size: 12, align: 4, c: "Velo::Hit", include: <velo.h>, go: example.org/velo.Hit}}
counts: {m: {at: " o [ n + members(g) ] ", typical: 5}}
groups: {listed: [o, x]}
inputs: {o: {type: u16, count: n}}
steps:
  - name: first
    on: host
    reads: [o]
    writes:
      x: {type: hit, count: 2, group: [g, listed], align: 512}
      unused: {type: u8, count: 1, optional: true, group: g, views: [chained]}
      chained: {type: u8, count: "count_of(x)", optional: true, group: g}
      y: {type: u8, count: "size_of(x) + m", group: g}
    collect: all
  - name: second
    reads: [y?, nothing?, x]
    barrier: [all, g]
    writes:
      z: {type: f32, count: "sum_counts(g) + sum_counts(empty) + members(empty)", scope: host}
      w: {type: u8, count: 3, in_place_of: x, optional: true, group: empty}
    scratch:
      s: {type: u8, count: 1}
outputs: [z]
`)
	checkModel(t, s)
	require.Equal(t, sequences.ScopeOptions{Align: 128, Reuse: sequences.ReuseOff, Capacity: 2 << 30}, s.Device)
	require.Equal(t, sequences.ScopeOptions{Align: 64}, s.Host)
	require.Equal(t, 3, s.Workers)
	require.EqualValues(t, 2, s.Batch, "n_events, though n has a range too")
	require.EqualValues(t, 16, s.Params[0].Max)
	require.EqualValues(t, 4096, s.Params[3].Min)
	names := map[string]sequences.BufferID{}
	for _, b := range s.Buffers {
		names[b.Name] = b.ID
	}
	require.Equal(t, map[string]sequences.BufferID{"o": 0, "x": 1, "y": 2, "z": 3, "s": 4}, names,
		"w, unused, and chained, which only unused needs, are dropped")
	require.EqualValues(t, 512, s.Buffers[1].Align)
	require.Equal(t, "count_of(x) * 12 + m", s.Buffers[2].Count.String())
	require.Equal(t, "count_of(x) + count_of(y) + 0 + 0", s.Buffers[3].Count.String())
	require.Equal(t, "sum_counts(g) + sum_counts(empty) + members(empty)", s.Buffers[3].CountText)
	require.Equal(t, "n + 2", s.Counts[0].Index.String())
	require.Nil(t, s.Counts[0].Max)
	require.Equal(t, []sequences.BufferID{2, 1}, s.Steps[1].Reads)
	members := map[string][]sequences.BufferID{}
	for _, g := range s.Groups {
		members[g.Name] = g.Members
	}
	require.Equal(t, map[string][]sequences.BufferID{"listed": {0, 1}, "g": {1, 2}, "all": {0, 1, 2}, "empty": nil}, members)
	hit := s.Types[s.Buffers[1].Type]
	require.Equal(t, sequences.Type{ID: 14, Name: "hit", Size: 12, Align: 4, C: "Velo::Hit", Include: "<velo.h>", Go: "example.org/velo.Hit", Pos: hit.Pos}, hit)
}

// Streams, edges, places, gaps and shrinks.
func TestStreamsModel(t *testing.T) {
	s := read(t, string(examples(t)["testdata/valid/streams.yaml"]))
	require.Equal(t, []string{"copy", "main", "muon"}, s.Streams, "in order of first use")
	require.Equal(t, sequences.ReuseEvent, s.Device.Reuse)
	require.Equal(t, sequences.ReuseInternal, s.Host.Reuse)
	streams, after := map[string]sequences.StreamID{}, map[string][]sequences.StepID{}
	for _, st := range s.Steps {
		streams[st.Name] = st.Stream
		after[st.Name] = st.After
	}
	require.Equal(t, map[string]sequences.StreamID{
		"upload": 0, "velo.decode": 1, "velo.tracking": 1, "muon.decode": 2, "velo.fit": 1, "muon.match": 2, "check": 0, "summary": 1,
	}, streams)
	require.Equal(t, map[string][]sequences.StepID{
		"upload": nil, "velo.decode": {0}, "velo.tracking": nil, "muon.decode": {0}, "velo.fit": {0}, "muon.match": {0, 4}, "check": nil, "summary": nil,
	}, after)
	buffers := map[string]sequences.Buffer{}
	for _, b := range s.Buffers {
		buffers[b.Name] = b
	}
	require.Equal(t, new(sequences.Bytes), buffers["banks"].Offset)
	require.Nil(t, buffers["banks"].Hint)
	require.EqualValues(t, 0x10000, *buffers["muon_banks"].Hint)
	require.Nil(t, buffers["muon_banks"].Offset)
	gaps := buffers["velo_tracks"].Gaps
	require.Empty(t, cmp.Diff([]sequences.Gap{{After: 2, Before: 4}, {After: 4, Before: 7, Low: 1024, High: 2048}}, gaps, ignorePos))
	require.Equal(t, 45, gaps[0].Pos.Line)
	shrinks := buffers["velo_tracks"].Shrinks
	require.Len(t, shrinks, 2)
	require.EqualValues(t, 2, shrinks[0].After)
	require.Equal(t, "n_events * 300", shrinks[0].CountText)
	require.Equal(t, "n_events * 300", shrinks[0].Count.String())
	require.Equal(t, 49, shrinks[1].Pos.Line)

	plain := read(t, "seqplan: 1\nname: p\nsteps: [{name: s, writes: {b: {type: u8, count: 1}}}, {name: h, on: host}]\n")
	require.Equal(t, []string{"main"}, plain.Streams)
	hosts := read(t, "seqplan: 1\nname: p\nsteps: [{name: h, on: host, writes: {b: {type: u8, count: 1}}}]\n")
	require.Equal(t, []string{"main"}, hosts.Streams)
	require.Equal(t, "unknown", sequences.Reuse(9).String())
}

// Every policy and the words for it.
func TestReuse(t *testing.T) {
	for word, want := range map[string]sequences.Reuse{
		"on": sequences.ReuseEvent, "true": sequences.ReuseEvent, "event": sequences.ReuseEvent,
		"off": sequences.ReuseOff, "false": sequences.ReuseOff,
		"stream": sequences.ReuseStream, "internal": sequences.ReuseInternal,
	} {
		s := read(t, "seqplan: 1\nname: r\nhost: {reuse: "+word+"}\nsteps: [{name: s, writes: {b: {type: u8, count: 1}}}]\n")
		require.Equal(t, want, s.Host.Reuse, word)
		require.Equal(t, sequences.ReuseEvent, s.Device.Reuse)
		if word != "on" && word != "true" && word != "false" {
			require.Equal(t, word, want.String())
		}
	}
}

// The parameter that is the batch size.
func TestBatch(t *testing.T) {
	const steps = "\nsteps: [{name: s, writes: {b: {type: u8, count: 1}}}]\n"
	for params, want := range map[string]int{
		"{a: 1}": -1, "{a: 1, b: {min: 1, max: 2}}": 1, "{b: {min: 1, max: 2}, n_events: 5}": 0,
		"{b: {min: 1, max: 2}, n_events: {min: 1, max: 2}}":              1,
		"{b: {min: 1, max: 2, batch: true}, n_events: {min: 1, max: 2}}": 0,
	} {
		require.EqualValues(t, want, read(t, "seqplan: 1\nname: b\nparams: "+params+steps).Batch, params)
	}
}

// JSON and YAML of the same values give the same model.
func TestJSON(t *testing.T) {
	yaml := read(t, string(examples(t)["testdata/valid/same.yaml"]))
	json := read(t, string(examples(t)["testdata/valid/same.json"]))
	require.Empty(t, cmp.Diff(yaml, json, ignorePos))
}

// ignorePos compares models but for positions and the name of the file.
var ignorePos = cmp.Options{
	cmpopts.IgnoreTypes(diag.Pos{}), cmpopts.IgnoreFields(sequences.Sequence{}, "File"),
}

// Random sequences with all features are accepted.
func TestRandomSequences(t *testing.T) {
	for i := range 300 {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, randseq.Small(r)))
		require.NoError(t, diags.Err())
		checkModel(t, seq)
	}
}

func TestLoad(t *testing.T) {
	seq, data, diags := sequences.Load("examples/two_steps.yaml")
	require.Empty(t, diags)
	require.NotEmpty(t, data)
	require.Equal(t, "examples/two_steps.yaml", seq.File)

	seq, data, diags = sequences.Load("examples/missing.yaml")
	require.Nil(t, seq)
	require.Nil(t, data)
	require.Len(t, diags, 1)
	require.Equal(t, "examples/missing.yaml: error[SP0001]: cannot read the file: no such file or directory", diags[0].Error())
	_, _, diags = sequences.Load("examples")
	require.Equal(t, sequences.CodeRead, diags[0].Code)
}
