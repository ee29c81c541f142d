package gen

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPackageOf(t *testing.T) {
	dir := t.TempDir()
	require.Empty(t, PackageOf(dir))
	require.Empty(t, PackageOf(filepath.Join(dir, "nothing")))
	for name, text := range map[string]string{
		"a.txt": "package text", "a.go": "//go:build ignore\n\npackage main\n", "b_test.go": "package test_test", "c.go": "no clause", "d.go": "// A comment.\npackage tracks\nbroken", "e.go": "package other",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	require.Equal(t, "tracks", PackageOf(dir))
}
