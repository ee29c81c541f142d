package diff_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
)

// Each field of the need, and nothing else, makes a difference in need.
func TestNeed(t *testing.T) {
	for name, edit := range map[string]func(p *planner.Plan){
		"device pool":   func(p *planner.Plan) { p.Pools[0].Size++ },
		"host pool":     func(p *planner.Plan) { p.Pools[1].Size++ },
		"typical sum":   func(p *planner.Plan) { p.Arena.Typical.Sum++ },
		"typical peak":  func(p *planner.Plan) { p.Arena.Typical.Peak++ },
		"typical host":  func(p *planner.Plan) { p.Arena.Typical.HostSum++ },
		"worst sum":     func(p *planner.Plan) { p.Arena.Worst.Sum++ },
		"worst peak":    func(p *planner.Plan) { p.Arena.Worst.Peak++ },
		"worst host":    func(p *planner.Plan) { p.Arena.Worst.HostSum++ },
		"worst unknown": func(p *planner.Plan) { p.Arena.Worst = nil },
		"mode":          func(p *planner.Plan) { p.Arena.Reuse = !p.Arena.Reuse },
		"workers":       func(p *planner.Plan) { p.Workers++ },
	} {
		young := clone(t, velo(t))
		edit(young)
		require.True(t, diff.New(velo(t), young).NeedChanged, name)
	}
	young := clone(t, velo(t))
	young.Hash++
	young.Pools[0].Height++
	young.Pools[0].LowerBound++
	young.Pools[0].Optimal = !young.Pools[0].Optimal
	young.Arena.Slots++
	young.Buffers[0].Align *= 2
	young.Buffers = young.Buffers[:len(young.Buffers)-1]
	young.Params[1].Max++
	d := diff.New(velo(t), young)
	require.False(t, d.NeedChanged)
	require.False(t, d.Empty)
}

// A limit is exceeded by what grew by more, and by what is no longer known.
func TestOver(t *testing.T) {
	parts := func(l diff.Limit, edit func(p *planner.Plan)) []diff.Part {
		young := clone(t, velo(t))
		edit(young)
		var out []diff.Part
		for _, o := range diff.New(velo(t), young).Over(l, planner.BasisTypical) {
			out = append(out, o.Part)
		}
		return out
	}
	grow := func(p *planner.Plan) { p.Pools[0].Size += 1000 }
	require.Empty(t, parts(diff.LimitBytes(1000), grow))
	require.Equal(t, []diff.Part{diff.DevicePool}, parts(diff.LimitBytes(999), grow))
	require.Equal(t, []diff.Part{diff.DevicePool}, parts(diff.Limit{}, grow))

	size := int64(velo(t).Pools[0].Size)
	exact := big.NewRat(1000*100, size)
	require.Empty(t, parts(diff.LimitPercent(exact), grow))
	require.Equal(t, []diff.Part{diff.DevicePool}, parts(diff.LimitPercent(new(big.Rat).Mul(exact, big.NewRat(999999, 1000000))), grow))

	// 0 has no percent: it may not grow.
	require.Equal(t, []diff.Part{diff.HostPool}, parts(diff.LimitPercent(big.NewRat(1000, 1)), func(p *planner.Plan) { p.Pools[1].Size++ }))
	require.Empty(t, parts(diff.LimitBytes(0), func(p *planner.Plan) { p.Pools[0].Size-- }))

	require.Equal(t, []diff.Part{diff.TypicalPeak}, parts(diff.LimitBytes(0), func(p *planner.Plan) { p.Arena.Typical.Peak++ }))
	require.Equal(t, []diff.Part{diff.TypicalHost}, parts(diff.LimitBytes(0), func(p *planner.Plan) { p.Arena.Typical.HostSum++ }))
	require.Empty(t, parts(diff.LimitBytes(0), func(p *planner.Plan) { p.Arena.Worst.Sum++ }), "the worst case is not asked where the typical one is known")
	require.Equal(t, []diff.Part{diff.TypicalSum, diff.TypicalPeak, diff.TypicalHost}, parts(diff.LimitBytes(1<<60), func(p *planner.Plan) { p.Arena.Typical = nil }))
}

// The basis says which need of the arena counts. The pools always do.
func TestOverBasis(t *testing.T) {
	young := clone(t, velo(t))
	young.Pools[0].Size += 10
	young.Arena.Typical.Sum += 10
	young.Arena.Worst.Sum += 10
	young.Arena.Worst.HostSum += 10
	for basis, want := range map[planner.Basis][]diff.Part{
		planner.BasisStatic:  {diff.DevicePool},
		planner.BasisTypical: {diff.DevicePool, diff.TypicalSum},
		planner.BasisWorst:   {diff.DevicePool, diff.WorstSum, diff.WorstHost},
	} {
		var got []diff.Part
		d := diff.New(velo(t), young)
		for _, o := range d.Over(diff.LimitBytes(9), basis) {
			got = append(got, o.Part)
		}
		require.Equal(t, want, got, basis)
		require.True(t, d.Known(basis), basis)
	}

	// What the old plan does not know is above no limit.
	old := clone(t, velo(t))
	old.Arena.Worst = nil
	d := diff.New(old, young)
	require.False(t, d.Known(planner.BasisWorst))
	require.True(t, d.Known(planner.BasisTypical))
	require.True(t, d.Known(planner.BasisStatic))
	require.Len(t, d.Over(diff.LimitBytes(9), planner.BasisWorst), 1)
	old.Arena.Typical = nil
	require.False(t, diff.New(old, young).Known(planner.BasisTypical))
}

// Where nothing typical was known, the worst case counts.
func TestOverWorst(t *testing.T) {
	old := clone(t, velo(t))
	old.Arena.Typical = nil
	young := clone(t, old)
	young.Arena.Worst.Sum += 10
	over := diff.New(old, young).Over(diff.LimitBytes(5), planner.BasisTypical)
	require.Len(t, over, 1)
	require.Equal(t, diff.WorstSum, over[0].Part)
	require.Equal(t, "worst-case arena +10 B (+<0.1 %); no buffer of it grew or lives longer", over[0].String())
}

// The buffers that grew most are named, the largest first, and those that live longer
// behind them.
func TestCulprits(t *testing.T) {
	young := velo(t,
		`count: "n_events * 32"`, `count: "n_events * 64"`,
		`count: "n_events * 900"`, `count: "n_events * 1800"`,
		`count: "n_events * 64"`, `count: "n_events * 6400"`,
		`count: "n_events * 10"`, `count: "n_events * 11"`,
		"reads: [tracks, smoothed, flags]", "reads: [tracks, smoothed, flags, prefix_velo]",
	)
	over := diff.New(velo(t), young).Over(diff.LimitBytes(0), planner.BasisTypical)
	require.Len(t, over, 1)
	require.Regexp(t, `grew most: work \+24.2 MiB, smoothed \+3.4 MiB, flags \+31.2 KiB and 2 more buffers$`, over[0].String())
	require.Equal(t, 2, over[0].More)

	// One that appeared is before one that grew by less.
	young = velo(t, `count: "n_events * 900"`, `count: "n_events * 901"`, "      smoothed: {type: f32", "      extra: {type: f32, count: \"n_events * 100\"}\n      smoothed: {type: f32")
	over = diff.New(velo(t), young).Over(diff.LimitBytes(0), planner.BasisTypical)
	require.Len(t, over, 1)
	require.Contains(t, over[0].String(), "grew most: extra +390.6 KiB, smoothed +3.9 KiB")
}
