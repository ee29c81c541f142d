package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// Hints, fixed offsets, gaps and shrinks, in the words of the file.
func TestPlacesGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/places.yaml")
	require.NoError(t, err)
	seq, diags := sequences.Read("places.yaml", data)
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, report.New(p, report.Options{}).Text(&out))
	for _, name := range []string{"table", "first", "kept", "lost", "far", "wide", "two", "loans"} {
		require.NoError(t, report.Explain(&out, p, name))
	}
	golden.Equal(t, "testdata/places.txt", out.Bytes())
}

// inUse is what a buffer of a packing has in use at a step, from its start.
func inUse(b *pack.Buffer, step uint64) (low, high uint64) {
	if step < b.First || b.End <= step {
		return 0, 0
	}
	for _, g := range b.Gaps {
		if g.First <= step && step < g.End {
			return g.Low, g.High
		}
	}
	return 0, b.Size
}

// distances returns, of two buffers with offsets, how far the bytes that they may not share
// are from each other: those of k below and above those of n.
func distances(p *planner.Packing, n, k int, atN, atK uint64) (below, above []uint64) {
	look := func(nLow, nHigh, kLow, kHigh uint64) {
		switch {
		case nLow == nHigh || kLow == kHigh:
		case atK+kHigh <= atN+nLow:
			below = append(below, atN+nLow-atK-kHigh)
		default:
			above = append(above, atK+kLow-atN-nHigh)
		}
	}
	a, b := &p.Buffers[n], &p.Buffers[k]
	if slices.Contains(p.Excluded, [2]int{min(n, k), max(n, k)}) {
		look(0, a.Size, 0, b.Size)
		return below, above
	}
	for s := a.First; s < a.End; s++ {
		nLow, nHigh := inUse(a, s)
		kLow, kHigh := inUse(b, s)
		look(nLow, nHigh, kLow, kHigh)
	}
	return below, above
}

// With several streams and loans a neighbour is the nearest buffer that may not have the
// same bytes, and each buffer is kept apart from those that count it.
func TestNeighbours(t *testing.T) {
	found, apart := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 10))
		c := randseq.Streams(r)
		c.Risky = 0
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		p, err := planner.Make(seq, planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}})
		if err != nil {
			continue
		}
		taken := map[string]bool{}
		for _, b := range p.Buffers {
			taken[b.InPlaceOf] = b.InPlaceOf != ""
		}
		counted := [2]int{}
		for i, b := range p.Buffers {
			e, err := report.NewExplanation(p, b.Name)
			require.NoError(t, err)
			if b.Class != planner.Static || b.InPlaceOf != "" || taken[b.Name] {
				continue
			}
			packing := &p.Packings[b.Scope]
			nearest := func(name string, k int) (below, above uint64) {
				below, above = 1<<63, 1<<63
				for j, o := range p.Buffers {
					if o.Class == planner.Static && o.Scope == b.Scope && j != i && (k < 0 || packing.Of[j] == k) && packing.Of[j] != packing.Of[i] {
						low, high := distances(packing, packing.Of[i], packing.Of[j], uint64(b.Offset), uint64(o.Offset))
						below, above = slices.Min(append(low, below)), slices.Min(append(high, above))
					}
				}
				return below, above
			}
			below, above := nearest("", -1)
			for side, want := range map[string]uint64{e.Below: below, e.Above: above} {
				if side == "" {
					continue
				}
				j := slices.IndexFunc(p.Buffers, func(o planner.Buffer) bool { return o.Name == side })
				low, high := nearest(side, packing.Of[j])
				require.True(t, low == want && side == e.Below || high == want && side == e.Above, "seed %d, %s: %s", seed, b.Name, side)
				found++
			}
			require.Equal(t, below == 1<<63, e.Below == "", "seed %d, %s", seed, b.Name)
			require.Equal(t, above == 1<<63, e.Above == "", "seed %d, %s", seed, b.Name)
			counted[b.Scope] += len(e.KeptApart)
			for k, a := range e.KeptApart {
				j := slices.IndexFunc(p.Buffers, func(o planner.Buffer) bool { return o.Name == a.Name })
				require.Equal(t, b.Scope, p.Buffers[j].Scope)
				require.LessOrEqual(t, a.Bytes, b.Max)
				require.True(t, k == 0 || e.KeptApart[k-1].Bytes >= a.Bytes)
				require.False(t, b.Offset < p.Buffers[j].Offset+p.Buffers[j].Max && p.Buffers[j].Offset < b.Offset+b.Max, "%s and %s", b.Name, a.Name)
			}
		}
		for scope, n := range counted {
			pairs := p.Pools[scope].Apart
			apart += pairs
			require.LessOrEqual(t, n, 2*pairs)
			if !slices.ContainsFunc(p.Buffers, func(b planner.Buffer) bool { return b.InPlaceOf != "" }) {
				require.Equal(t, 2*pairs, n, "each of a pair names the other one")
			}
		}
	}
	t.Log(found, apart)
	require.Greater(t, found, 1000)
	require.Greater(t, apart, 500)
}

