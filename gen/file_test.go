package gen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// entries are the names in a directory: a test sees a temporary file that stays.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteIfChanged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.go")

	changed, err := WriteIfChanged(path, []byte("one"))
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, "one", read(t, path))

	old := time.Unix(1e9, 0)
	require.NoError(t, os.Chtimes(path, old, old))
	changed, err = WriteIfChanged(path, []byte("one"))
	require.NoError(t, err)
	require.False(t, changed)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.True(t, info.ModTime().Equal(old), "a file with the same bytes must not be touched")

	require.NoError(t, os.Chmod(path, 0o640))
	changed, err = WriteIfChanged(path, []byte("two"))
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, "two", read(t, path))
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o640), info.Mode())
	require.Equal(t, []string{"x.go"}, entries(t, dir))
}

// The old file is replaced, not written over: whoever has it open keeps reading
// the old bytes, and a crash leaves one of the two.
func TestWriteIfChangedReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.go")
	require.NoError(t, os.WriteFile(path, []byte("old bytes"), 0o666))
	open, err := os.Open(path)
	require.NoError(t, err)
	defer open.Close()
	_, err = WriteIfChanged(path, []byte("new"))
	require.NoError(t, err)
	buf := make([]byte, 16)
	n, err := open.Read(buf)
	require.NoError(t, err)
	require.Equal(t, "old bytes", string(buf[:n]))
}

func TestWriteIfChangedFailureLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.go")
	// The target turns out to be a directory only at the rename.
	require.NoError(t, os.MkdirAll(filepath.Join(path, "full"), 0o777))
	require.Error(t, replaceFile(path, []byte("data"), nil))
	require.Equal(t, []string{"x.go"}, entries(t, dir), "the temporary file must be gone")

	_, err := WriteIfChanged(path, []byte("data"))
	require.ErrorContains(t, err, "is a directory")
	missing := filepath.Join(dir, "missing", "x.go")
	_, err = WriteIfChanged(missing, []byte("data"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.EqualError(t, err, "open "+missing+": no such file or directory")
}

func TestWriteIfChangedFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "real", "sub"), 0o777))
	require.NoError(t, os.Symlink(filepath.Join("real", "sub"), filepath.Join(dir, "sub")))
	// Through a link to a directory and back: real/x.go, not x.go.
	require.NoError(t, os.Symlink("sub/../x.go", filepath.Join(dir, "a")))
	require.NoError(t, os.Symlink("a", filepath.Join(dir, "b")))
	for _, data := range []string{"new file", "changed"} {
		changed, err := WriteIfChanged(filepath.Join(dir, "b"), []byte(data))
		require.NoError(t, err)
		require.True(t, changed)
		require.Equal(t, data, read(t, filepath.Join(dir, "real", "x.go")))
	}
	info, err := os.Lstat(filepath.Join(dir, "b"))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink)
	require.Equal(t, []string{"a", "b", "real", "sub"}, entries(t, dir))

	require.NoError(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	_, err = WriteIfChanged(filepath.Join(dir, "loop"), nil)
	require.ErrorContains(t, err, "symbolic links")
}

func TestWriteIfChangedDevice(t *testing.T) {
	changed, err := WriteIfChanged(os.DevNull, []byte("data"))
	require.NoError(t, err)
	require.True(t, changed)
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	require.False(t, info.Mode().IsRegular())
}

func TestCheckAndDiff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.go")
	require.ErrorIs(t, Check(path, []byte("a\n")), ErrStale)
	diff, err := Diff(path, []byte("a\n"))
	require.NoError(t, err)
	require.Contains(t, diff, "+a\n")

	require.NoError(t, os.WriteFile(path, []byte("a\nb\n"), 0o666))
	require.NoError(t, Check(path, []byte("a\nb\n")))
	diff, err = Diff(path, []byte("a\nb\n"))
	require.NoError(t, err)
	require.Empty(t, diff)

	require.ErrorIs(t, Check(path, []byte("a\nc\n")), ErrStale)
	diff, err = Diff(path, []byte("a\nc\n"))
	require.NoError(t, err)
	require.Contains(t, diff, "-b\n+c\n")

	// What cannot be read is no stale file.
	dir := t.TempDir()
	err = Check(dir, nil)
	require.Error(t, err)
	require.False(t, errors.Is(err, ErrStale))
	_, err = Diff(dir, nil)
	require.Error(t, err)
}
