package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/verify"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/streams"
)

// snippet is the code block of a language in docs/streams.md.
func snippet(t *testing.T, lang string) string {
	t.Helper()
	page := read(t, "../docs/streams.md")
	require.Equal(t, 1, strings.Count(page, "```"+lang+"\n"))
	_, code, _ := strings.Cut(page, "```"+lang+"\n")
	code, _, _ = strings.Cut(code, "```\n")
	return code
}

// emitted is what one generated package says, and in which orders a device ran its steps.
type emitted struct {
	Hash    uint64
	Streams []string
	Steps   []struct {
		Stream          int
		Waits           []sequences.StepID
		Event, HostWait bool
	}
	Orders [][]sequences.StepID
}

// enqueueFile has the loop of the documentation, as code of a generated package.
const enqueueFile = `package %s

import (
	"math/rand/v2"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
)

%s

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Orders lets the streams go on at random, and returns the orders in which the steps ran.
func Orders() (all [][]uint64) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 6))
		dev := host.New(host.Options{Interleave: func(ready int, waiting bool) int {
			if !waiting { // all is queued before anything runs
				return -1
			}
			return r.IntN(ready)
		}})
		var order []uint64
		check(dev.Register("step", func(_ host.Memory, _ kernels.Grid, args kernels.Args) error {
			order = append(order, args[0])
			return nil
		}))
		kernel, err := dev.Kernel("step")
		check(err)
		streams, events := make([]kernels.Stream, NumStreams), make([]kernels.Event, NumSteps)
		for i := range streams {
			streams[i], err = dev.NewStream()
			check(err)
		}
		for i := range events {
			events[i], err = dev.NewEvent()
			check(err)
		}
		check(enqueue(streams, events, func(step abi.StepID, s kernels.Stream) error {
			return s.Launch(kernel, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{uint64(step)})
		}))
		for _, s := range streams {
			check(s.Synchronize())
		}
		all = append(all, order)
	}
	return all
}
`

const streamsMain = `package main

import (
	"encoding/json"
	"os"

%s)

func main() {
	all := []any{
%s	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		panic(err)
	}
}

func one(hash uint64, streams int, names []string, numSteps int, steps any, orders [][]uint64) map[string]any {
	if len(names) != streams || len(orders[0]) != numSteps {
		panic("the numbers are wrong")
	}
	return map[string]any{"Hash": hash, "Streams": names, "Steps": steps, "Orders": orders}
}
`

// goFile is the Go file of a plan as package name.
func (s streamed) goFile(t *testing.T, name string) string {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, Go(&text, s.seq, s.plan, GoOptions{Package: name}))
	return text.String()
}

// runGo builds a user's module with generated files, which are the packages s0, s1 and so
// on, and returns what they say.
func runGo(t *testing.T, generated []string) []emitted {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": fmt.Sprintf("module example.org/m\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", modulePath, modulePath, root),
	}
	loop := strings.ReplaceAll(snippet(t, "go"), "trigger.", "")
	var imports, values strings.Builder
	for i, text := range generated {
		name := fmt.Sprintf("s%d", i)
		files[name+"/seqplan.go"], files[name+"/enqueue.go"] = text, fmt.Sprintf(enqueueFile, name, loop)
		fmt.Fprintf(&imports, "\t%q\n", "example.org/m/"+name)
		fmt.Fprintf(&values, "\t\tone(%[1]s.PlanHash, %[1]s.NumStreams, %[1]s.Streams(), %[1]s.NumSteps, %[1]s.Steps(), %[1]s.Orders()),\n", name)
	}
	files["main.go"] = fmt.Sprintf(streamsMain, imports.String(), values.String())
	writeFiles(t, dir, files)
	stdout, stderr, err := goCommand(dir, "run", ".")
	require.NoError(t, err, stderr)
	var out []emitted
	require.NoError(t, json.Unmarshal([]byte(stdout), &out))
	require.Len(t, out, len(generated))
	return out
}

// added are the waits that the planner added.
func (s streamed) added() []sequences.Edge {
	var out []sequences.Edge
	for _, a := range s.plan.Added {
		out = append(out, sequences.Edge{From: a.From, To: a.To})
	}
	return out
}

// inOrder reports whether steps ran in the order that the plan counts on.
func (s streamed) inOrder(ran []sequences.StepID) bool {
	h := sequences.NewHappensBefore(s.seq, s.added()...)
	for i, late := range ran {
		for _, early := range ran[:i] {
			if h.Before(late, early) {
				return false
			}
		}
	}
	return true
}

