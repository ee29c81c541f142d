package planner

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
	"github.com/seqplan/seqplan/kernels/kernelstest"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// randomPieces makes pieces in the order of their first steps.
func randomPieces(r *rand.Rand) *pieces {
	p := &pieces{ends: make([][]int, 2+r.IntN(12))}
	steps := len(p.ends) - 1
	for s := range steps {
		for range r.IntN(5) {
			end := s + 1 + r.IntN(steps-s)
			p.ends[end] = append(p.ends[end], len(p.of))
			p.of = append(p.of, sequences.BufferID(len(p.of)))
			p.life = append(p.life, Interval{First: sequences.StepID(s), End: sequences.StepID(end)})
		}
	}
	return p
}

// TestSimulatorAgainstOracle: the planner's simulation places every piece where the
// device does.
func TestSimulatorAgainstOracle(t *testing.T) {
	const unit = 64
	reused := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := randomPieces(r)
		sizes, rules := make([]uint64, len(p.of)), make([]uint64, len(p.of))
		s := &kernelstest.Sequence{ArenaAlign: unit, Reuse: true, Steps: make([]kernelstest.Step, len(p.ends)-1)}
		for i := range p.of {
			sizes[i], rules[i] = r.Uint64N(9)*unit, r.Uint64N(2)
			step := &s.Steps[p.life[i].First]
			step.Allocs = append(step.Allocs, kernelstest.Buffer{Code: kernelstest.Const(sizes[i]), Rule: rules[i]})
		}
		for end := range s.Steps {
			for _, i := range p.ends[end] {
				s.Steps[end].Releases = append(s.Steps[end].Releases, uint64(i))
			}
		}
		m := newSimulator(p, math.MaxUint64)
		high, ok := m.high(sizes, rules)
		require.True(t, ok)

		l := s.Layout()
		pool := kernelstest.Image(l, 1<<40, 0)
		require.NoError(t, arena.Reset(pool, l.ControlOffset, l.ProgramOffset))
		for step := range s.Steps {
			require.NoError(t, arena.Step(pool, l.ControlOffset, l.ProgramOffset, uint64(step)))
			for i := range p.of {
				if int(p.life[i].First) == step {
					slot := abi.ReadSlot(pool[l.SlotsOffset+uint64(i)*abi.SlotSize:])
					require.Equal(t, l.Device.Size+m.at[i], slot.Offset, "seed %d, piece %d", seed, i)
				}
			}
		}
		line := abi.ReadControl(pool[l.ControlOffset:])
		require.Zero(t, line.Code)
		require.Equal(t, high, line.High, "seed %d", seed)
		peak, sum := p.peak(sizes)
		require.GreaterOrEqual(t, high, peak)
		require.LessOrEqual(t, high, sum)
		if high < sum {
			reused++
		}
	}
	require.Greater(t, reused, 1000)
}

// TestRulesOfReco is the measured answer to how dynamic buffers are placed.
func TestRulesOfReco(t *testing.T) {
	seq, diags := sequences.Read("reco.yaml", hlt1.Reco())
	require.NoError(t, diags.Err())
	p, err := Make(seq, Options{})
	require.NoError(t, err)
	s := p.Arena.Simulated
	require.Equal(t, 100, s.Draws)
	require.LessOrEqual(t, s.Reuse.Mean, uint64(10_800), "8 % on average")
	require.LessOrEqual(t, s.Reuse.Worst, uint64(12_000), "20 % at worst")
	require.Less(t, s.Reuse.Mean, s.BestFit.Mean)
	require.Less(t, s.Reuse.Worst, s.BestFit.Worst)
	require.True(t, p.Arena.Reuse)
	require.True(t, p.Layout.Reuse)
}

