package blockpool_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
)

// player plays a trace in a region of some bytes, and reports whether it fits.
type player func(t testing.TB, trace []op, capacity uint64) bool

// smallest returns the smallest region in which a trace fits, to 0.2 %, relative to
// what is in use at most.
func smallest(t testing.TB, play player, trace []op) float64 {
	used := usedHigh(t, trace)
	low, high := used, used
	for !play(t, trace, high) {
		low, high = high, 2*high
	}
	for high-low > used/500 {
		if mid := (low + high) / 2; play(t, trace, mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return float64(high) / float64(used)
}

// playPool plays a trace in a pool.
func playPool(t testing.TB, trace []op, capacity uint64) bool {
	return playOptions(t, trace, blockpool.Options{Size: capacity, Limit: capacity}) != nil
}

func playOptions(t testing.TB, trace []op, opts blockpool.Options) *blockpool.Stats {
	pool, err := blockpool.New(newDriver(), opts)
	require.NoError(t, err)
	ids := make(map[int]blockpool.ID)
	for _, o := range trace {
		if o.size == 0 {
			require.NoError(t, pool.FreeBlock(ids[o.name]))
		} else if ids[o.name], err = pool.AllocateBlock(o.size); err != nil {
			return nil
		}
	}
	s := pool.Stats()
	return &s
}

// rival is another way to place blocks, as a plain list of pieces.
type rival struct {
	first bool // first fit, not best fit
	lazy  bool // joins free neighbours only where nothing fits
	bins  bool // powers of two that are never joined nor split

	pieces []plain
	dirty  bool
}

// plain is a piece, free if it has no name.
type plain struct {
	size uint64
	name int
}

func (r *rival) play(t testing.TB, trace []op, capacity uint64) bool {
	r.pieces = []plain{{size: capacity}}
	for _, o := range trace {
		if o.size == 0 {
			r.free(o.name + 1)
			continue
		}
		need := mustSize(t, o.size)
		if r.bins {
			for need = 64; need < o.size; need *= 2 {
			}
		}
		i := r.find(need)
		if i < 0 && r.lazy && r.dirty {
			r.join()
			i = r.find(need)
		}
		if i < 0 {
			return false
		}
		r.take(i, need, o.name+1)
	}
	return true
}

// find returns the piece to take, -1 if there is none. The last one is what remains of
// the region.
func (r *rival) find(need uint64) int {
	last, best := len(r.pieces)-1, -1
	for i, p := range r.pieces[:last] {
		fits := p.size >= need && !r.bins || p.size == need
		if p.name == 0 && fits && (best < 0 || p.size < r.pieces[best].size) {
			best = i
			if r.first {
				break
			}
		}
	}
	if p := r.pieces[last]; best < 0 && p.name == 0 && p.size >= need {
		return last
	}
	return best
}

func (r *rival) take(i int, need uint64, name int) {
	need = (need + 63) &^ 63
	if p := r.pieces[i]; p.size >= need+64 {
		r.pieces = slices.Insert(r.pieces, i+1, plain{size: p.size - need})
		r.pieces[i].size = need
	}
	r.pieces[i].name = name
}

func (r *rival) free(name int) {
	i := slices.IndexFunc(r.pieces, func(p plain) bool { return p.name == name })
	r.pieces[i].name = 0
	r.dirty = true
	if !r.lazy && !r.bins {
		r.joinAround(i)
	}
}

func (r *rival) joinAround(i int) {
	for _, at := range []int{i, i - 1} {
		if at >= 0 && at+1 < len(r.pieces) && r.pieces[at].name == 0 && r.pieces[at+1].name == 0 {
			r.pieces[at].size += r.pieces[at+1].size
			r.pieces = slices.Delete(r.pieces, at+1, at+2)
		}
	}
}

func (r *rival) join() {
	for i := len(r.pieces) - 1; i > 0; i-- {
		r.joinAround(i)
	}
	r.dirty = false
}

type namedTrace struct {
	name string
	ops  []op
}

func traces(t testing.TB) []namedTrace {
	plan := recoPlan(t)
	return []namedTrace{
		{"reco", recoTrace(plan, 1, true)},
		{"reco_dynamic", recoTrace(plan, 1, false)},
		{"reco_workers=2", recoTrace(plan, 2, true)},
		{"random_live=100", randomTrace(100, 0)},
		{"random_live=1000", randomTrace(1000, 0)},
		{"random_live=300_sizes=40", randomTrace(300, 40)},
	}
}

// TestFragmentation: a region that is 27 % larger than what is in use at most is enough
// for each trace of 100,000 operations. See BenchmarkFragmentation for more.
func TestFragmentation(t *testing.T) {
	for _, tr := range traces(t) {
		require.True(t, playPool(t, tr.ops, usedHigh(t, tr.ops)*127/100), tr.name)
	}
}

// BenchmarkFragmentation reports reserved/used of each placement on each trace; its
// times are those of the search for it.
func BenchmarkFragmentation(b *testing.B) {
	plays := []struct {
		name string
		play player
	}{
		{"pool", playPool},
		{"best_fit_lazy", (&rival{lazy: true}).play},
		{"first_fit", (&rival{first: true}).play},
		{"first_fit_lazy", (&rival{first: true, lazy: true}).play},
		{"bins", (&rival{bins: true, first: true}).play},
	}
	for _, tr := range traces(b) {
		for _, p := range plays {
			b.Run(tr.name+"/"+p.name, func(b *testing.B) {
				ratio := 0.0
				for b.Loop() {
					ratio = smallest(b, p.play, tr.ops)
				}
				b.ReportMetric(ratio, "reserved/used")
			})
		}
	}
}

// BenchmarkGrowth reports reserved/used of a pool that grows by a fraction of what is
// in use at most, without a wait and with one.
func BenchmarkGrowth(b *testing.B) {
	trace := recoTrace(recoPlan(b), 1, true)
	used := usedHigh(b, trace)
	for _, c := range []struct {
		name   string
		expand uint64
	}{{"1/4", used / 4}, {"1/16", used / 16}, {"1/64", used / 64}, {"needed", 0}} {
		for name, wait := range map[string]func() error{"no": nil, "yes": func() error { return nil }} {
			b.Run("expand="+c.name+"/wait="+name, func(b *testing.B) {
				var s *blockpool.Stats
				for b.Loop() {
					s = playOptions(b, trace, blockpool.Options{Expand: c.expand, Wait: wait})
				}
				b.ReportMetric(float64(s.ReservedHigh)/float64(s.UsedHigh), "reserved/used")
				b.ReportMetric(float64(s.Regions), "regions")
				b.ReportMetric(float64(s.DriverAllocs), "driver-allocs")
				b.ReportMetric(float64(s.Waits), "waits")
			})
		}
	}
}
