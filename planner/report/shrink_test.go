package report_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// random plans some random sequences, with several streams in every other one.
func random(t *testing.T, seeds uint64, f func(seed uint64, p *planner.Plan)) {
	t.Helper()
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 12))
		c := randseq.Small(r)
		if seed%2 == 0 {
			c = randseq.Streams(r)
		}
		c.Risky = 0
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		if p, err := planner.Make(seq, planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}}); err == nil {
			f(seed, p)
		}
	}
}

// liveWith is the live bound of a pool from its packing problem, with one buffer that is
// not there from some step on.
func liveWith(p *planner.Plan, id int, until sequences.StepID) sequences.Bytes {
	b := &p.Buffers[id]
	q := *p
	q.Packings = slices.Clone(p.Packings)
	problem := q.Packings[b.Scope]
	problem.Buffers = slices.Clone(problem.Buffers)
	n := problem.Of[id]
	problem.Buffers[n].End = min(problem.Buffers[n].End, max(problem.Buffers[n].First, uint64(until)))
	q.Packings[b.Scope] = problem
	return slices.Max(append(packed(&q, b.Scope), 0))
}

// What would be saved is what the packing problem without the buffer, or with a shorter
// one, would save.
func TestShrink(t *testing.T) {
	without, sooner, atPeak := 0, 0, 0
	random(t, 200, func(seed uint64, p *planner.Plan) {
		alone := map[string]bool{} // buffers that take over no storage, and none takes over
		fixed := map[sequences.Scope]bool{}
		for _, b := range p.Buffers {
			alone[b.Name] = b.InPlaceOf == ""
			fixed[b.Scope] = fixed[b.Scope] || b.FixedOffset != nil
		}
		for _, b := range p.Buffers {
			alone[b.InPlaceOf] = false
		}
		for i, b := range p.Buffers {
			e, err := report.NewExplanation(p, b.Name)
			require.NoError(t, err)
			if b.Class == planner.Dynamic || len(p.Steps) == 0 {
				require.Nil(t, e.Shrink)
				continue
			}
			live := report.Live(p, b.Scope)
			require.Equal(t, slices.Max(live), e.Shrink.Live)
			require.Equal(t, e.Shrink.Live, live[e.Shrink.PeakStep])
			require.LessOrEqual(t, e.Shrink.Without, e.Shrink.LowerBound)
			if e.Shrink.Without > 0 {
				require.True(t, e.Shrink.AtPeak > 0 || e.Shrink.BoundBy != "", "seed %d, %s", seed, b.Name)
				atPeak++
			}
			last := b.Lifetime.End
			for _, s := range e.Shrink.Sooner {
				require.Less(t, s.End, last)
				require.Greater(t, s.End, b.Lifetime.First)
				require.NotEmpty(t, s.Dropped)
				for _, u := range s.Dropped {
					require.GreaterOrEqual(t, u.Step, s.End)
					require.NotEqual(t, planner.UseWrite, u.Why)
				}
				require.LessOrEqual(t, s.Saved, e.Shrink.Without)
				last = s.End
			}
			if !alone[b.Name] || !slices.Equal(live, packed(p, b.Scope)) || e.Shrink.BoundBy != "" || fixed[b.Scope] {
				continue
			}
			require.Equal(t, e.Shrink.Live-liveWith(p, i, 0), e.Shrink.Without, "seed %d, %s", seed, b.Name)
			without++
			for _, s := range e.Shrink.Sooner {
				require.Equal(t, e.Shrink.Live-liveWith(p, i, s.End), s.Saved, "seed %d, %s", seed, b.Name)
				sooner++
			}
		}
	})
	t.Log(without, sooner, atPeak)
	require.Greater(t, without, 500)
	require.Greater(t, sooner, 300)
	require.Greater(t, atPeak, 100)
}

// The uses that end a life are named, one step after the other.
func TestSooner(t *testing.T) {
	_, p := trigger(t)
	e, err := report.NewExplanation(p, "raw_banks")
	require.NoError(t, err)
	require.Len(t, e.Shrink.Sooner, 1) // its first step reads it, and another end there is not
	s := e.Shrink.Sooner[0]
	require.Equal(t, sequences.StepID(1), s.End)
	require.Equal(t, []report.Use{{Use: planner.Use{Step: 1, Why: planner.UseRead}, Name: "cluster"}}, s.Dropped)
	require.Positive(t, s.Saved)
	var out bytes.Buffer
	require.NoError(t, e.Text(&out))
	require.Contains(t, out.String(), "if it lived to step 0, without the use by step 1 cluster (read)")
}

// Used, padding and holes are all of the pool, at the peak and over the steps.
func TestWaste(t *testing.T) {
	holes, padding := 0, 0
	random(t, 200, func(seed uint64, p *planner.Plan) {
		for _, pool := range report.New(p, report.Options{}).Pools {
			w := pool.Waste
			require.Equal(t, pool.Height, w.Used+w.Padding+w.Holes, "seed %d", seed)
			require.Equal(t, pool.Padding, w.Padding)
			require.Equal(t, pool.Height*sequences.Bytes(len(p.Steps)), w.UsedSteps+w.PaddingSteps+w.HolesSteps, "seed %d", seed)
			if pool.BoundBy == "" {
				require.Equal(t, pool.Height-pool.LowerBound, w.Holes, "the gap")
			}
			holes += min(1, int(w.Holes))
			padding += min(1, int(w.PaddingSteps))
		}
	})
	require.Greater(t, holes, 10)
	require.Greater(t, padding, 50)
}