// The pairs that cost most are named, all of them in the JSON of an explanation; a plan
// that was read has none.
func TestKeptApart(t *testing.T) {
	data, err := os.ReadFile("testdata/streams.yaml")
	require.NoError(t, err)
	seq, diags := sequences.Read("streams.yaml", data)
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	r := report.New(p, report.Options{})
	require.Equal(t, report.Apart{A: "hits", B: "energies", Bytes: 4 << 20}, r.Pools[0].ApartPairs[0])
	e, err := report.NewExplanation(p, "energies")
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, e.JSON(&out))
	var back struct {
		KeptApart []planner.Alive `json:"kept_apart"`
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &back))
	require.Equal(t, []planner.Alive{{Name: "hits", Bytes: 4 << 20}, {Name: "space", Bytes: 4 << 20}}, back.KeptApart)

	out.Reset()
	require.NoError(t, p.WriteJSON(&out))
	read, err := planner.ReadPlan(&out)
	require.NoError(t, err)
	require.Empty(t, report.New(read, report.Options{}).Pools[0].ApartPairs)
	require.NoError(t, report.Explain(&out, read, "energies"))
}

// Not all that is at the place of a hint is named.
func TestHintOverMany(t *testing.T) {
	text := `
seqplan: 1
name: many
steps:
  - name: a
    writes:
      big: {type: u8, count: 4096, hint: 2304}
`
	for _, name := range []string{"b", "c", "d", "e", "f", "g", "h", "i"} {
		text += "      " + name + ": {type: u8, count: 512}\n"
	}
	seq, diags := sequences.Read("many.yaml", []byte(text))
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	e, err := report.NewExplanation(p, "big")
	require.NoError(t, err)
	require.Regexp(t, `^., ., . and [12] more are there, and no packing`, e.HintNotKept)
}

// Buffers that take over one storage are not in each other's way, and the neighbours of
// the one that has it first are those of all.
func TestStorageNeighbours(t *testing.T) {
	explain := func(hint int, with, later string) *report.Explanation {
		seq, diags := sequences.Read("storage.yaml", fmt.Appendf(nil, `
seqplan: 1
name: storage
steps:
  - {name: a, writes: {large: {type: u8, count: 4096, hint: %d}%s}}
  - {name: b, reads: [large], writes: {small: {type: u8, count: 1024, in_place_of: large}}}
  - {name: c, reads: [small]%s}
`, hint, with, later))
		require.NoError(t, diags.Err())
		p, err := planner.Make(seq, planner.Options{})
		require.NoError(t, err)
		e, err := report.NewExplanation(p, "large")
		require.NoError(t, err)
		return e
	}
	with, later := ", with: {type: u8, count: 1024}", ", writes: {later: {type: u8, count: 4096}}"
	e := explain(512, with, later)
	require.Regexp(t, "^with is there, and no packing", e.HintNotKept)
	e = explain(4096, with, later)
	require.Equal(t, "it would end above the height of the pool, 5120", e.HintNotKept)
	e = explain(512, with, "")
	require.ElementsMatch(t, []string{"", "with"}, []string{e.Below, e.Above})
	e = explain(0, "", later)
	require.ElementsMatch(t, []string{"", "later"}, []string{e.Below, e.Above})
}
