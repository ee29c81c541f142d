package planner_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/internal/diag/diagtest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// The reader accepts every faulty file; the planner does not.
func TestFaulty(t *testing.T) {
	covered := diagtest.Files(t, diagtest.Want, false, func(t *testing.T, name string, data []byte) diag.List {
		seq, diags := sequences.Read(name, data)
		require.NoError(t, diags.Err())
		found := planner.Check(seq)
		if !found.HasErrors() {
			if _, err := planner.Make(seq, planner.Options{}); err != nil {
				more, ok := err.(sequences.Diagnostics)
				require.True(t, ok, "%v", err)
				found = append(found, more...)
			}
		}
		return found.Sorted()
	})
	for _, code := range planner.Codes() {
		require.NotEmpty(t, planner.Title(code))
		require.True(t, covered[code], "no faulty file gives %s", code)
	}
}

// Warnings do not stop a plan, and are told.
func TestWarnings(t *testing.T) {
	data, err := os.ReadFile("testdata/faulty/SP0209.yaml")
	require.NoError(t, err)
	var warned sequences.Diagnostics
	_, err = planner.Make(read(t, data), planner.Options{Warn: func(d sequences.Diagnostic) { warned = append(warned, d) }})
	require.NoError(t, err)
	require.Len(t, warned, 1)
	require.Equal(t, planner.CodeTypical, warned[0].Code)
}
