package report_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// inOrder finds texts, each behind the one before it.
func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	at := 0
	for _, part := range parts {
		i := strings.Index(text[at:], part)
		require.GreaterOrEqual(t, i, 0, "%q is not behind the part before it in\n%s", part, text)
		at += i
	}
}

func textAndMarkdown(t *testing.T, r *report.Report) (text, md string) {
	t.Helper()
	var a, b bytes.Buffer
	require.NoError(t, r.Text(&a))
	require.NoError(t, r.Markdown(&b))
	return a.String(), b.String()
}

// What people act on comes first: budgets, of these the ones that do not hold, how large a
// batch fits, and what grew.
func TestVerdictsFirst(t *testing.T) {
	seq, p := trigger(t)
	fit, err := planner.Fit(seq, seq.Device.Capacity, planner.BasisStatic, planner.Options{})
	require.NoError(t, err)
	old := *p
	old.Buffers = slices.Clone(p.Buffers)
	old.Buffers[0].Max /= 2
	r := report.New(p, report.Options{
		Fit: &fit, Baseline: diff.New(&old, p), Budgets: []budget.Result{
			{Name: "pools.device", Limit: 5000, Used: 4096},
			{Name: "classes.dynamic", Fault: `the size of "x|y" is not known`, Limit: 1 << 20},
			{Name: "total", Limit: 1 << 10, Used: 1 << 11, Over: 1 << 10, Basis: budget.Worst},
		},
	})
	text, md := textAndMarkdown(t, r)
	inOrder(
		t, text, "trigger: 6 steps", "3 budgets, 1 exceeded, 1 unknown, 1 kept",
		"total            1024 B (1.0 KiB)     2048 B (2.0 KiB), worst  exceeded by 1024 B (1.0 KiB)",
		"classes.dynamic  1048576 B (1.0 MiB)  -", `unknown: the size of "x|y" is not known`,
		"pools.device     5000 B (4.9 KiB)     4096 B (4.0 KiB)", "904 B",
		"Capacity 33554432 B", "Since the baseline", "raw_banks", "\n  class    scope   buffers  share    bytes  ",
	)
	inOrder(
		t, md, "### Memory of `trigger`", "| 3 budgets, 1 exceeded, 1 unknown, 1 kept | limit | used | left |",
		"| `total` | 1024 B (1.0 KiB) | 2048 B (2.0 KiB), worst | **exceeded by 1024 B (1.0 KiB)** |",
		"| `classes.dynamic` | 1048576 B (1.0 MiB) | - | **unknown: the size of \"x", "| `pools.device` |", "| 904 B |",
		"\n\nCapacity 33554432 B", "raw_banks",
		"\n\n### Where the memory goes now\n\n| class | scope | buffers | share | bytes (",
	)
	require.NotContains(t, md, "x|y")
	for part, n := range map[string]int{"budgets,": 1, "Capacity 33554432 B": 1, "Since the baseline": 1} {
		require.Equal(t, n, strings.Count(text, part))
	}
	r = report.New(p, report.Options{Budgets: []budget.Result{{Name: "total", Limit: 5, Used: 4}}})
	text, md = textAndMarkdown(t, r)
	require.Contains(t, text, "\n1 budget, 1 kept\n")
	require.Contains(t, md, "\n| 1 budget, 1 kept |")
}

// A pool that is over its capacity is named at the start where nothing else says so, as of
// a plan file.
func TestOverCapacity(t *testing.T) {
	_, p := trigger(t)
	const said = "The static device pool is over its capacity of 1048576 B (1.0 MiB) by "
	text, md := textAndMarkdown(t, report.New(p, report.Options{Capacity: 1 << 20, FitUnknown: "nobody knows"}))
	inOrder(t, text, said, "how large a batch fits is unknown: nobody knows", "Memory (sum of sizes", "capacity", "does not fit, short of")
	inOrder(t, md, "**"+said, "How large a batch fits is unknown: `nobody knows`.", "| class |", "**over its capacity of 1048576 B (1.0 MiB)**")
	for _, opts := range []report.Options{
		{}, {Capacity: 1 << 20, Fit: &planner.FitResult{}}, {Capacity: 1 << 20, Budgets: []budget.Result{{}}},
	} {
		text, md = textAndMarkdown(t, report.New(p, opts))
		require.NotContains(t, text, "is over its capacity")
		require.NotContains(t, md, "is over its capacity")
	}
}

// The capacity that is asked for replaces the declared one, of the device pool alone.
func TestCapacityOption(t *testing.T) {
	_, p := trigger(t)
	declared := p.Pools[0].Capacity
	require.Positive(t, declared)
	r := report.New(p, report.Options{Capacity: 12345})
	require.Equal(t, sequences.Bytes(12345), r.Pools[0].Capacity)
	require.Zero(t, r.Pools[1].Capacity)
	require.Equal(t, declared, p.Pools[0].Capacity)
	require.Equal(t, declared, report.New(p, report.Options{}).Pools[0].Capacity)
}

// A static region that fits is not taken for a batch that does.
func TestBatchOver(t *testing.T) {
	seq, p := trigger(t)
	for _, basis := range []planner.Basis{planner.BasisStatic, planner.BasisWorst} {
		need, err := p.DeviceNeed(basis)
		require.NoError(t, err)
		for over, want := range map[sequences.Bytes]bool{0: false, 1: true} {
			capacity := need - over
			fit, err := planner.Fit(seq, capacity, basis, planner.Options{})
			require.NoError(t, err)
			require.True(t, fit.Fits)
			text, md := textAndMarkdown(t, report.New(p, report.Options{Fit: &fit, Capacity: capacity}))
			says := "does not fit: it needs " + report.Bytes(need) + ", 1 B too much"
			require.Equal(t, want, strings.Contains(text, "\n  the largest declared n_events "+says+"\n"), text)
			require.Equal(t, want, strings.Contains(md, "; the largest declared `n_events` "+says+".\n"), md)
			require.Equal(t, basis != planner.BasisStatic || !want, strings.Contains(text, ": the static region fits\n"), text)
		}
	}
}
