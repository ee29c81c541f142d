package sequences_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences"
)

func TestBudgets(t *testing.T) {
	data, err := os.ReadFile("testdata/valid/budgets.yaml")
	require.NoError(t, err)
	var got []string
	for _, b := range read(t, string(data)).Budgets {
		got = append(got, fmt.Sprintf("%s: %s %s dynamic=%v %v %q %s line %d", b.Name, b.Kind, b.Scope, b.Dynamic, b.Steps, b.Text, b.Basis, b.Pos.Line))
		require.NotNil(t, b.Max)
		var back sequences.BudgetKind
		require.NoError(t, back.UnmarshalText([]byte(b.Kind.String())))
		require.Equal(t, b.Kind, back)
	}
	require.Equal(t, []string{
		`device.capacity: capacity device dynamic=false [] "8GiB" any line 3`,
		`algorithms.velo.search: algorithm device dynamic=false [1] "2MiB" any line 23`,
		`algorithms.velo.*: algorithm device dynamic=false [0 1] "n_events * 1KiB + 64KiB" any line 24`,
		`algorithms.*: algorithm device dynamic=false [0 1] "3MiB" worst line 25`,
		`total: total device dynamic=false [] "4MiB" typical line 26`,
		`pools.device: pool device dynamic=false [] "1MiB" any line 27`,
		`pools.host: pool host dynamic=false [] "0" any line 27`,
		`arena: arena device dynamic=false [] "1MiB" any line 28`,
		`classes.static_device: class device dynamic=false [] "1048576" any line 29`,
		`classes.static_host: class host dynamic=false [] "0" any line 29`,
		`classes.dynamic_device: class device dynamic=true [] "400KiB" worst line 29`,
		`classes.dynamic_host: class host dynamic=true [] "min(400KiB, n_events * 400)" any line 29`,
	}, got)
	require.Error(t, new(sequences.BudgetKind).UnmarshalText([]byte("x")))
}

// A star stands for a run of characters, also an empty one.
func TestBudgetPatterns(t *testing.T) {
	for pattern, steps := range map[string]string{
		"ab": "ab", "*": "ab abab axb b.ab", "ab*": "ab abab", "*ab": "ab abab b.ab", "a*b": "ab abab axb", "*x*": "axb",
		"ab*ab": "abab", "a*ba*": "abab", "**b*.*": "b.ab", "a*a": "", "ab*b*b": "", "ab*b": "abab", "b.*": "b.ab",
	} {
		var text strings.Builder
		text.WriteString("seqplan: 1\nname: t\nsteps:\n")
		names := []string{"ab", "abab", "axb", "b.ab"}
		for _, n := range names {
			fmt.Fprintf(&text, "  - {name: %s, writes: {w.%s: {type: u8, count: 1}}}\n", n, n)
		}
		fmt.Fprintf(&text, "budgets: {algorithms: {%q: 1}}\n", pattern)
		seq, diags := sequences.Read("t.yaml", []byte(text.String()))
		if steps == "" {
			require.Len(t, diags, 1, pattern)
			require.Equal(t, sequences.CodeNoStep, diags[0].Code)
			continue
		}
		require.Empty(t, diags, pattern)
		var got []string
		for _, s := range seq.Budgets[0].Steps {
			got = append(got, seq.Steps[s].Name)
		}
		require.Equal(t, steps, strings.Join(got, " "), pattern)
	}
}

// Patterns are not compared with names without an end.
func TestBudgetLimit(t *testing.T) {
	var text strings.Builder
	text.WriteString(head + "steps:\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "  - {name: s%d, writes: {b%d: {type: u8, count: 1}}}\n", i, i)
	}
	text.WriteString("budgets:\n  algorithms:\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "    \"s*%d\": 1\n", i)
	}
	expect(t, "SP0008", 512, text.String())
}

// A faulty budget says what a budget can be.
func TestBudgetHints(t *testing.T) {
	for limit, hint := range map[string]string{
		"{pools: {device: {max: 1MiB, basis: typical}}}":        "no basis; write the size alone",
		"{classes: {static_host: {max: 1MiB, basis: typical}}}": "no basis; write the size alone",
		"{total: 90%}":                      "no share of something",
		"{arena: {max: 90%, basis: worst}}": "no share of something",
	} {
		_, diags := sequences.Read("t.yaml", []byte(head+"steps:\n  - {name: s, writes: {b: {type: u8, count: 1}}}\nbudgets: "+limit+"\n"))
		require.Len(t, diags, 1, limit)
		require.Contains(t, diags[0].Hint, hint, limit)
	}
}

// A plan is told from a sequence file also where it is larger than one may be.
func TestPlanIsNoSequence(t *testing.T) {
	large := `{"seqplan_plan": 1, "text": "` + strings.Repeat("x", sequences.MaxFileSize) + `"}`
	for _, text := range []string{"\ufeff\n { \"seqplan_plan\": 1}", large} {
		_, diags := sequences.Read("t.json", []byte(text))
		require.Len(t, diags, 1)
		require.Equal(t, sequences.CodeDocument, diags[0].Code)
		require.Contains(t, diags[0].Hint, "diff read plans")
	}
	for _, text := range []string{`{"seqplan_": 1}`, `{"seqplan_plan`, "{", `{"seqplan": 1}`} {
		_, diags := sequences.Read("t.json", []byte(text))
		require.NotEmpty(t, diags)
		require.NotEqual(t, sequences.CodeDocument, diags[0].Code, text)
	}
}
