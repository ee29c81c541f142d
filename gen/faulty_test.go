package gen

import (
	"io"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/internal/diag/diagtest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Every faulty file is a good sequence that cannot be generated in one of the
// languages, or both; the marker of its comments is "want go" or "want c".
func TestFaulty(t *testing.T) {
	covered := map[diag.Code]bool{}
	for lang, generate := range map[string]func(*sequences.Sequence, *planner.Plan) error{
		"go": func(seq *sequences.Sequence, plan *planner.Plan) error { return Go(io.Discard, seq, plan, GoOptions{}) },
		"c":  func(seq *sequences.Sequence, plan *planner.Plan) error { return C(io.Discard, seq, plan, COptions{}) },
	} {
		found := diagtest.Files(t, diagtest.Want+" "+lang, false, func(t *testing.T, name string, data []byte) diag.List {
			seq, diags := sequences.Read(name, data)
			require.NotNil(t, seq, "%v", diags)
			plan, err := planner.Make(seq, planner.Options{})
			require.NoError(t, err)
			err = generate(seq, plan)
			found, ok := err.(sequences.Diagnostics)
			require.True(t, ok || err == nil, "%v", err)
			return found
		})
		maps.Copy(covered, found)
	}
	for _, code := range Codes() {
		require.NotEmpty(t, Title(code))
		require.True(t, covered[code], "no faulty file gives %s", code)
	}
	require.Empty(t, Title("SP0000"))
}

// The page of the diagnostics has every code.
func TestCodesAreDocumented(t *testing.T) {
	page := read(t, "../docs/diagnostics-gen.md")
	for _, code := range Codes() {
		require.Contains(t, page, "| "+string(code)+" |")
	}
}
