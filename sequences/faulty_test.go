package sequences_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/internal/diag/diagtest"
	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/sequences"
)

// generatedCodes are the codes whose faults no checked-in file can or should hold;
// limits_test.go makes them.
var generatedCodes = []diag.Code{sequences.CodeRead, sequences.CodeTooLarge, sequences.CodeTooMany, sequences.CodeExprSize, "SP0134"}

// A file that is named after a code gives that code; the others give several.
func TestFaulty(t *testing.T) {
	covered := diagtest.Files(t, diagtest.Want, golden.Update(), func(t *testing.T, name string, data []byte) diag.List {
		seq, diags := sequences.Read(name, data)
		require.Equal(t, diags.HasErrors(), seq == nil)
		code, _, _ := strings.Cut(name, "_")
		named := code == "several" && len(diags) > 1
		for _, d := range diags {
			require.NotEmpty(t, sequences.Title(d.Code))
			require.Equal(t, strings.HasPrefix(sequences.Title(d.Code), "warning: "), d.Severity == diag.Warning)
			named = named || string(d.Code) == code
		}
		require.True(t, named, "the name of the file does not fit %v", diags)
		return diags
	})
	for _, c := range generatedCodes {
		covered[c] = true
	}
	for _, c := range sequences.Codes() {
		require.True(t, covered[c], "no faulty file gives %s (%s)", c, sequences.Title(c))
	}
	files, err := filepath.Glob("testdata/faulty/*.yaml")
	require.NoError(t, err)
	require.Greater(t, len(files), 100)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(data), "# "+diagtest.Want+": ")
	}
}