// What the generated Go code says of streams is what internal/play goes by, and the verifier
// is content with it and would not be with one wait less.
func TestStreamsGo(t *testing.T) {
	all := someStreams(t, 6)
	var texts []string
	for i, s := range all {
		texts = append(texts, s.goFile(t, fmt.Sprintf("s%d", i)))
	}
	added := 0
	for i, e := range runGo(t, texts) {
		seq, plan := all[i].seq, all[i].plan
		require.Equal(t, uint64(plan.Hash), e.Hash)
		require.Equal(t, plan.Streams, e.Streams)
		require.Len(t, e.Steps, len(plan.Steps))
		queues := make([]verify.Queue, len(e.Steps))
		for s, step := range e.Steps {
			require.Equal(t, plan.Steps[s].Stream, step.Stream)
			require.Equal(t, plan.Steps[s].After, step.Waits)
			require.Equal(t, waitedFor(plan, s), step.Event)
			require.Equal(t, plan.Layout.Steps[s].Wait, step.HostWait)
			queues[s] = verify.Queue{Stream: step.Stream, After: step.Waits}
		}
		edges := all[i].added()
		added += len(edges)
		require.NoError(t, verify.Waits(seq, plan.Layout.Steps, edges, queues))
		for s := range queues {
			for k := range queues[s].After {
				fewer := slices.Clone(queues)
				fewer[s].After = slices.Delete(slices.Clone(queues[s].After), k, k+1)
				require.Error(t, verify.Waits(seq, plan.Layout.Steps, edges, fewer), "%s without its wait %d", plan.Steps[s].Name, k)
			}
		}
		if i < len(streams.Policies()) {
			playEmitted(t, seq, e.played(plan))
		}
	}
	require.Greater(t, added, 1)
}

// played is a plan of which nothing but the emission says how to run it.
func (e *emitted) played(plan *planner.Plan) *planner.Plan {
	out, layout := *plan, *plan.Layout
	out.Layout, out.Streams = &layout, e.Streams
	out.Steps, layout.Steps = slices.Clone(plan.Steps), slices.Clone(layout.Steps)
	for i, s := range e.Steps {
		out.Steps[i].Stream, out.Steps[i].After, layout.Steps[i].Wait = s.Stream, s.Waits, s.HostWait
	}
	return &out
}

// playEmitted: no bytes are lost, in whatever order the streams go on.
func playEmitted(t *testing.T, seq *sequences.Sequence, plan *planner.Plan) {
	t.Helper()
	waits := 0
	for _, s := range plan.Steps {
		waits += len(s.After)
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 4))
		dev := host.New(host.Options{Interleave: func(ready int, _ bool) int { return r.IntN(ready+1) - 1 }})
		result, err := play.Run(seq, plan, dev, play.Options{Batches: 2, Seed: seed})
		require.NoError(t, err)
		require.NoError(t, dev.Close())
		require.True(t, result.Sound(), "seed %d: %v", seed, result.Corrupted)
		require.Equal(t, waits, result.Edges)
		require.Equal(t, plan.Streams, result.Streams)
	}
}

// The loop of the documentation keeps the order of the plan, whichever stream goes on. It
// does not if one wait is taken out of the generated file.
func TestStreamsLoop(t *testing.T) {
	type file struct {
		streamed
		without string // a wait; "" if it has all
	}
	var files []file
	var texts []string
	for _, s := range someStreams(t, 0)[:len(streams.Policies())] {
		files, texts = append(files, file{s, ""}), append(texts, s.goFile(t, fmt.Sprintf("s%d", len(texts))))
		for _, step := range s.plan.Steps {
			if len(step.After) == 0 {
				continue
			}
			require.Len(t, step.After, 1, "else the edit below takes out more than one")
			wait := fmt.Sprintf(", Waits: []abi.StepID{Step%s}", camelCase(s.plan.Steps[step.After[0]].Name))
			before, line, found := strings.Cut(s.goFile(t, fmt.Sprintf("s%d", len(texts))), "\n\t\tStep"+camelCase(step.Name)+":")
			require.True(t, found)
			fewer := strings.Replace(line, wait, "", 1)
			require.NotContains(t, line[:strings.Index(line, wait)], "\n")
			files = append(files, file{s, step.Name})
			texts = append(texts, before+"\n\t\tStep"+camelCase(step.Name)+":"+fewer)
		}
	}
	require.Greater(t, len(files), 3*4)
	for i, e := range runGo(t, texts) {
		ok := 0
		for _, order := range e.Orders {
			if files[i].inOrder(order) {
				ok++
			}
		}
		if files[i].without == "" {
			require.Equal(t, len(e.Orders), ok)
		} else {
			require.Less(t, ok, len(e.Orders), "without the wait of %s", files[i].without)
		}
	}
}
