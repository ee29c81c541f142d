package gen

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/streams"
)

// streamed is a sequence with several streams, and its plan.
type streamed struct {
	seq  *sequences.Sequence
	plan *planner.Plan
}

func readStreams(t *testing.T, text []byte) streamed {
	t.Helper()
	seq, diags := sequences.Read("streams.yaml", text)
	require.NoError(t, diags.Err(), "%s", text)
	plan, err := planner.Make(seq, planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}})
	require.NoError(t, err)
	return streamed{seq, plan}
}

// someStreams are the example with each policy, for few events, the sequence of the golden
// files, one whose streams do not wait, and random ones.
func someStreams(t *testing.T, random int) []streamed {
	t.Helper()
	var out []streamed
	for _, policy := range streams.Policies() {
		out = append(out, readStreams(t, bytes.Replace(streams.With(policy), []byte("max: 1000"), []byte("max: 2"), 1)))
	}
	out = append(out, readStreams(t, []byte(read(t, "testdata/streams.yaml"))), readStreams(t, []byte(apart)))
	r := rand.New(rand.NewPCG(8, 9))
	for len(out) < 5+random {
		c := randseq.Streams(r)
		c.Streams = 2 + r.IntN(4)
		text := randseq.YAML(r, c)
		seq, diags := sequences.Read("random.yaml", text)
		require.NoError(t, diags.Err(), "%s", text)
		seq.Device.Reuse, seq.Host.Reuse = sequences.ReuseInternal, sequences.ReuseInternal
		plan, err := planner.Make(seq, planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}})
		if err == nil && len(plan.Streams) > 1 {
			out = append(out, streamed{seq, plan})
		}
	}
	return out
}

// apart has two streams and no wait.
const apart = `
seqplan: 1
name: apart
steps:
  - {name: a, stream: one, writes: {x: {type: u8, count: 100}}}
  - {name: b, stream: two, writes: {y: {type: u8, count: 100}}}
`

// streams asks a header for the streams of a plan.
func (p *probe) streams(plan *planner.Plan) {
	if len(plan.Streams) <= 1 {
		p.optional(p.c.macro("NUM_STREAMS"), false, nil)
		return
	}
	p.value(p.c.macro("NUM_STREAMS"), uint64(len(plan.Streams)))
	for i, name := range plan.Streams {
		p.value(p.c.macro("STREAM", snakeCase(name)), uint64(i))
		p.value(fmt.Sprintf("strcmp(%s[%d], %q)", p.c.ident("streams"), i, name), 0)
	}
	waits := 0
	for i, s := range plan.Steps {
		at := func(field string) string { return fmt.Sprintf("%s[%d].%s", p.c.ident("steps"), i, field) }
		p.value(at("stream"), uint64(s.Stream))
		p.value(at("num_waits"), uint64(len(s.After)))
		for k, a := range s.After {
			p.value(fmt.Sprintf("%s[%s + %d]", p.c.ident("waits"), at("first_wait"), k), uint64(a))
		}
		p.value(at("event"), uint64(bit(waitedFor(plan, i))))
		p.value(at("host_wait"), uint64(bit(plan.Layout.Steps[i].Wait)))
		waits += len(s.After)
	}
	p.value(p.c.macro("NUM_WAITS"), uint64(waits))
}

// waitedFor reports whether another step waits for one.
func waitedFor(plan *planner.Plan, step int) bool {
	return slices.ContainsFunc(plan.Steps, func(s planner.Step) bool { return slices.Contains(s.After, sequences.StepID(step)) })
}

// Whatever the sequence, the header says where its steps are queued and what they wait for.
func TestStreamsC(t *testing.T) {
	for _, s := range someStreams(t, 1)[2:] {
		checkHeader(t, t.TempDir(), s.seq, s.plan, "p")
	}
}

