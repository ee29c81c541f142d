package sequences_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// generatedCodes are the codes whose faults no checked-in file can or should hold;
// limits_test.go makes them.
var generatedCodes = []diag.Code{sequences.CodeRead, sequences.CodeTooLarge, sequences.CodeExprSize, "SP0134"}

// Every file in testdata/faulty ends with the diagnostics that it must give, all of
// them and no other:
//
//	# want: LINE:COL: CODE: message
//
// A file that is named after a code gives that code.
func TestFaulty(t *testing.T) {
	files, err := filepath.Glob("testdata/faulty/*.yaml")
	require.NoError(t, err)
	require.Greater(t, len(files), 100)
	covered := map[diag.Code]bool{}
	for _, c := range generatedCodes {
		covered[c] = true
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			text, wants, _ := strings.Cut(string(data), "# want: ")
			var want, got []string
			for line := range strings.SplitSeq("# want: "+wants, "\n") {
				if w, ok := strings.CutPrefix(line, "# want: "); ok {
					want = append(want, w)
				}
			}
			seq, diags := sequences.Read(filepath.Base(file), data)
			for _, d := range diags {
				require.Equal(t, filepath.Base(file), d.Pos.File)
				require.NotEmpty(t, sequences.Title(d.Code))
				require.Equal(t, strings.HasPrefix(sequences.Title(d.Code), "warning: "), d.Severity == diag.Warning)
				got = append(got, fmt.Sprintf("%d:%d: %s: %s", d.Pos.Line, d.Pos.Col, d.Code, d.Message))
				covered[d.Code] = true
			}
			if *update {
				text += "# want: " + strings.Join(got, "\n# want: ") + "\n"
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
				return
			}
			require.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"))
			require.Equal(t, diags.HasErrors(), seq == nil)
			if code, _, _ := strings.Cut(filepath.Base(file), "_"); code != "several" {
				require.Contains(t, strings.Join(got, "\n"), code)
			} else {
				require.Greater(t, len(got), 1)
			}
		})
	}
	for _, c := range sequences.Codes() {
		require.True(t, covered[c], "no faulty file gives %s (%s)", c, sequences.Title(c))
	}
}
