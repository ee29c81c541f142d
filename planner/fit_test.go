package planner_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// The answer fits, and the next value does not.
func TestFit(t *testing.T) {
	seq := velo(t)
	need := func(n uint64, basis planner.Basis) sequences.Bytes {
		s, err := planner.WithParam(seq, "n_events", 1, n)
		require.NoError(t, err)
		size, err := makePlan(t, s).DeviceNeed(basis)
		require.NoError(t, err)
		return size
	}
	for _, basis := range []planner.Basis{planner.BasisStatic, planner.BasisTypical, planner.BasisWorst} {
		for _, capacity := range []sequences.Bytes{1 << 17, 1 << 20, 10 << 20, 50_000_000, need(777, basis), need(777, basis) - 1} {
			t.Run(basis.String(), func(t *testing.T) {
				r, err := planner.Fit(seq, capacity, basis, planner.Options{})
				require.NoError(t, err)
				require.Equal(t, "n_events", r.Param)
				if !r.Fits {
					require.Equal(t, uint64(1), r.Value)
					require.Greater(t, need(1, basis), capacity)
					return
				}
				require.False(t, r.Limited)
				require.Equal(t, need(r.Value, basis), r.Need)
				require.LessOrEqual(t, r.Need, capacity)
				require.Equal(t, need(r.Value+1, basis), r.Next)
				require.Greater(t, r.Next, capacity)
			})
		}
	}
}

func TestFitAtTheEnds(t *testing.T) {
	seq := velo(t)
	r, err := planner.Fit(seq, 1<<40, planner.BasisWorst, planner.Options{})
	require.NoError(t, err)
	require.True(t, r.Fits && r.Limited)
	require.Equal(t, uint64(1000), r.Value)
	require.Equal(t, uint64(1<<40)/uint64(r.Need), r.Workers)

	r, err = planner.Fit(seq, 1000, planner.BasisStatic, planner.Options{})
	require.NoError(t, err)
	require.False(t, r.Fits)
	require.Greater(t, r.Need, sequences.Bytes(1000))
	require.Zero(t, r.Workers)

	fixed, err := planner.WithParam(seq, "n_events", 5, 5)
	require.NoError(t, err)
	_, err = planner.Fit(fixed, 1000, planner.BasisStatic, planner.Options{})
	require.ErrorIs(t, err, planner.ErrNoBatch)
}

func TestFitNeedsFigures(t *testing.T) {
	seq := read(t, []byte(`
seqplan: 1
name: f
params: {n: {min: 1, max: 100}}
counts: {m: {at: "o[n]", typical: "n"}}
steps:
  - name: s0
    writes: {o: {type: u32, count: "n + 1"}}
  - name: s1
    writes: {a: {type: u32, count: "m"}}
`))
	_, err := planner.Fit(seq, 1<<20, planner.BasisWorst, planner.Options{})
	require.ErrorIs(t, err, planner.ErrNoDemand)
	_, err = planner.Fit(seq, 1<<20, planner.BasisTypical, planner.Options{})
	require.NoError(t, err)
	var b planner.Basis
	require.NoError(t, b.UnmarshalText([]byte("worst")))
	require.Equal(t, planner.BasisWorst, b)
	require.Error(t, b.UnmarshalText([]byte("best")))
}

// A batch parameter with one value left is none: the next ranged one takes over.
func TestWithParamKeepsABatch(t *testing.T) {
	seq := read(t, []byte(`
seqplan: 1
name: t
params: {n: {min: 1, max: 9}, fixed: 4, k: {min: 1, max: 5}}
steps: [{name: a, writes: {x: {type: u8, count: "n * k * fixed"}}}]
`))
	require.EqualValues(t, 0, seq.Batch)
	seq, err := planner.WithParam(seq, "n", 5, 5)
	require.NoError(t, err)
	require.EqualValues(t, 2, seq.Batch)
	seq, err = planner.WithParam(seq, "k", 5, 5)
	require.NoError(t, err)
	require.EqualValues(t, sequences.None, seq.Batch)
}