// A wait that is emitted or not makes another file, and so does the stream of a step: the
// hash, which is in each output, tells them apart although no offset differs.
func TestStreamsAreInTheHash(t *testing.T) {
	const text = `
seqplan: 1
name: hashed
device: {reuse: off}
steps:
  - {name: a, writes: {x: {type: u8, count: 100}}}
  - {name: b, writes: {y: {type: u8, count: 100}}}
  - {name: c, stream: side, AFTER, writes: {z: {type: u8, count: 100}}}
  - {name: d, stream: STREAM, writes: {w: {type: u8, count: 100}}}
`
	var first *planner.Plan
	seen := map[planner.Hash]string{}
	for _, change := range []string{"after: a main", "after: b main", "on: device main", "after: a side", "after: a third"} {
		cut := strings.LastIndexByte(change, ' ')
		s := readStreams(t, []byte(strings.NewReplacer("AFTER", change[:cut], "STREAM", change[cut+1:]).Replace(text)))
		require.Empty(t, seen[s.plan.Hash], change)
		seen[s.plan.Hash] = change
		if first == nil {
			first = s.plan
		}
		require.Equal(t, first.Layout.Buffers, s.plan.Layout.Buffers)
		require.Equal(t, first.Layout.Steps, s.plan.Layout.Steps)
	}
}

// With one stream, whatever its name, nothing is said of streams.
func TestOneStream(t *testing.T) {
	base := readStreams(t, []byte(strings.ReplaceAll(apart, "two", "one")))
	goText, cText := both(t, base.seq, base.plan)
	named := readStreams(t, []byte(strings.NewReplacer(" stream: one,", "", " stream: two,", "").Replace(apart)))
	g, c := both(t, named.seq, named.plan)
	require.Equal(t, string(goText), string(g))
	require.Equal(t, string(cText), string(c))
	require.NotContains(t, string(g), "Stream ")
	require.NotContains(t, string(c), "STREAM")
}

// Names of streams that clash, and names that only files with several streams have.
func TestStreamNames(t *testing.T) {
	text := strings.NewReplacer("two", "One", "name: apart", "name: apart\nparams: {steps: 3, num_waits: 4, stream_one: 5}",
		"x: {", "waits: {", "y: {", "num_streams: {").Replace(apart)
	s := readStreams(t, []byte(text))
	for _, want := range []struct {
		err  error
		text []string
	}{
		{Go(io.Discard, s.seq, s.plan, GoOptions{}), []string{
			"parameter steps becomes Steps in Go, a name that every generated file with several streams has",
			"parameter stream_one and stream one both become StreamOne in Go", "parameter stream_one and stream One both become StreamOne in Go",
		}},
		{C(io.Discard, s.seq, s.plan, COptions{}), []string{
			"parameter num_waits becomes APART_NUM_WAITS in C, a name that every generated file with several streams has",
			"parameter stream_one and stream one both become APART_STREAM_ONE in C", "buffer waits becomes apart_waits in C",
			"parameter stream_one and stream One both become APART_STREAM_ONE in C",
		}},
	} {
		diags, ok := want.err.(sequences.Diagnostics)
		require.True(t, ok, "%v", want.err)
		require.Len(t, diags, len(want.text), "%v", diags)
		for i, d := range diags {
			require.Contains(t, d.Message, want.text[i])
			require.NotZero(t, d.Pos.Line)
		}
	}
}

// A plan with other streams or waits is an error that says so.
func TestStreamMismatch(t *testing.T) {
	for name, breakIt := range map[string]func(*planner.Plan){
		"no streams":   func(p *planner.Plan) { p.Streams = nil },
		"other stream": func(p *planner.Plan) { p.Streams = []string{"main", "calo", "x"} },
		"no steps":     func(p *planner.Plan) { p.Steps = nil },
		"other step":   func(p *planner.Plan) { p.Steps[1].Name = "x" },
		"stream of":    func(p *planner.Plan) { p.Steps[1].Stream = 1 },
		"no step":      func(p *planner.Plan) { p.Steps[1].After = []sequences.StepID{-1} },
		"itself":       func(p *planner.Plan) { p.Steps[1].After = []sequences.StepID{1} },
	} {
		s := readStreams(t, []byte(read(t, "testdata/streams.yaml")))
		require.NoError(t, C(io.Discard, s.seq, s.plan, COptions{}))
		breakIt(s.plan)
		require.ErrorIs(t, Go(io.Discard, s.seq, s.plan, GoOptions{}), ErrMismatch, name)
		require.ErrorIs(t, C(io.Discard, s.seq, s.plan, COptions{}), ErrMismatch, name)
	}
}
