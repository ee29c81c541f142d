// Package diagtest compares diagnostics with what faulty files say they must be.
package diagtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
)

// Want is the usual marker of Files.
const Want = "want"

// Files calls find for each file of testdata/faulty and compares what it returns
// with the comments of the file, which name all diagnostics and no other, in their
// order:
//
//	# want: 8:36 error[SP0201]: message
//
// "want" is the marker; a message that ends with three dots stands for any that
// starts so, for what other tools say. With update the comments, which then have to
// be at the end, are rewritten. It returns the codes that came up.
func Files(t *testing.T, marker string, update bool, find func(t *testing.T, name string, data []byte) diag.List) map[diag.Code]bool {
	t.Helper()
	paths, err := filepath.Glob("testdata/faulty/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	covered := make(map[diag.Code]bool)
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(strings.TrimSuffix(name, ".yaml"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			var got []string
			for _, d := range find(t, name, data) {
				require.Equal(t, name, d.Pos.File)
				covered[d.Code] = true
				got = append(got, fmt.Sprintf("%d:%d %s[%s]: %s", d.Pos.Line, d.Pos.Col, d.Severity, d.Code, d.Message))
			}
			comment := "# " + marker + ": "
			if update {
				text, _, _ := strings.Cut(string(data), comment)
				text += comment + strings.Join(got, "\n"+comment) + "\n"
				require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
				return
			}
			compare(t, wanted(string(data), comment), got)
		})
	}
	return covered
}

func wanted(text, comment string) []string {
	var want []string
	for line := range strings.Lines(text) {
		if w, ok := strings.CutPrefix(line, comment); ok {
			want = append(want, strings.TrimSpace(w))
		}
	}
	return want
}

func compare(t *testing.T, want, got []string) {
	t.Helper()
	for i := range min(len(want), len(got)) {
		if start, ok := strings.CutSuffix(want[i], "..."); ok && strings.HasPrefix(got[i], start) {
			got[i] = want[i]
		}
	}
	require.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"))
}