// For random sequences and capacities the plan at the answer fits and the plan at the
// answer + 1 does not, by every basis, and a Fitter answers as Fit does.
func TestFitIsExact(t *testing.T) {
	answers, limited := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 6))
		config, opts := randseq.Small(r), planner.Options{Packer: pack.FirstFit{}}
		if seed%10 == 0 {
			config = randseq.Streams(r)
		}
		if seed%5 == 1 {
			opts.Packer = pack.Engine{Effort: pack.Quick}
		}
		seq := read(t, randseq.YAML(r, config))
		basis := planner.Basis(r.IntN(3))
		need := func(value uint64) (sequences.Bytes, error) {
			s, err := planner.WithParam(seq, seq.Params[seq.Batch].Name, seq.Params[seq.Batch].Min, value)
			require.NoError(t, err)
			plan, err := planner.Make(s, opts)
			if err != nil {
				return 0, err
			}
			return plan.DeviceNeed(basis)
		}
		fitter, err := planner.NewFitter(seq, basis, opts)
		if err != nil {
			require.ErrorIs(t, err, planner.ErrNoBatch)
			continue
		}
		param := fitter.Param()
		bottom, err := need(param.Min)
		top, err2 := need(param.Max)
		if err != nil || err2 != nil {
			continue
		}
		for range 4 {
			capacity := bottom
			if top > bottom {
				capacity += sequences.Bytes(r.Uint64N(uint64(top - bottom + 1)))
			}
			got, err := fitter.Fit(capacity)
			require.NoError(t, err)
			alone, err := planner.Fit(seq, capacity, basis, opts)
			require.NoError(t, err)
			require.Equal(t, alone, got, "seed %d", seed)
			require.True(t, got.Fits)
			at, err := need(got.Value)
			require.NoError(t, err)
			require.Equal(t, at, got.Need, "seed %d", seed)
			require.LessOrEqual(t, at, capacity, "seed %d", seed)
			if got.Limited {
				require.Equal(t, param.Max, got.Value)
				limited++
				continue
			}
			next, err := need(got.Value + 1)
			require.NoError(t, err)
			require.Equal(t, next, got.Next, "seed %d", seed)
			require.Greater(t, next, capacity, "seed %d", seed)
			answers++
		}
	}
	require.Greater(t, answers, 40)
	t.Log(answers, limited)
}

// stretched packs with room below the lowest buffer, more for some problems than for
// larger ones.
type stretched struct{ pack.Packer }

func (s stretched) Pack(ctx context.Context, p pack.Problem) (pack.Result, error) {
	r, err := s.Packer.Pack(ctx, p)
	var sum uint64
	for _, b := range p.Buffers {
		sum += b.Size
	}
	if err == nil && r.Offsets != nil && sum/256%3 == 0 {
		for i := range r.Offsets {
			r.Offsets[i] += 4096
		}
		r.Height, r.Status = r.Height+4096, pack.Feasible
	}
	return r, err
}

// Where the size of a plan falls when the parameter grows, the answer still fits and the
// next value does not.
func TestFitNotMonotone(t *testing.T) {
	seq := read(t, []byte(`
seqplan: 1
name: f
params: {n: {min: 1, max: 100}}
steps: [{name: s0, writes: {o: {type: u8, count: "n * 256"}}}]
`))
	opts := planner.Options{Packer: stretched{pack.Engine{}}}
	var needs []sequences.Bytes
	falls := false
	for n := range uint64(100) {
		s, err := planner.WithParam(seq, "n", 1, n+1)
		require.NoError(t, err)
		plan, err := planner.Make(s, opts)
		require.NoError(t, err)
		size, err := plan.DeviceNeed(planner.BasisStatic)
		require.NoError(t, err)
		falls = falls || n > 0 && size < needs[n-1]
		needs = append(needs, size)
	}
	require.True(t, falls)
	for capacity := needs[0]; capacity < needs[99]; capacity += 128 {
		r, err := planner.Fit(seq, capacity, planner.BasisStatic, opts)
		require.NoError(t, err)
		require.True(t, r.Fits && !r.Limited)
		require.LessOrEqual(t, needs[r.Value-1], capacity)
		require.Greater(t, needs[r.Value], capacity)
		require.Equal(t, []sequences.Bytes{needs[r.Value-1], needs[r.Value]}, []sequences.Bytes{r.Need, r.Next})
	}
}

// What is left out for the sizes changes none of them.
func TestSizesOnly(t *testing.T) {
	withRules := 0
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 16))
		seq := read(t, randseq.YAML(r, randseq.Small(r)))
		opts := planner.Options{Packer: pack.FirstFit{}}
		whole, err := planner.Make(seq, opts)
		opts.SizesOnly = true
		sizes, err2 := planner.Make(seq, opts)
		if err != nil || err2 != nil {
			require.Equal(t, err, err2)
			continue
		}
		if whole.Arena.Simulated != nil {
			withRules++
		}
		require.Nil(t, sizes.Arena.Simulated)
		require.Equal(t, whole.Pools, sizes.Pools)
		whole.Arena.Reuse, whole.Arena.Simulated = false, nil
		require.Equal(t, whole.Arena, sizes.Arena)
		require.Equal(t, whole.Buffers, sizes.Buffers)
	}
	require.Greater(t, withRules, 5)
}
