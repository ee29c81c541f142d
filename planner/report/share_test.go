package report_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

func demandOf(p *planner.Plan, basis report.Basis) *planner.Demand {
	if basis == report.Typical {
		return p.Arena.Typical
	}
	return p.Arena.Worst
}

// The buffers at a peak of the arena add up to it, and all storages to the sum.
func TestArenaPeak(t *testing.T) {
	peaks, sums := 0, 0
	random(t, 200, func(seed uint64, p *planner.Plan) {
		arena := report.New(p, report.Options{}).Arena
		for basis, peak := range map[report.Basis]*report.ArenaPeak{report.Typical: arena.TypicalPeak, report.Worst: arena.WorstPeak} {
			d := demandOf(p, basis)
			require.Equal(t, d == nil, peak == nil)
			if d == nil {
				continue
			}
			sum := peak.Padding
			for _, b := range peak.Buffers {
				sum += b.Bytes
			}
			require.Equal(t, d.Peak, sum, "seed %d", seed)
			require.Equal(t, d.PeakStep, peak.Step)
			peaks += len(peak.Buffers)
		}
		all := map[report.Basis]sequences.Bytes{}
		for _, b := range p.Buffers {
			if b.Class == planner.Static || b.Scope == sequences.Host || b.InPlaceOf != "" {
				continue
			}
			e, err := report.NewExplanation(p, b.Name)
			require.NoError(t, err)
			for _, s := range e.OfAll {
				require.Equal(t, b.Name, s.Storage)
				all[s.Basis] += s.Bytes
			}
		}
		for basis, sum := range all {
			require.Equal(t, demandOf(p, basis).Sum, sum, "seed %d", seed)
			sums++
		}
	})
	require.Greater(t, peaks, 100)
	require.Greater(t, sums, 50)
}

// What is said of the dynamic buffers is so in the plan of a file in which the buffer is
// static.
func TestShareIsTrue(t *testing.T) {
	checked, next := 0, 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 22))
		c := randseq.Small(r)
		if seed%3 == 0 {
			c = randseq.Streams(r)
		}
		c.Risky = 0
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		p, err := planner.Make(seq, planner.Options{SizesOnly: true})
		if err != nil {
			continue
		}
		for i, b := range p.Buffers {
			e, err := report.NewExplanation(p, b.Name)
			require.NoError(t, err)
			if b.Class == planner.Static {
				require.Empty(t, e.OfAll)
				require.Empty(t, e.Counts)
				continue
			}
			require.Len(t, e.Counts, len(b.DrivenBy))
			now := tiny(seq, p, i)
			if now == nil || now.Arena.Align != p.Arena.Align {
				continue
			}
			for _, s := range e.OfAll {
				before, after := demandOf(p, s.Basis), demandOf(now, s.Basis)
				if b.Scope == sequences.Host {
					require.Nil(t, s.Peak)
					require.Equal(t, before.HostSum-s.Bytes, after.HostSum, "seed %d, %s", seed, b.Name)
					continue
				}
				require.Equal(t, before.Sum-s.Bytes, after.Sum, "seed %d, %s", seed, b.Name)
				require.Equal(t, before.Peak, s.Peak.Bytes)
				require.Equal(t, before.Peak-s.Peak.Without, after.Peak, "seed %d, %s", seed, b.Name)
				require.True(t, s.Peak.Alive || s.Peak.Without == 0)
				checked++
				if after.Peak > 0 {
					require.Equal(t, after.PeakStep, s.Peak.NextStep, "seed %d, %s", seed, b.Name)
					next++
				}
			}
		}
	}
	require.Greater(t, checked, 100)
	require.Greater(t, next, 50)
}

// An explanation of a dynamic buffer says what drives it, and what it is of all.
func TestShareText(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, report.Explain(&out, plans(t)["reco"], "scifi_raw_bank_decoder.dev_scifi_hits"))
	for _, line := range []string{
		`scifi_hits: typical 3500000, max 14000000`,
		`share, typical +70000128 B \(66.8 MiB\) of 661377280 B .*, the sum of the arena \(10.6 %\)`,
		`at the peak +yes: 70000128 B .* of the 272593152 B .* that live at step 63 lf_quality_filter_length`,
		`to shrink +without the buffer\n +typical: the sum falls by 70000128 B .*, the peak by 70000128 B`,
		` worst: the sum falls by 280000000 B`,
	} {
		require.Regexp(t, line, out.String())
	}
	out.Reset()
	require.NoError(t, report.Explain(&out, plans(t)["streams"], "fitted_tracks"))
	require.Contains(t, out.String(), "without tracks, in whose storage the buffer is,\n")
}

// What the device has to have is what the plan says, for all workers too; it is unknown
// where a count has no figure, and the static region where nothing is dynamic.
func TestNeeds(t *testing.T) {
	random(t, 60, func(seed uint64, p *planner.Plan) {
		r := report.New(p, report.Options{})
		var bases []planner.Basis
		for _, n := range r.Needs {
			bases = append(bases, n.Basis)
			want, err := p.DeviceNeed(n.Basis)
			require.Equal(t, err == nil, n.Bytes != nil)
			if err == nil {
				require.Equal(t, want, *n.Bytes)
				require.Equal(t, want*sequences.Bytes(p.Workers), *n.AllWorkers)
			}
		}
		if p.Arena.Slots == 0 {
			require.Equal(t, []planner.Basis{planner.BasisStatic}, bases)
		} else {
			require.Equal(t, slices.DeleteFunc(planner.Bases(), func(b planner.Basis) bool { return b == planner.BasisStatic }), bases)
		}
	})
	p := planOf(t, `
workers: 3
counts:
  n: {at: "counted[0]", typical: 100}
steps:
  - {name: a, writes: {counted: {type: u32, count: 1}}}
  - {name: b, reads: [counted], writes: {found: {type: u32, count: n}}}
`)
	text, md := textAndMarkdown(t, report.New(p, report.Options{}))
	require.Regexp(t, `\nDevice memory in all\n  what counts  one worker +3 workers\n`, text)
	require.Regexp(t, `\n  worst +unknown +unknown +static region and worst-case arena without reuse\n`, text)
	require.Regexp(t, `\n\| worst \| unknown \| unknown \| static region and worst-case arena`, md)
	require.Regexp(t, `\n\| typical \| 1536 B .* \| 4608 B .* \| static region and typical arena`, md)
}
