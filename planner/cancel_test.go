package planner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/sequences"
)

// stopping ends its context while it packs for the last time that it may, and packs all
// the same.
type stopping struct {
	cancel context.CancelFunc
	left   int
	calls  int
}

// Pack implements pack.Packer.
func (s *stopping) Pack(ctx context.Context, p pack.Problem) (pack.Result, error) {
	s.calls++
	if s.left--; s.left == 0 {
		s.cancel()
	}
	return pack.FirstFit{Order: pack.ByArea}.Pack(context.WithoutCancel(ctx), p)
}

func example(t *testing.T, path ...string) *sequences.Sequence {
	t.Helper()
	name := filepath.Join(append([]string{"..", "sequences"}, path...)...)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	seq, diags := sequences.Read(name, data)
	require.NoError(t, diags.Err())
	return seq
}

// A planning that is cancelled, at whichever packing, ends there with the error of the
// context. It makes no plan of what the packer has by then.
func TestCancelledPlan(t *testing.T) {
	trigger := example(t, "streams", "trigger.yaml")
	internal := *trigger
	internal.Device.Reuse = sequences.ReuseInternal
	for name, seq := range map[string]*sequences.Sequence{
		"one stream": example(t, "hlt1", "velo.yaml"), "streams": trigger, "added edges": &internal,
	} {
		t.Run(name, func(t *testing.T) {
			whole := &stopping{}
			_, err := Make(seq, Options{Packer: whole})
			require.NoError(t, err)
			for n := 1; n <= whole.calls; n++ {
				ctx, cancel := context.WithCancelCause(t.Context())
				reason := errors.New("enough")
				s := &stopping{cancel: func() { cancel(reason) }, left: n}
				p, err := Make(seq, Options{Packer: s, Context: ctx})
				require.ErrorIs(t, err, reason, "packing %d", n)
				require.Nil(t, p)
				require.LessOrEqual(t, s.calls, n+1, "it goes on")
			}
		})
	}
}

// With a context that is over nothing is done.
func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &stopping{}
	opts := Options{Packer: s, Context: ctx, Warn: func(sequences.Diagnostic) { t.Error("it is looked at") }}
	_, err := Make(example(t, "hlt1", "velo.yaml"), opts)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, s.calls)
}

// A search for the largest batch ends with its context, and does not take what it had for
// an answer.
func TestCancelledFit(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &stopping{cancel: cancel, left: 9}
	f, err := NewFitter(example(t, "hlt1", "velo.yaml"), BasisTypical, Options{Packer: s, Context: ctx})
	require.NoError(t, err)
	r, err := f.Fit(10 << 20)
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, r.Fits)
	require.LessOrEqual(t, s.calls, 10)
}

// The engine ends too, although it would look for minutes.
func TestCancelledEngine(t *testing.T) {
	problem := generate.Random(generate.Dense, 1000, 1)
	var end uint64
	for _, b := range problem.Buffers {
		end = max(end, b.End)
	}
	writes, reads := make([]string, end), make([]string, end)
	for i, b := range problem.Buffers {
		writes[b.First] += fmt.Sprintf("b%d: {type: u8, count: %d}, ", i, b.Size)
		reads[b.End-1] += fmt.Sprintf("b%d, ", i)
	}
	var text strings.Builder
	for i := range end {
		fmt.Fprintf(&text, "  - {name: s%d, writes: {%s}}\n", 2*i, writes[i])
		fmt.Fprintf(&text, "  - {name: s%d, reads: [%s]}\n", 2*i+1, reads[i])
	}
	seq := readText(t, "steps:\n"+text.String())
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	engine := pack.Engine{Effort: pack.Max, Progress: func(p pack.Progress) {
		if told++; p.Height > 0 {
			cancel()
		}
	}}
	_, err := Make(seq, Options{Packer: engine, Context: ctx})
	require.ErrorIs(t, err, context.Canceled)
	require.NotZero(t, told)
}

// The searches behind the packing end as well.
func TestCancelledSearches(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := findFacts(example(t, "hlt1", "reco.yaml"))
	lives := make([]Interval, len(f.lives))
	for i := range lives {
		lives[i] = f.lives[i].interval
	}
	p := findPieces(f.seq, f.classes, lives)
	d := newDraws(f.seq, p, 256, func(c sequences.CountID) (*uint64, uint64) { return f.bounds.counts[c].typical, f.bounds.countLimit(c) })
	s := d.sample(trainSeed, 4)
	search := &ruleSearch{ctx: ctx, sample: s, sim: newSimulator(p, placementWork), limit: placementWork}
	start := make([]uint64, len(p.of))
	search.score(start, ^uint64(0))
	once := search.sim.work
	require.NotZero(t, once)

	cancel()
	search.improve(start, 1000)
	require.LessOrEqual(t, search.sim.work, 2*once, "one look at the start")
	require.Nil(t, simulate(ctx, p, s, start, simulationWork))

	e := &edgeSearch{facts: f}
	f.ctx = ctx
	require.Zero(t, e.bound(nil)) // else it would look at the units, which it does not have
}
