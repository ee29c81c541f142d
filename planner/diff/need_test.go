package diff_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
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

// over names the needs that grew by more than a limit.
func over(d *diff.Diff, l diff.Limit, basis planner.Basis) (out []string) {
	for _, o := range d.Over(l, basis) {
		out = append(out, o.Need.String())
	}
	return out
}

// A limit is exceeded by what grew by more, and by what is no longer known.
func TestOver(t *testing.T) {
	edited := func(l diff.Limit, edit func(p *planner.Plan)) []string {
		young := clone(t, velo(t))
		edit(young)
		return over(diff.New(velo(t), young), l, planner.BasisTypical)
	}
	const device, host = "typical device need", "typical host need"
	grow := func(p *planner.Plan) { p.Pools[0].Size += 1024 }
	require.Empty(t, edited(diff.LimitBytes(1024), grow))
	require.Equal(t, []string{device}, edited(diff.LimitBytes(1023), grow))
	require.Equal(t, []string{device}, edited(diff.Limit{}, grow))

	need, err := velo(t).DeviceNeed(planner.BasisTypical)
	require.NoError(t, err)
	exact := big.NewRat(1024*100, int64(need))
	require.Empty(t, edited(diff.LimitPercent(exact), grow))
	require.Equal(t, []string{device}, edited(diff.LimitPercent(new(big.Rat).Mul(exact, big.NewRat(999999, 1000000))), grow))

	// 0 has no percent: it may not grow.
	require.Equal(t, []string{"host pool"}, edited(diff.LimitPercent(big.NewRat(1000, 1)), func(p *planner.Plan) { p.Pools[1].Size++ }))
	require.Empty(t, edited(diff.LimitBytes(0), func(p *planner.Plan) { p.Pools[0].Size -= 256 }))

	require.Equal(t, []string{device}, edited(diff.LimitBytes(0), func(p *planner.Plan) { p.Arena.Typical.Sum++ }))
	require.Empty(t, edited(diff.LimitBytes(0), func(p *planner.Plan) { p.Arena.Typical.Peak++ }))
	require.Equal(t, []string{host}, edited(diff.LimitBytes(0), func(p *planner.Plan) { p.Arena.Typical.HostSum++ }))
	require.Empty(t, edited(diff.LimitBytes(0), func(p *planner.Plan) { p.Arena.Worst.Sum++ }), "the worst case is not asked where the typical one is known")
	require.Equal(t, []string{device}, edited(diff.LimitBytes(1<<60), func(p *planner.Plan) { p.Arena.Typical = nil }), "no dynamic buffer is in host memory")
	require.Equal(t, []string{device, host}, edited(diff.LimitBytes(1<<60), func(p *planner.Plan) {
		p.Arena.Typical = nil
		largestDynamic(p).Scope = sequences.Host
	}))
}

// Bytes that move between the static region and the arena are no growth.
func TestOverMoved(t *testing.T) {
	young := clone(t, velo(t))
	young.Pools[0].Size += 3 << 20
	young.Arena.Typical.Sum -= 4 << 20
	young.Arena.Typical.Peak -= 3 << 20
	d := diff.New(velo(t), young)
	require.Empty(t, over(d, diff.LimitBytes(0), planner.BasisTypical))
	require.Empty(t, over(d, diff.LimitBytes(0), planner.BasisPeak))
	require.Equal(t, []string{"device pool"}, over(d, diff.LimitBytes(0), planner.BasisStatic))
	require.Equal(t, []string{"worst-case device need"}, over(d, diff.LimitBytes(0), planner.BasisWorst))
	require.Equal(t, "typical device need -1.0 MiB (-2.3 %) = device pool +3.0 MiB (+10.2 %), typical arena -4.0 MiB (-26.9 %): the places changed, no buffer of it changed", d.Verdict)
	require.True(t, d.NeedChanged)

	lost := clone(t, young)
	lost.Arena.Typical = nil
	require.Regexp(t, `^device pool \+3\.0 MiB \(\+10\.2 %\), typical arena no longer known: `, diff.New(velo(t), lost).Verdict)

	young.Arena.Typical.Sum += 1 << 20
	d = diff.New(velo(t), young)
	require.Empty(t, over(d, diff.LimitBytes(0), planner.BasisTypical))
	require.Contains(t, d.Verdict, "typical device need as before = device pool +3.0 MiB")
}

// What moved to another class is named where the need grew.
func TestOverClass(t *testing.T) {
	young := velo(t, `hit_used: {type: bool, count: "n_events * 5000"}`, `hit_used: {type: bool, count: "count_of(clusters)"}`)
	found := diff.New(velo(t), young).Over(diff.LimitBytes(0), planner.BasisTypical)
	require.Len(t, found, 1)
	require.Equal(t, "typical device need +1300480 B (+1.2 MiB, +2.8 %) = device pool +256 B (+<0.1 %), typical arena +1.2 MiB (+8.3 %); grew most: hit_used moved from static to dynamic with 1.2 MiB", found[0].String())
}

