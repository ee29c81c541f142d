package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// starterPlan is the plan of the sequence that init writes, as text.
func starterPlan(t *testing.T) string {
	seq, diags := sequences.Read("starter.yaml", sequences.Starter())
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, plan.WriteJSON(&text))
	return text.String()
}

// diffOf compares a plan file with what is on stdin.
func diffOf(t *testing.T, text, stdin string, flags ...string) (stdout, stderr string, code int) {
	path := filepath.Join(t.TempDir(), "old.plan")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	var out, err bytes.Buffer
	code = Main(append(append([]string{"diff"}, flags...), path, "-"), strings.NewReader(stdin), &out, &err)
	return out.String(), err.String(), code
}

// TestDiffPlanText: a byte order mark makes a plan no sequence file, and what is no text
// is not repaired without a word.
func TestDiffPlanText(t *testing.T) {
	plan := starterPlan(t)
	stdout, stderr, code := diffOf(t, plan, "\ufeff"+plan)
	require.Zero(t, code, stderr)
	require.Equal(t, "no difference\n", stdout)

	bad := strings.Replace(plan, `"name": "`, "\"name\": \"\xff", 1)
	require.NotEqual(t, plan, bad)
	for _, text := range []string{bad, "\ufeff" + bad} {
		_, stderr, code = diffOf(t, plan, text)
		require.Equal(t, exitFault, code)
		require.Regexp(t, `^-:\d+: error\[SP0263\]: .* not UTF-8\n`, stderr)
	}
}

// TestIsPlan: the content says what a file is, and no sequence file is taken for a plan.
func TestIsPlan(t *testing.T) {
	for text, want := range map[string]bool{
		`{"seqplan_plan": 1}`: true, "\ufeff{\"seqplan_plan\": 1}": true, `{"a": [{}], "seqplan_plan"`: true, " \n{\"seqplan_plan\":": true,
		`{"seqplan": 1}`: false, `{"a": {"seqplan_plan": 1}}`: false, `["seqplan_plan"]`: false, `{"a": `: false, "": false, "seqplan_plan: 1": false,
		`{"a": "seqplan_plan"}`: false, "\ufeff\ufeff{\"seqplan_plan\": 1}": false,
	} {
		require.Equal(t, want, isPlan([]byte(text)), text)
	}
	require.False(t, isPlan(sequences.Starter()))
}

// TestDiffPlanted: a formula that is four times as large is caught, with its buffer and
// its line, in every format of diagnostics.
func TestDiffPlanted(t *testing.T) {
	const formula = `count: "n_events * max_words"`
	starter := string(sequences.Starter())
	require.Equal(t, 1, strings.Count(starter, formula))
	grown := strings.Replace(starter, formula, `count: "n_events * max_words * 4"`, 1)
	at := strings.Split(starter[:strings.Index(starter, formula)], "\n")
	line, col, name := len(at), len(at[len(at)-1])-len(strings.TrimLeft(at[len(at)-1], " "))+1, strings.TrimSpace(strings.Split(at[len(at)-1], ":")[0])

	_, stderr, code := diffOf(t, starterPlan(t), grown, "-max-growth", "2%", "-error-format", "json")
	require.Equal(t, exitFault, code)
	var got struct {
		Diagnostics []struct {
			File         string
			Line, Column int
			Code         string
			Message      string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stderr), &got))
	require.NotEmpty(t, got.Diagnostics)
	for _, d := range got.Diagnostics {
		require.Equal(t, []any{"-", line, col, "SP0260"}, []any{d.File, d.Line, d.Column, d.Code})
		require.Contains(t, d.Message, " "+name+" +")
	}

	_, stderr, _ = diffOf(t, starterPlan(t), grown, "-max-growth", "2%", "-error-format", "sarif")
	var log struct {
		Runs []struct {
			Results []struct {
				Locations []struct {
					PhysicalLocation struct {
						Region struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stderr), &log))
	require.Len(t, log.Runs[0].Results, len(got.Diagnostics))
	for _, r := range log.Runs[0].Results {
		require.Equal(t, line, r.Locations[0].PhysicalLocation.Region.StartLine)
		require.Equal(t, col, r.Locations[0].PhysicalLocation.Region.StartColumn)
	}
}