// TestPlacementBudget: neither the search nor the simulation works longer than its
// budget says, however fragmented the arena is, and what comes out is no worse than
// nothing.
func TestPlacementBudget(t *testing.T) {
	// Every second piece lives on, so that the others leave ever more extents.
	const steps = 3000
	p := &pieces{ends: make([][]int, steps+1)}
	s := sample{sizes: [][]uint64{nil}, peaks: []uint64{1}, sums: []uint64{1}}
	for i := range steps - 1 {
		end := steps
		if i%2 == 0 {
			end = i + 1
		}
		p.ends[end] = append(p.ends[end], i)
		p.of = append(p.of, sequences.BufferID(i))
		p.life = append(p.life, Interval{First: sequences.StepID(i), End: sequences.StepID(end)})
		s.sizes[0] = append(s.sizes[0], uint64(i+1)*256)
	}
	s.peaks[0], s.sums[0] = p.peak(s.sizes[0])
	whole := newSimulator(p, math.MaxUint64)
	high, ok := whole.high(s.sizes[0], nil)
	require.True(t, ok)
	require.GreaterOrEqual(t, high, s.peaks[0])

	for _, limit := range []uint64{0, 1, 100, whole.work / 2, whole.work - steps} {
		m := newSimulator(p, limit)
		_, ok := m.high(s.sizes[0], nil)
		require.False(t, ok, "limit %d of %d", limit, whole.work)
		require.LessOrEqual(t, m.work, limit+steps, "one look at all extents more")
		require.Nil(t, simulate(t.Context(), p, s, nil, limit))
	}
	require.Equal(t, 1, simulate(t.Context(), p, s, nil, 2*whole.work).Draws)
	require.Equal(t, 0, func() int {
		sim := simulate(t.Context(), p, s, nil, whole.work) // best fit alone fits
		if sim == nil {
			return 0
		}
		return sim.Draws
	}())
}

// TestRulesHelp: on random sequences the rules that were found on some draws are no
// worse than best fit on others, taken together, and no plan needs more memory than
// without reuse.
func TestRulesHelp(t *testing.T) {
	var best, found uint64
	simulated := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		config := randseq.Config{Steps: 12, Buffers: 60, Reach: 6, Dynamic: 0.6}
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, config))
		require.NoError(t, diags.Err())
		p, err := Make(seq, Options{})
		if err != nil || p.Arena.Simulated == nil {
			continue
		}
		simulated++
		s := p.Arena.Simulated
		best += s.BestFit.Mean
		found += s.Reuse.Mean
		require.LessOrEqual(t, s.Reuse.Worst, s.Bump.Worst)
		if s.Reuse.Mean > s.BestFit.Mean+s.BestFit.Mean/100 {
			t.Errorf("seed %d: best fit %d, with rules %d", seed, s.BestFit.Mean, s.Reuse.Mean)
		}
		require.GreaterOrEqual(t, s.Reuse.Mean, uint64(RatioUnit))
	}
	require.Greater(t, simulated, 10)
	t.Logf("%d sequences: best fit %.4f, with rules %.4f", simulated,
		float64(best)/float64(simulated)/RatioUnit, float64(found)/float64(simulated)/RatioUnit)
	require.Less(t, found, best)
}

// TestTypicalAboveMax: the typical value of a count is never more than its max, so it
// cannot make the demand leave uint64.
func TestTypicalAboveMax(t *testing.T) {
	seq, diags := sequences.Read("typical.yaml", []byte(`
seqplan: 1
name: typical
counts:
  c: {at: "totals[0]", max: 5, typical: 18446744073709551615}
inputs:
  totals: {type: u64, count: 1}
steps:
  - name: use
    reads: [totals]
    writes:
      a: {type: u64, count: c}
`))
	require.NoError(t, diags.Err())
	var warned []sequences.Diagnostic
	p, err := Make(seq, Options{Warn: func(d sequences.Diagnostic) { warned = append(warned, d) }})
	require.NoError(t, err)
	require.Len(t, warned, 1)
	require.Equal(t, CodeTypical, warned[0].Code)
	require.Equal(t, uint64(5), *p.Counts[0].Typical)
	require.Equal(t, p.Arena.Worst.Sum, p.Arena.Typical.Sum)
}
