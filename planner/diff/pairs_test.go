package diff_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

func read(t testing.TB, name, text string) *sequences.Sequence {
	t.Helper()
	seq, diags := sequences.Read(name, []byte(text))
	require.NoError(t, diags.Err(), "%s", text)
	return seq
}

func makePlan(t testing.TB, text string) *planner.Plan {
	t.Helper()
	p, err := planner.Make(read(t, "test.yaml", text), planner.Options{})
	require.NoError(t, err)
	return p
}

// clone is a plan after its way through JSON, which need not be one that planner.ReadPlan
// accepts.
func clone(t testing.TB, p *planner.Plan) *planner.Plan {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, p.WriteJSON(&text))
	out := new(planner.Plan)
	require.NoError(t, json.Unmarshal(text.Bytes(), out))
	return out
}

// randomPlans plans random sequences; those that cannot be planned are left out.
func randomPlans(t testing.TB, n uint64) []*planner.Plan {
	t.Helper()
	var out []*planner.Plan
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 6))
		config := randseq.Small(r)
		if seed%2 == 0 {
			config = randseq.Streams(r)
		}
		seq := read(t, "random.yaml", string(randseq.YAML(r, config)))
		if p, err := planner.Make(seq, planner.Options{}); err == nil {
			out = append(out, p)
		}
	}
	require.Greater(t, len(out), int(n/4))
	return out
}

// eachPair calls f with pairs of plans: two that have nothing to do with each other, and
// one with some changed copies, which need not be plans that the planner could make.
func eachPair(t *testing.T, f func(t *testing.T, a, b *planner.Plan)) {
	plans := randomPlans(t, 48)
	for i, p := range plans {
		f(t, p, plans[(i+1)%len(plans)])
		r := rand.New(rand.NewPCG(uint64(i), 7))
		for range 4 {
			f(t, p, mutate(t, r, p))
			f(t, mutate(t, r, p), mutate(t, r, p))
		}
	}
}

// mutate changes a plan here and there.
func mutate(t testing.TB, r *rand.Rand, p *planner.Plan) *planner.Plan {
	q := clone(t, p)
	if r.IntN(3) == 0 {
		q.Hash++
	}
	for range 1 + r.IntN(4) {
		mutateBuffer(r, q)
		mutateStep(r, q)
	}
	return q
}

func number(r *rand.Rand) uint64 {
	return [...]uint64{0, 1, math.MaxUint64, math.MaxUint64 - 1, 1 << 63, r.Uint64() >> r.IntN(64)}[r.IntN(6)]
}

func mutateBuffer(r *rand.Rand, q *planner.Plan) {
	if len(q.Buffers) == 0 {
		return
	}
	i := r.IntN(len(q.Buffers))
	b := &q.Buffers[i]
	other := q.Buffers[r.IntN(len(q.Buffers))]
	step := func() sequences.StepID { return sequences.StepID(r.IntN(len(q.Steps)+3) - 1) }
	switch r.IntN(16) {
	case 0:
		q.Buffers = slices.Delete(q.Buffers, i, i+1)
	case 1:
		q.Buffers = slices.Insert(q.Buffers, i, other)
	case 2:
		b.Name += "x"
	case 3:
		b.Max = sequences.Bytes(number(r))
	case 4:
		b.Class = 1 - b.Class
	case 5:
		b.Scope = 1 - b.Scope
	case 6:
		b.Lifetime = planner.Interval{First: step(), End: step()}
	case 7:
		b.Typical = nil
		if n := sequences.Bytes(number(r)); r.IntN(2) == 0 {
			b.Typical = &n
		}
	case 8:
		b.Proof = planner.ProofNone
	case 9:
		b.Count, b.ElemSize = other.Count, other.ElemSize
	case 10:
		b.InPlaceOf = other.Name
	case 11:
		b.Lent = append(b.Lent, planner.Lent{Interval: other.Lifetime, Why: planner.LentGap})
	case 12:
		n := sequences.Bytes(number(r))
		b.FixedOffset, b.Hint = &n, nil
	case 13:
		b.Offset += 256
	case 14:
		b.Step, b.Kind = step(), other.Kind
	case 15:
		b.Uses = append(b.Uses, planner.Use{Step: step(), Why: planner.UseRead})
	}
}

func mutateStep(r *rand.Rand, q *planner.Plan) {
	if len(q.Steps) == 0 {
		return
	}
	i, j := r.IntN(len(q.Steps)), r.IntN(len(q.Steps))
	s := &q.Steps[i]
	switch r.IntN(14) {
	case 0:
		q.Steps = slices.Delete(q.Steps, i, i+1)
	case 1:
		q.Steps = slices.Insert(q.Steps, i, q.Steps[j])
	case 2:
		q.Steps[i], q.Steps[j] = q.Steps[j], q.Steps[i]
	case 3:
		s.Name += "y"
	case 4:
		s.Host = !s.Host
	case 5:
		s.Stream = r.IntN(4) - 1
	case 6:
		s.After = append(slices.Clone(s.After), sequences.StepID(r.IntN(len(q.Steps)+3)-1))
	case 7:
		q.Waits = append(slices.Clone(q.Waits), planner.Wait{Step: sequences.StepID(r.IntN(len(q.Steps)+3) - 1), Reason: "chance"})
	case 8:
		q.Params[r.IntN(len(q.Params))].Max = number(r)
	case 9:
		q.Pools[r.IntN(2)].Size = sequences.Bytes(number(r))
	case 10:
		q.Arena.Typical = nil
	case 11:
		q.Arena.Worst = &planner.Demand{Sum: sequences.Bytes(number(r)), HostSum: sequences.Bytes(number(r))}
	case 12:
		if len(q.Counts) > 0 {
			n := number(r)
			q.Counts[r.IntN(len(q.Counts))].Max = &n
		}
	case 13:
		q.Workers = r.IntN(5)
	}
}
