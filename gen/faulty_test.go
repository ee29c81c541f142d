package gen

import (
	"bytes"
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

// Every file in testdata/faulty is a good sequence that cannot be generated. It
// starts with all diagnostics that it must give, one per line:
//
//	# want go: 8:36 error[SP0301]: message
//	# want c: 8:36 error[SP0301]: message
//
// An end of three dots stands for what another tool says.
func TestFaulty(t *testing.T) {
	files, err := filepath.Glob("testdata/faulty/*.yaml")
	require.NoError(t, err)
	covered := map[diag.Code]bool{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			seq, diags := sequences.Read(filepath.Base(file), data)
			require.NotNil(t, seq, "%v", diags)
			plan, err := planner.Make(seq, planner.Options{})
			require.NoError(t, err)
			for lang, err := range map[string]error{
				"go": Go(&bytes.Buffer{}, seq, plan, GoOptions{}), "c": C(&bytes.Buffer{}, seq, plan, COptions{}),
			} {
				var want, got []string
				for line := range strings.Lines(string(data)) {
					if w, ok := strings.CutPrefix(line, "# want "+lang+": "); ok {
						want = append(want, strings.TrimSpace(w))
					}
				}
				found, ok := err.(sequences.Diagnostics)
				require.True(t, ok || err == nil, "%v", err)
				for _, d := range found {
					require.Equal(t, filepath.Base(file), d.Pos.File)
					covered[d.Code] = true
					got = append(got, fmt.Sprintf("%d:%d %s[%s]: %s", d.Pos.Line, d.Pos.Col, d.Severity, d.Code, d.Message))
				}
				for i := range min(len(want), len(got)) {
					if start, ok := strings.CutSuffix(want[i], "..."); ok && strings.HasPrefix(got[i], start) {
						got[i] = want[i]
					}
				}
				require.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"), lang)
			}
		})
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
