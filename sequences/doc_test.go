package sequences_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/sequences"
)

// docs/diagnostics.md lists every code of the reader with its title and the message
// of a faulty file.
func TestDiagnosticsDoc(t *testing.T) {
	const path, begin, end = "../docs/diagnostics.md", "-update -->\n", "<!-- end sequences -->"
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(data), begin)
	require.True(t, ok)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	want := before + begin + diagnosticsTable(t) + end + after
	if golden.Update() {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		return
	}
	require.True(t, want == string(data), "run go test ./sequences -run TestDiagnosticsDoc -update")
}

func diagnosticsTable(t *testing.T) string {
	examples := map[string]string{
		"SP0001": "cannot read the file: no such file or directory",
		"SP0002": "the file is larger than 16 MiB",
		"SP0045": "more than 1024 parameters",
		"SP0134": "the expression has 80001 bytes, more than 65536",
		"SP0140": "the expression has 65537 terms when its groups are written out, more than 65536",
	}
	files, err := filepath.Glob("testdata/faulty/SP*.yaml")
	require.NoError(t, err)
	slices.Sort(files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		code := filepath.Base(file)[:6]
		for line := range strings.SplitSeq(string(data), "\n") {
			if _, message, ok := strings.Cut(line, "["+code+"]: "); ok && strings.HasPrefix(line, "# want: ") && examples[code] == "" {
				examples[code] = message
			}
		}
	}
	var b strings.Builder
	b.WriteString("| code | meaning | for example |\n|---|---|---|\n")
	for _, c := range sequences.Codes() {
		require.NotEmpty(t, examples[string(c)], c)
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c, sequences.Title(c), strings.ReplaceAll(examples[string(c)], "|", `\|`))
	}
	return b.String()
}

// docs/sequence-file.md names every key of the format, and no file of the reader
// disagrees with it.
func TestFormatDoc(t *testing.T) {
	data, err := os.ReadFile("../docs/sequence-file.md")
	require.NoError(t, err)
	for _, key := range sequences.Keys() {
		require.Contains(t, string(data), "`"+key+"`", "a key of the format")
	}
}
