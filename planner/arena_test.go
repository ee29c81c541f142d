package planner

import (
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
		m := newSimulator(p)
		high := m.high(sizes, rules)

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
