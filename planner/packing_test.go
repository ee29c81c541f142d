package planner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// bytesAt is what a buffer of a packing has in use at a step.
func bytesAt(b *pack.Buffer, step uint64) uint64 {
	if step < b.First || b.End <= step {
		return 0
	}
	for _, g := range b.Gaps {
		if g.First <= step && step < g.End {
			return g.High - g.Low
		}
	}
	return b.Size
}

// The buffers at the peak and their padding are the bytes of the lower bound, and no two
// of them may share a byte, whatever the policy.
func TestAtPeak(t *testing.T) {
	byOrder, live, padded := 0, 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 11))
		c := randseq.Streams(r)
		c.Risky = 0
		if seed%3 == 0 {
			c.Streams, c.Loans, c.Special = 1, 0, 0.7
		}
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		p, err := Make(seq, Options{Packer: pack.FirstFit{Order: pack.ByArea}})
		if err != nil {
			continue
		}
		for scope, pool := range p.Pools {
			sum := pool.Padding
			var members []int
			for _, a := range pool.AtPeak {
				sum += a.Bytes
				i := slices.IndexFunc(p.Buffers, func(b Buffer) bool { return b.Name == a.Name })
				members = append(members, p.Packings[scope].Of[i])
			}
			if pool.Padding > 0 {
				padded++
			}
			require.LessOrEqual(t, pool.LowerBound, pool.Height, "seed %d, %s", seed, pool.Scope)
			require.True(t, slices.IsSortedFunc(pool.AtPeak, func(a, b Alive) int { return int(b.Bytes) - int(a.Bytes) }))
			if pool.BoundBy == "" {
				require.Equal(t, pool.LowerBound, sum, "seed %d, %s", seed, pool.Scope)
				live++
				continue
			}
			require.LessOrEqual(t, sum, pool.LowerBound, "seed %d, %s", seed, pool.Scope)
			if pool.BoundBy != BoundByOrder {
				continue
			}
			require.Equal(t, pool.LowerBound, sum, "seed %d, %s", seed, pool.Scope)
			byOrder++
			packing := &p.Packings[scope]
			for x, n := range members {
				for _, k := range members[:x] {
					a, b := &packing.Buffers[n], &packing.Buffers[k]
					excluded := slices.Contains(packing.Excluded, [2]int{min(n, k), max(n, k)})
					require.True(t, excluded || a.First < b.End && b.First < a.End, "seed %d: %d and %d", seed, n, k)
				}
			}
		}
	}
	t.Log(byOrder, live, padded)
	require.Greater(t, byOrder, 50)
	require.Greater(t, live, 200)
	require.Greater(t, padded, 200)
}

// Pairs that are apart are excluded ones, but for those of which one step keeps all bytes
// apart, those of their storage included.
func TestApart(t *testing.T) {
	apart, met := 0, 0
	randomUnits(t, 150, func(c *randseq.Config) {}, func(f *facts, u *units, fr *frontier, _ []Interval) {
		u.exclude(fr, maxExcluded)
		want := [][2]int(nil)
		for _, pair := range u.Excluded {
			n, k := pair[0], pair[1]
			meet := u.Buffers[n].Size == 0 || u.Buffers[k].Size == 0
			for i := range u.list {
				for j := range u.list {
					if u.list[i].chain != u.list[n].chain || u.list[j].chain != u.list[k].chain {
						continue
					}
					for s := range uint64(len(f.seq.Steps)) {
						x, y := bytesAt(&u.Buffers[i], s), bytesAt(&u.Buffers[j], s)
						meet = meet || x == u.Buffers[i].Size && x >= u.Buffers[n].Size && y == u.Buffers[j].Size && y >= u.Buffers[k].Size
					}
				}
			}
			if meet {
				met++
			} else {
				want = append(want, pair)
			}
		}
		require.Equal(t, want, u.apart())
		apart += len(want)
	})
	t.Log(apart, met)
	require.Greater(t, apart, 1000)
	require.Greater(t, met, 20)
}

