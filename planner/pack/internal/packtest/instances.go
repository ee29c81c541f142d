package packtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
)

// Instances reads the public instances, which lie in ../shared/instances beside the
// checkout. It skips the test where they are absent.
func Instances(t testing.TB) map[string]pack.Problem {
	t.Helper()
	root, err := os.Getwd()
	require.NoError(t, err)
	for !exists(filepath.Join(root, "go.mod")) {
		require.NotEqual(t, filepath.Dir(root), root, "no go.mod above the test")
		root = filepath.Dir(root)
	}
	files, err := filepath.Glob(filepath.Join(root, "../shared/instances/*.csv"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no ../shared/instances beside the checkout")
	}
	out := make(map[string]pack.Problem)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		file, diags := csvfile.Read(f, text)
		require.Empty(t, diags)
		var p pack.Problem
		for _, b := range file.Buffers {
			require.Empty(t, b.Gaps)
			p.Buffers = append(p.Buffers, pack.Buffer{First: b.Lower, End: b.Upper, Size: b.Size, Align: max(1, b.Align)})
		}
		out[filepath.Base(f)] = p
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
