package planner

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// randomUnits calls f with the packing problems of random sequences of several streams.
func randomUnits(t *testing.T, seeds uint64, change func(*randseq.Config), f func(f *facts, u *units, fr *frontier, lives []Interval)) {
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 6))
		c := randseq.Streams(r)
		c.Streams, c.Dynamic, c.Risky, c.ReuseOff = 2+r.IntN(3), 0, 0, 0
		change(&c)
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		facts := findFacts(seq)
		if facts.diags.HasErrors() || len(seq.Streams) < 2 {
			continue
		}
		lives := make([]Interval, len(facts.lives))
		for i := range lives {
			lives[i] = facts.lives[i].interval
		}
		fr := newFrontier(findAccesses(seq, facts.classes, facts.flights), facts.order(sequences.Device))
		u, err := facts.findUnits(sequences.Device, lives, false)
		require.NoError(t, err)
		facts.split(u, fr, lives)
		f(facts, u, fr, lives)
	}
}

// apart tells for two units whether nothing lets them share a byte, from all their
// accesses: they are in use at one step of the file, or not in order.
func apart(f *facts, u *units, fr *frontier, n, k int) (meet, ordered bool) {
	all := func(n int) (out []sequences.StepID) {
		for _, b := range u.list[n].buffers {
			out = append(out, fr.inFlight(b, fr.all(b))...)
		}
		return out
	}
	before := func(as, bs []sequences.StepID) bool {
		for _, a := range as {
			for _, b := range bs {
				if !fr.before(a, b) {
					return false
				}
			}
		}
		return true
	}
	x, y := &u.Buffers[n], &u.Buffers[k]
	if f.seq.Buffers[u.list[n].buffers[0]].Keep || f.seq.Buffers[u.list[k].buffers[0]].Keep {
		return true, false
	}
	a, b := all(n), all(k)
	if f.seq.Scope(u.scope).Reuse == sequences.ReuseStream { // what follows its write does so by the edges of the file
		a1, b1 := []sequences.StepID{slices.Min(a)}, []sequences.StepID{slices.Min(b)}
		return x.First < y.End && y.First < x.End, before(a, b1) || before(b, a1)
	}
	return x.First < y.End && y.First < x.End, before(a, b) || before(b, a)
}

// The excluded pairs are those that are not in order, but for those that lifetimes keep
// apart anyway.
func TestExclude(t *testing.T) {
	pairs := 0
	randomUnits(t, 150, func(c *randseq.Config) { c.Loans = 0 }, func(f *facts, u *units, fr *frontier, _ []Interval) {
		u.exclude(fr, maxExcluded)
		want := [][2]int{}
		for n := range u.list {
			for k := range n {
				if meet, ordered := apart(f, u, fr, n, k); !meet && !ordered && u.list[n].chain != u.list[k].chain {
					want = append(want, [2]int{k, n})
				}
			}
		}
		require.ElementsMatch(t, want, u.Excluded)
		require.False(t, u.coarse)
		pairs += len(want)
	})
	require.Greater(t, pairs, 1000)
}

// Where the pairs are too many, longer lifetimes keep them apart.
func TestExcludeCoarsely(t *testing.T) {
	coarse, exact := 0, 0
	randomUnits(t, 150, func(*randseq.Config) {}, func(f *facts, u *units, fr *frontier, lives []Interval) {
		u.exclude(fr, 20)
		if !u.coarse {
			return
		}
		coarse++
		exact += len(u.Excluded)
		for n := range u.list {
			for k := range n {
				if meet, ordered := apart(f, u, fr, n, k); !meet && !ordered && u.list[n].chain != u.list[k].chain {
					require.True(t, slices.Contains(u.Excluded, [2]int{k, n}), "%d and %d", k, n)
				}
			}
			require.LessOrEqual(t, u.Buffers[n].End, uint64(fr.end()))
		}
		p, err := f.packUnits(u, pack.FirstFit{Order: pack.ByArea})
		if err == nil {
			require.NotNil(t, p.Offsets)
		}
	})
	require.Greater(t, coarse, 30)
	require.Greater(t, exact, 100)
}

// The bound is the heaviest set of units of which none is before another one.
func TestTogether(t *testing.T) {
	checked := 0
	randomUnits(t, 400, func(c *randseq.Config) { c.Buffers, c.Steps, c.Loans = min(c.Buffers, 14), min(c.Steps, 8), 0 }, func(f *facts, u *units, fr *frontier, _ []Interval) {
		if len(u.list) > 16 {
			return
		}
		u.exclude(fr, maxExcluded)
		var conflicts [16]uint32
		for n := range u.list {
			for k := range n {
				if _, ordered := apart(f, u, fr, n, k); !ordered && u.list[n].chain != u.list[k].chain {
					conflicts[n] |= 1 << k
					conflicts[k] |= 1 << n
				}
			}
		}
		var best uint64
		for set := range uint32(1) << len(u.list) {
			var sum uint64
			for n := range u.list {
				if set>>n&1 == 1 {
					if set&^(1<<n)&^conflicts[n] != 0 {
						sum = 0
						break
					}
					sum += u.Buffers[n].Size
				}
			}
			best = max(best, sum)
		}
		got := u.findTogether(fr)
		require.Equal(t, best, got.bytes)
		var sum uint64
		for i, x := range got.pieces {
			sum += u.Buffers[x.unit].Size
			for _, y := range got.pieces[:i] {
				require.NotZero(t, conflicts[x.unit]>>y.unit&1)
			}
		}
		require.Equal(t, best, sum)
		checked++
	})
	require.Greater(t, checked, 100)
}

// A flow that is too much work is none.
func TestFlowBudget(t *testing.T) {
	make2 := func(work int) *network {
		n := newNetwork(4, work)
		n.arc(source, 2, 5)
		n.arc(2, 3, 3)
		n.arc(3, sink, 4)
		n.arc(source, 3, 2)
		return n
	}
	flow, ok := make2(1000).flow()
	require.True(t, ok)
	require.Equal(t, uint64(4), flow)
	_, ok = make2(5).flow()
	require.False(t, ok)
}

// An edge that the packing does not need goes, and its price to another one.
func TestPrune(t *testing.T) {
	seq := readText(t, `
device: {reuse: internal}
steps:
  - {name: a, writes: {x: {type: u8, count: 4096}}}
  - {name: b, reads: [x], writes: {y: {type: u8, count: 256}}}
  - {name: c, stream: side, writes: {z: {type: u8, count: 4096}}}
  - {name: d, stream: side, reads: [z], writes: {w: {type: u8, count: 256}}}
  - {name: e, after: d, reads: [y, w]}
`)
	f := findFacts(seq)
	lives := make([]Interval, len(f.lives))
	for i := range lives {
		lives[i] = f.lives[i].interval
	}
	s := &edgeSearch{facts: f, accesses: findAccesses(seq, f.classes, f.flights), lives: lives, packer: pack.Engine{}}
	now, added, err := s.add(nil)
	require.NoError(t, err)
	require.Equal(t, []AddedEdge{{From: 1, To: 2, Saved: 4096}}, added)
	more := []AddedEdge{{From: 1, To: 3, Saved: 100}, added[0], {From: 0, To: 3, Saved: 10}}
	pruned, err := s.prune(now, more, 0)
	require.NoError(t, err)
	require.Equal(t, []AddedEdge{{From: 1, To: 2, Saved: 4206}}, pruned)
	pruned, err = s.prune(now, more, 2)
	require.NoError(t, err)
	require.Equal(t, more, pruned, "those of the other scope stay")
}