// What is excluded is that of the edges that are left, also where some are dropped again.
func TestExcludedOfAddedEdges(t *testing.T) {
	checked := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 12))
		c := randseq.Streams(r)
		c.Streams, c.Dynamic, c.Risky, c.ReuseOff, c.Edges, c.Places = 2+int(seed%4), 0, 0, 0, 0.05, 0
		c.Steps, c.Loans = c.Steps+6, 0
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		f := findFacts(seq)
		if f.diags.HasErrors() {
			continue
		}
		lives := make([]Interval, len(f.lives))
		for i := range lives {
			lives[i] = f.lives[i].interval
		}
		s := &edgeSearch{facts: f, accesses: findAccesses(seq, f.classes, f.flights), lives: lives, packer: pack.FirstFit{Order: pack.BySize}}
		now, added, err := s.add(nil)
		if err != nil || len(added) == 0 {
			continue
		}
		s.added = edgesOf(added)
		fresh, err := s.problem(s.scope, lives, s.frontier(nil), false)
		require.NoError(t, err)
		require.Equal(t, fresh.Excluded, now.Excluded, "seed %d", seed)
		checked++
	}
	t.Log(checked)
	require.Greater(t, checked, 20)
}

// A plan says which hints are kept, what is fixed, and what of a loan is a shrink.
func TestDescribePlaces(t *testing.T) {
	seq := readText(t, `
steps:
  - name: a
    writes:
      kept: {type: u8, count: 1024, hint: 1024}
      lost: {type: u8, count: 1024, hint: 1024}
      far: {type: u8, count: 1024, hint: 1GiB}
      fixed: {type: u8, count: 1024, offset: 0}
      both:
        type: u8
        count: 4096
        gaps: [{after: a, before: c, window: [0, 256]}]
        shrink: [{after: c, count: 1024}]
      equal:
        type: u8
        count: 4096
        gaps: [{after: a, before: c, window: [0, 256]}]
        shrink: [{after: a, count: 256}]
  - {name: b, reads: [kept, lost, far, fixed]}
  - {name: c, reads: [both, equal]}
  - {name: d, reads: [both, equal]}
`)
	p, err := Make(seq, Options{})
	require.NoError(t, err)
	pool := &p.Pools[sequences.Device]
	require.Equal(t, 3, pool.Hints)
	require.Equal(t, 1, pool.HintsKept)
	require.Zero(t, p.Pools[sequences.Host].Hints)
	var text []string
	for _, b := range p.Buffers {
		line := b.Name
		switch {
		case b.Hint != nil:
			line += fmt.Sprintf(" hint %d %t", *b.Hint, b.HintKept)
			require.Equal(t, b.HintKept, b.Offset == pool.Reserved+*b.Hint)
		case b.FixedOffset != nil:
			line += fmt.Sprintf(" fixed %d", *b.FixedOffset)
			require.Equal(t, pool.Reserved+*b.FixedOffset, b.Offset)
		}
		for _, l := range b.Lent {
			line += fmt.Sprintf(" %s[%d,%d)%d:%d", l.Why, l.First, l.End, l.Low, l.High)
		}
		text = append(text, line)
	}
	got := strings.Join(text, "\n")
	got = strings.Replace(strings.Replace(got, "kept hint 1024 true", "one", 1), "lost hint 1024 true", "one", 1)
	got = strings.Replace(strings.Replace(got, "kept hint 1024 false", "other", 1), "lost hint 1024 false", "other", 1)
	require.Contains(t, []string{"one\nother", "other\none"}, got[:strings.Index(got, "\nfar")])
	require.Equal(t, `
far hint 1073741824 false
fixed fixed 0
both gap[1,2)0:256 shrink[3,4)0:1024
equal gap[1,2)0:256 shrink[2,4)0:256`, got[strings.Index(got, "\nfar"):])
}

// With the policy stream the buffers of one storage may be in no order. It still counts
// once.
func TestStorageCountsOnce(t *testing.T) {
	p, err := Make(readText(t, `
device: {reuse: stream}
steps:
  - {name: a, writes: {base: {type: u8, count: 10240}}}
  - {name: b, stream: q1, after: a, reads: [base], writes: {mid: {type: u8, count: 256, in_place_of: base}}}
  - {name: c, stream: q2, after: b, reads: [mid], writes: {big: {type: u8, count: 20480, in_place_of: mid}}}
  - {name: d, stream: q3, scratch: {other: {type: u8, count: 4096}}}
`), Options{})
	require.NoError(t, err)
	pool := p.Pools[sequences.Device]
	require.Equal(t, sequences.Bytes(24576), pool.Height)
	require.Equal(t, sequences.Bytes(24576), pool.LowerBound)
	require.Equal(t, []Alive{{"big", 20480}, {"other", 4096}}, pool.AtPeak)
}
