package budget_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/budget/text"
	"github.com/seqplan/seqplan/sequences"
)

// Each way says what to write, and where it stands if that is in all of several places.
func TestWords(t *testing.T) {
	edge := budget.Edge{From: "a", To: "b"}
	added, next := edge, edge
	added.Added, next.From = true, "c"
	inTemplate := edge
	inTemplate.Template, inTemplate.Instances = "t", 3
	for want, w := range map[string]budget.Way{
		`if no kernel writes more: n * 3 as the count of "b" (now n * 4)`:                                {Kind: budget.WayBuffer, Name: "b", Formula: "n * 3", Now: "n * 4"},
		`if no kernel writes more: min(..., n * 3) as the count of "b" (... is what is there now: hits)`: {Kind: budget.WayBuffer, Name: "b", Formula: "min(..., n * 3)", Now: "hits"},
		`"after: a" in step b`:                                                     {Kind: budget.WayAfter, Edges: []budget.Edge{edge}},
		`"after: [a, c]" in step b`:                                                {Kind: budget.WayAfter, Edges: []budget.Edge{edge, next}},
		`a added to the "after" of step b`:                                         {Kind: budget.WayAfter, Edges: []budget.Edge{added}},
		`"after: a" in all 3 steps of the template "t"`:                            {Kind: budget.WayAfter, Edges: []budget.Edge{inTemplate}},
		`reuse: internal for device (now stream), which adds "after: a" in step b`: {Kind: budget.WayReuse, Name: "device", Formula: "internal", Now: "stream", Edges: []budget.Edge{edge}},
		`max of hits = n * 3 (now n * 4)`:                                          {Kind: budget.WayMax, Name: "hits", Formula: "n * 3", Now: "n * 4"},
		`if a typical batch has no more hits than n * 3 (typical is now n * 4)`:    {Kind: budget.WayTypical, Name: "hits", Formula: "n * 3", Now: "n * 4"},
		`n = 3 (now 4)`: {Kind: budget.WayBatch, Name: "n", From: 4, To: 3},
	} {
		require.Equal(t, want, text.Way(&w))
	}
}

// exceeded is a budget over its limit with some buffers and ways.
func exceeded() budget.Result {
	r := budget.Result{
		Name: "total", Kind: sequences.BudgetTotal, Limit: 10, Used: 40, Over: 30, Code: budget.CodeExceeded, Workers: 4, Buffers: 5,
		Pos: sequences.Pos{File: "f.yaml", Line: 9, Col: 2},
	}
	for i, name := range []string{"a", "b", "c", "d"} {
		r.Culprits = append(r.Culprits, budget.Culprit{Name: name, Step: "s", Bytes: 8, Percent: 20, Formula: "1 B * (2)", Place: budget.Place{Line: 2 + i, Col: 1}})
	}
	return r
}

func TestWorkersAndTypical(t *testing.T) {
	r := exceeded()
	r.Ways = []budget.Way{{Kind: budget.WayTypical, Name: "hits", Formula: "3", Now: "4", Place: budget.Place{Line: 7}}}
	got := rendered(t, r)
	require.Contains(t, got, "the device memory of all 4 workers needs 40 B")
	require.Contains(t, got, "a of step s, static device, 4 workers * 1 B * (2)\n")
	require.Contains(t, got, "; it holds if a typical batch has no more hits than 3 (typical is now 4) at line 7\n")
}

// What was not tried, or did not help, does not stand among the ways.
func TestLabels(t *testing.T) {
	r := exceeded()
	r.More, r.NoBatch, r.Cut = 2, true, true
	d, ok := text.Diagnostic(&r)
	require.True(t, ok)
	require.Equal(t, []diag.Note{
		{Label: "back under the limit", Message: "no single change was found that is enough"},
		{Label: "no smaller batch was found that is enough", Message: "the smallest one is over the limit too"},
		{Label: "not all was tried", Message: "2 more changes that may be enough"},
		{Label: "not all was tried", Message: "the sizes of buffers but for those of the 4 largest"},
		{Label: "not all was tried", Message: "what would take too much work"},
	}, d.Notes[5:])
}

// An annotation is short, and there is one at the largest buffer too, for all budgets.
func TestAnnotations(t *testing.T) {
	other, idle := exceeded(), budget.Result{Name: "x", Code: budget.CodeIdle}
	other.Name, other.Culprits[0].Percent = "arena", 50
	list := text.Annotations([]budget.Result{exceeded(), {}, idle, other})
	require.Len(t, list, 4)
	require.Equal(t, diag.Warning, list[1].Severity)
	for _, d := range []sequences.Diagnostic{list[0], list[2]} {
		require.Equal(t, diag.Error, d.Severity)
		require.NotEmpty(t, d.Hint)
		require.Len(t, d.Notes, 3)
		require.Equal(t, diag.Note{Label: "what takes most", Pos: diag.Pos{File: "f.yaml", Line: 4, Col: 1}, Message: "20.0 %, 8 B: c"}, d.Notes[2])
	}
	require.Equal(t, sequences.Diagnostic{
		Pos: sequences.Pos{File: "f.yaml", Line: 2, Col: 1}, Code: budget.CodeExceeded, Severity: diag.Warning,
		Message: `"a" takes 20.0 % of "total", 50.0 % of "arena", which are exceeded`,
	}, list[3])
}
