package planner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Every file in testdata/faulty starts with the diagnostics that it must give,
// all of them and no other, one per line:
//
//	# want: 8:36 error[SP0201]: message
func TestFaulty(t *testing.T) {
	files, err := filepath.Glob("testdata/faulty/*.yaml")
	require.NoError(t, err)
	covered := map[diag.Code]bool{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			var want, got []string
			for line := range strings.Lines(string(data)) {
				if w, ok := strings.CutPrefix(line, "# want: "); ok {
					want = append(want, strings.TrimSpace(w))
				}
			}
			seq, diags := sequences.Read(filepath.Base(file), data)
			require.NoError(t, diags.Err(), "the reader accepts it")
			found := planner.Check(seq)
			if !found.HasErrors() {
				if _, err := planner.Make(seq, planner.Options{}); err != nil {
					more, ok := err.(sequences.Diagnostics)
					require.True(t, ok, "%v", err)
					found = append(found, more...)
				}
			}
			for _, d := range found.Sorted() {
				require.Equal(t, filepath.Base(file), d.Pos.File)
				got = append(got, fmt.Sprintf("%d:%d %s[%s]: %s", d.Pos.Line, d.Pos.Col, d.Severity, d.Code, d.Message))
				covered[d.Code] = true
			}
			require.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"))
		})
	}
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
