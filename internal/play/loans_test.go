package play_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// lender is a buffer of 4096 bytes at most that lends all but 256 of them while y is
// used, and half of them while z is.
const lender = `
seqplan: 1
name: lender
params: {n_events: {min: 1, max: 4}}
steps:
  - name: a
    writes:
      x: {type: u8, count: "n_events * 1024", gaps: [{after: a, before: c, window: [256, 512]}], shrink: [{after: c, count: "n_events * 512"}]%s}
  - {name: b, writes: {y: {type: u8, count: 256%s}}}
  - {name: c, reads: [x], writes: {v: {type: u8, count: 64}}}
  - {name: d, writes: {z: {type: u8, count: 256%s}}}
  - {name: e, reads: [x], writes: {w: {type: u8, count: 64}}}
`

// moved is a plan with a buffer at another place.
func moved(t *testing.T, plan *planner.Plan, name string, base string, by uint64) *planner.Plan {
	t.Helper()
	index := func(name string) int {
		i := slices.IndexFunc(plan.Buffers, func(b planner.Buffer) bool { return b.Name == name })
		require.GreaterOrEqual(t, i, 0)
		return i
	}
	out := *plan
	out.Buffers = slices.Clone(plan.Buffers)
	out.Buffers[index(name)].Offset = out.Buffers[index(base)].Offset + sequences.Bytes(by)
	return &out
}

// TestLoans: what is lent may be used, and what stays in use may not.
func TestLoans(t *testing.T) {
	for _, scope := range []string{"", ", scope: host"} {
		seq, plan := planned(t, "lender.yaml", fmt.Sprintf(lender, scope, scope, scope))
		for _, c := range []struct {
			buffer string
			at     uint64
			lostAt string
		}{
			{"y", 0, ""},
			{"y", 512, ""},
			{"y", 3840, ""},
			{"y", 256, "c"},
			{"y", 257, "c"},
			{"y", 511, "c"},
			{"y", 1, "c"},
			{"z", 2048, ""},
			{"z", 3840, ""},
			{"z", 0, "e"},
			{"z", 2047, "e"},
		} {
			r := run(t, seq, moved(t, plan, c.buffer, "x", c.at), play.Options{Batches: 2})
			require.Equal(t, c.lostAt == "", r.Sound(), "%s at %d: %v", c.buffer, c.at, r.Corrupted)
			for _, bad := range r.Corrupted {
				require.Equal(t, "x", bad.Buffer)
				require.Equal(t, c.lostAt, bad.StepName, "%s at %d", c.buffer, c.at)
			}
		}
		// A smaller batch uses less of x, and z is where that ends.
		r := run(t, seq, moved(t, plan, "z", "x", 1024), play.Options{Batches: 2, Events: 2})
		require.True(t, r.Sound(), "%v", r.Corrupted)
		r = run(t, seq, moved(t, plan, "z", "x", 1023), play.Options{Batches: 2, Events: 2})
		require.False(t, r.Sound())
	}
}

// lentCounts is a buffer with counts that is lent but for a window.
const lentCounts = `
seqplan: 1
name: counts
counts:
  n: {at: "o[1]", max: 100, typical: 50}
  m: {at: "o[100]", max: 100, typical: 50}
steps:
  - name: a
    writes:
      o: {type: u32, count: 256, gaps: [{after: a, before: c, window: [%d, %d]}], shrink: [{after: d, count: 60}]}
  - {name: b, writes: {y: {type: u8, count: 64}}}
  - {name: c, writes: {hits: {type: u32, count: n}}}
  - {name: d, reads: [o], writes: {tracks: {type: u32, count: m}}}
  - {name: e, reads: [o], writes: {w: {type: u8, count: 64}}}
`

// TestLentCounts: counts are kept in a window, and written again with the rest.
func TestLentCounts(t *testing.T) {
	for _, window := range [][2]int{{0, 64}, {4, 8}, {0, 402}, {4, 404}, {0, 1024}} {
		seq, plan := planned(t, "counts.yaml", fmt.Sprintf(lentCounts, window[0], window[1]))
		for _, dynamic := range play.Dynamics() {
			r := run(t, seq, plan, play.Options{Batches: 2, Dynamic: dynamic})
			require.True(t, r.Sound(), "%v, %s: %v", window, dynamic, r.Corrupted)
		}
		// The count is overwritten, and so is what is compared in the window.
		dev := host.New(host.Options{})
		r, err := play.Run(seq, moved(t, plan, "y", "o", 0), dev, play.Options{Batches: 1})
		require.True(t, err != nil || !r.Sound(), "%v", window)
		require.NoError(t, dev.Close())
	}
}
