package budget_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/budget/text"
	"github.com/seqplan/seqplan/sequences"
)

const head = `seqplan: 1
name: f
params: {n: {min: 1, max: 100}, flat: 3}
counts:
  both: {at: "o[n]", max: "n * 9", typical: "n * 3"}
  most: {at: "o[0]", max: "n * 9"}
  usual: {at: "o[1]", typical: "n"}
  none: {at: "o[n - 1]"}
steps:
  - name: s0
    writes: {o: {type: u32, count: "n + 2"}}
  - name: s1
    writes:
      a: {type: u32, count: both}
      b: {type: u32, count: most}
  - name: s2
    writes: {c: {type: u32, count: usual}}
  - name: s3
    writes: {d: {type: u32, count: none}, e: {type: u32, count: "most + usual"}}
  - name: s4
budgets:
`

func check(t *testing.T, budgets string) []budget.Result {
	t.Helper()
	seq, diags := sequences.Read("f.yaml", []byte(head+budgets))
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	results, err := budget.Evaluate(seq, plan, budget.Options{Ways: true})
	require.NoError(t, err)
	return results
}

// Each budget gives one diagnostic, or none.
func TestDiagnostics(t *testing.T) {
	seen := map[diag.Code]bool{}
	for _, c := range []struct{ budgets, want string }{
		{`  pools: {device: 1MiB}`, ""},
		{`  pools: {device: 1}`, `22:11: error[SP0241]: the budget "pools.device" is exceeded by `},
		{`  pools: {host: 1}`, `22:11: warning[SP0245]: the budget "pools.host" can never be exceeded: the sequence has no static host buffers`},
		{`  pools: {host: 0}`, ""},
		{`  classes: {dynamic_host: 1MiB}`, `22:13: warning[SP0245]: the budget "classes.dynamic_host" can never be exceeded: the sequence has no dynamic host buffers`},
		{`  algorithms: {s4: 1}`, `22:16: warning[SP0245]: the budget "algorithms.s4" can never be exceeded: the steps declare no buffers`},
		{`  total: 18446744073709551615`, `22:3: error[SP0243]: the budget "total" cannot be checked: the size of "d" is not known: its count "none" has neither typical nor max`},
		{`  arena: {max: 1, basis: worst}`, `22:3: error[SP0243]: the budget "arena" cannot be checked: the size of "c" is not known: its count "usual" has no max`},
		{`  algorithms: {s1: {max: 1, basis: typical}}`, `22:16: error[SP0243]: the budget "algorithms.s1" cannot be checked: the size of "b" is not known: its count "most" has no typical value`},
		{`  algorithms: {s3: 1}`, `22:16: error[SP0243]: the budget "algorithms.s3" cannot be checked: the size of "d" is not known`},
		{`  algorithms: {s1: 4800}`, ""},
		{`  algorithms: {s1: "n * 48 - 1"}`, `22:16: error[SP0241]: the budget "algorithms.s1" is exceeded by 1 B: the sum of the buffers (mixed) needs 4800 B (4.7 KiB), the limit is 4799 B (4.7 KiB)`},
		{`  algorithms: {s2: 399}`, `22:16: error[SP0241]: the budget "algorithms.s2" is exceeded by 1 B: the sum of the buffers (typical) needs 400 B, the limit is 399 B`},
		{`  pools: {device: "2 - flat"}`, `22:20: error[SP0244]: the budget "pools.device" cannot be checked: it has no value at the largest parameters: result is negative`},
		{`  algorithms: {s0: 18446744073709551615}`, `22:16: warning[SP0245]: the budget "algorithms.s0" can never be exceeded: no memory is larger`},
		{"  pools: {device: 2MiB}\ndevice: {capacity: 1MiB}", `22:11: warning[SP0245]: the budget "pools.device" can never be exceeded: the declared capacity, 1048576 bytes, is not larger`},
		{"  {}\ndevice: {capacity: 256}", `23:10: error[SP0242]: the declared capacity "device.capacity" is exceeded by `},
	} {
		var got []string
		for _, r := range check(t, c.budgets) {
			d, ok := text.Diagnostic(&r)
			if !ok {
				continue
			}
			require.NotEmpty(t, d.Hint+d.Message)
			require.Equal(t, strings.HasPrefix(budget.Title(d.Code), "warning: "), d.Severity == diag.Warning)
			seen[d.Code] = true
			got = append(got, strings.TrimPrefix(d.Error(), "f.yaml:"))
		}
		if c.want == "" {
			require.Empty(t, got, c.budgets)
			continue
		}
		require.Len(t, got, 1, c.budgets)
		require.True(t, strings.HasPrefix(got[0], c.want), got[0])
	}
	for _, code := range budget.Codes() {
		require.True(t, seen[code], "no budget gives %s", code)
	}
}

// The limit of a budget per event is that at the batch which is suggested.
func TestLimitPerEvent(t *testing.T) {
	r := check(t, `  algorithms: {s2: "n * 3 + 50"}`)[0]
	require.EqualValues(t, 350, r.Limit)
	require.EqualValues(t, 400, r.Used)
	require.Equal(t, []budget.Way{
		{Kind: budget.WayBatch, Name: "n", From: 100, To: 50, Limit: 200, Used: 200, Place: budget.Place{Line: 3, Col: 10}},
	}, r.Ways, "c has one element per event, and less is none")
}

// rendered is the diagnostic of a result as it is printed.
func rendered(t *testing.T, r budget.Result) string {
	t.Helper()
	d, ok := text.Diagnostic(&r)
	require.True(t, ok)
	var out strings.Builder
	require.NoError(t, diag.Render(&out, diag.List{d}, nil, diag.RenderOptions{}))
	return out.String()
}

func TestNotes(t *testing.T) {
	r := check(t, "  algorithms: {s1: 2800, s4: 0}")
	require.True(t, r[1].Holds())
	require.Equal(t, `f.yaml:22:16: error[SP0241]: the budget "algorithms.s1" is exceeded by 2000 B (2.0 KiB): the sum of the buffers (mixed) needs 4800 B (4.7 KiB), the limit is 2800 B (2.7 KiB)
    hint: "b" at line 15 takes 75.0 %; enough would be max of most = n * 4 (now n * 9) at line 6
    what takes most:
      line 15: 75.0 %, 3600 B (3.5 KiB): b of step s1, dynamic device, worst, 4 B * (most)
      line 14: 25.0 %, 1200 B (1.2 KiB): a of step s1, dynamic device, typical, 4 B * (both)
    back under the limit: one of these is enough, with values as large as can be:
      line 6: max of most = n * 4 (now n * 9): needs 2800 B (2.7 KiB)
      line 3: n = 58 (now 100): needs 2784 B (2.7 KiB)
      line 15: if no kernel writes more: min(..., n * 4) as the count of "b" (... is what is there now: most): needs 2800 B (2.7 KiB)
`, rendered(t, r[0]))
	r[0].Culprits[0].Formula = "4 B * (n\n  + 1)"
	require.Contains(t, rendered(t, r[0]), ", 4 B * (n + 1)\n")
}

// A plan of something else is refused.
func TestOtherPlan(t *testing.T) {
	seq, diags := sequences.Read("f.yaml", []byte(head+"  total: 1"))
	require.NoError(t, diags.Err())
	_, err := budget.Evaluate(seq, &planner.Plan{}, budget.Options{})
	require.ErrorContains(t, err, "the plan has 0 buffers, the sequence 6")
}
