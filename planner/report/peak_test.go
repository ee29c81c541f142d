package report_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// The set behind the lower bound is alive at the peak step, or needs more than any step.
func TestPeak(t *testing.T) {
	at, none, other := 0, 0, 0
	random(t, 300, func(seed uint64, p *planner.Plan) {
		lives := map[string]planner.Interval{}
		for _, b := range p.Buffers {
			lives[b.Name] = b.Lifetime
		}
		for _, pool := range report.New(p, report.Options{}).Pools {
			if len(pool.AtPeak) == 0 {
				continue
			}
			if len(pool.Live) > 0 {
				require.Equal(t, pool.Live[pool.PeakStep], pool.Peak.Live)
			}
			alive := !slices.ContainsFunc(pool.AtPeak, func(a planner.Alive) bool {
				return pool.PeakStep < lives[a.Name].First || lives[a.Name].End <= pool.PeakStep
			})
			if pool.Peak.Step != nil {
				require.True(t, alive, "seed %d", seed)
				require.Equal(t, pool.PeakStep, *pool.Peak.Step)
				require.NotEqual(t, planner.BoundByOrder, pool.BoundBy)
				at++
				continue
			}
			require.Greater(t, pool.Peak.Bytes, pool.Peak.Live, "seed %d", seed)
			require.Greater(t, pool.Peak.Bytes, slices.Max(pool.Live), "seed %d", seed)
			none++
			if pool.BoundBy != planner.BoundByOrder {
				other++
			}
		}
	})
	t.Log(at, none, other)
	require.Greater(t, at, 100)
	require.Greater(t, none, 20)
}

// A set that is not alive at one step is not said to be, whatever the bound comes from.
func TestPeakOfOtherBound(t *testing.T) {
	p := *plans(t)["streams"]
	p.Pools = slices.Clone(p.Pools)
	p.Pools[0].BoundBy = "some search"
	r := report.New(&p, report.Options{})
	require.Nil(t, r.Pools[0].Peak.Step)
	require.Equal(t, sequences.Bytes(172060672), r.Pools[0].Peak.Bytes)
	text, md := textAndMarkdown(t, r)
	require.Contains(t, text, "8 buffers that may be in use together, in no order: 172060672 B")
	require.Contains(t, md, "8 buffers that may be in use together, in no order: 172060672 B")

	// With loans all of a set can be alive at the step, and need more than it has in use.
	one := *plans(t)["velo"]
	one.Pools = slices.Clone(one.Pools)
	one.Pools[0].BoundBy = planner.BoundByOrder
	require.Nil(t, report.New(&one, report.Options{}).Pools[0].Peak.Step)
}