// What grew in a part that did not is not what made the need grow.
func TestOverPart(t *testing.T) {
	young := clone(t, velo(t))
	young.Pools[0].Size += 8 << 20
	young.Arena.Typical.Sum -= 1 << 20
	*largestDynamic(young).Typical += 20 << 20
	find := func(name string) *planner.Buffer {
		return &young.Buffers[slices.IndexFunc(young.Buffers, func(b planner.Buffer) bool { return b.Name == name })]
	}
	find("work").Max += 8 << 20
	find("tracks").Lifetime.End++
	found := diff.New(velo(t), young).Over(diff.LimitBytes(0), planner.BasisTypical)
	require.Len(t, found, 1)
	require.Regexp(t, `grew most: work \+8\.0 MiB, tracks lives longer$`, found[0].String())
}

// A size that nobody knows any more is named.
func TestOverLost(t *testing.T) {
	found := diff.New(velo(t), velo(t, `, typical: "n_events * 1300"`, ``, `{type: bool, count: "n_events * 5000"}`, `{type: bool, count: "count_of(clusters)"}`)).Over(diff.LimitBytes(0), planner.BasisTypical)
	require.Len(t, found, 1)
	require.Equal(t, "typical device need is no longer known; grew most: clusters has no typical size, hit_used has no typical size", found[0].String())
	young := clone(t, velo(t))
	young.Arena.Typical = nil
	*largestDynamic(young).Typical += 5
	found = diff.New(velo(t), young).Over(diff.LimitBytes(0), planner.BasisTypical)
	require.Equal(t, "typical device need is no longer known; no buffer of it grew or lives longer", found[0].String())
	found = diff.New(velo(t), velo(t, `max: "n_events * 5000", `, ``)).Over(diff.LimitBytes(0), planner.BasisWorst)
	require.Len(t, found, 1)
	require.Equal(t, "worst-case device need is no longer known; grew most: clusters has no worst case", found[0].String())
}

// The basis says which need counts.
func TestOverBasis(t *testing.T) {
	young := clone(t, velo(t))
	young.Pools[0].Size += 256
	young.Arena.Typical.Sum += 256
	young.Arena.Worst.Sum += 512
	young.Arena.Worst.HostSum += 512
	static, peak, typical := []string{"device pool"}, []string{"typical device need, live at once"}, []string{"typical device need"}
	worst := []string{"worst-case device need", "worst-case host need"}
	d := diff.New(velo(t), young)
	for basis, want := range map[planner.Basis][]string{
		planner.BasisStatic: static, planner.BasisPeak: peak, planner.BasisTypical: typical, planner.BasisWorst: worst,
	} {
		require.Equal(t, want, over(d, diff.LimitBytes(255), basis), basis)
		require.True(t, d.Known(basis), basis)
	}
	require.Empty(t, over(d, diff.LimitBytes(256), planner.BasisPeak))
	require.Equal(t, typical, over(d, diff.LimitBytes(511), planner.BasisTypical))
	require.Equal(t, worst[:1], over(d, diff.LimitBytes(512), planner.BasisWorst))

	// Where the old plan does not know it, the worst case stands in, and for that the pools.
	old := clone(t, velo(t))
	old.Arena.Worst = nil
	d = diff.New(old, young)
	require.False(t, d.Known(planner.BasisWorst))
	require.Equal(t, static, over(d, diff.LimitBytes(0), planner.BasisWorst))
	for _, basis := range []planner.Basis{planner.BasisTypical, planner.BasisPeak, planner.BasisStatic} {
		require.True(t, d.Known(basis), basis)
	}
	old = clone(t, velo(t))
	old.Arena.Typical = nil
	d = diff.New(old, young)
	for _, basis := range []planner.Basis{planner.BasisTypical, planner.BasisPeak} {
		require.True(t, d.Known(basis), basis)
		require.Equal(t, worst, over(d, diff.LimitBytes(0), basis))
	}
	old.Arena.Worst = nil
	d = diff.New(old, young)
	for _, basis := range []planner.Basis{planner.BasisTypical, planner.BasisPeak, planner.BasisWorst} {
		require.False(t, d.Known(basis), basis)
		require.Equal(t, static, over(d, diff.LimitBytes(0), basis))
	}
	require.True(t, d.Known(planner.BasisStatic))
}

// The device need is the planner's, where that does not leave 64 bits, and what grew by any
// basis is a difference in need.
func TestNeeds(t *testing.T) {
	eachPair(t, func(t *testing.T, a, b *planner.Plan) {
		d := diff.New(a, b)
		require.Len(t, d.Needs, 2*len(planner.Bases()))
		for _, n := range d.Needs {
			if n.Scope != sequences.Device {
				continue
			}
			for p, got := range map[*planner.Plan]diff.Amount{a: n.Bytes.Old, b: n.Bytes.New} {
				if need, err := p.DeviceNeed(n.Basis); err == nil {
					require.Equal(t, diff.NewAmount(need), got, n.Basis)
				} else {
					_, small := got.Uint64()
					require.False(t, small)
				}
			}
		}
		for _, basis := range planner.Bases() {
			if len(d.Over(diff.LimitBytes(0), basis)) > 0 {
				require.True(t, d.NeedChanged, basis)
			}
		}
	})
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
