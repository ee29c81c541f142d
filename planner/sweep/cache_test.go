package sweep_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/sweep"
)

func entries(t *testing.T, dir string) (paths []string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

// What has been planned before is taken from the cache, also for another grid that has
// some of the same points, and for the same file by another name.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	cache, err := sweep.OpenCache(filepath.Join(dir, "a", "b"))
	require.NoError(t, err)
	_, done := run(t, work(t, "n=0:9"), sweep.Options{Cache: cache})
	require.Equal(t, 10, done.Made)
	require.Len(t, entries(t, dir), 9, "errors are not kept")

	w := work(t, "n=5:14")
	rows, done := run(t, w, sweep.Options{Cache: cache})
	require.Equal(t, 5, done.Made)
	without, _ := run(t, w, sweep.Options{})
	require.Equal(t, without, rows)

	other := workOf(t, []sweep.File{{Path: "other.yaml", Data: []byte(small)}}, "n=1:14")
	_, done = run(t, other, sweep.Options{Cache: cache})
	require.Zero(t, done.Made)
	ordered := work(t, "k=1:2", "n=1:2")
	_, done = run(t, ordered, sweep.Options{Cache: cache})
	require.Equal(t, 4, done.Made)
	_, done = run(t, work(t, "n=1:2", "k=1:2"), sweep.Options{Cache: cache})
	require.Zero(t, done.Made, "the order of the parameters does not matter")

	changed := workOf(t, []sweep.File{{Path: "small.yaml", Data: []byte(small + "\n")}}, "n=1:2")
	_, done = run(t, changed, sweep.Options{Cache: cache})
	require.Equal(t, 2, done.Made)
	newer, err := sweep.NewWork("v2", []sweep.File{{Path: "small.yaml", Data: []byte(small)}}, ranges(t, "n=1:2"))
	require.NoError(t, err)
	_, done = run(t, newer, sweep.Options{Cache: cache})
	require.Equal(t, 2, done.Made, "another version of the program")
}

// A damaged entry is ignored and replaced, and so is one under a wrong name.
func TestCorruptCache(t *testing.T) {
	dir := t.TempDir()
	cache, err := sweep.OpenCache(dir)
	require.NoError(t, err)
	w := work(t, "n=1:2")
	want, _ := run(t, w, sweep.Options{Cache: cache})
	paths := entries(t, dir)
	good := [2][]byte{}
	for i, path := range paths {
		good[i], err = os.ReadFile(path)
		require.NoError(t, err)
	}
	flipped := append([]byte(nil), good[0]...)
	flipped[len(flipped)-10] ^= 1
	for name, bad := range map[string][]byte{
		"empty": {}, "torn": good[0][:40], "flipped": flipped, "another entry": good[1], "zeros": make([]byte, 400),
	} {
		require.NoError(t, os.WriteFile(paths[0], bad, 0o666))
		rows, done := run(t, w, sweep.Options{Cache: cache})
		require.Equal(t, want, rows, name)
		require.Equal(t, 1, done.Made, name)
		_, done = run(t, w, sweep.Options{Cache: cache})
		require.Zero(t, done.Made, name)
		data, err := os.ReadFile(paths[0])
		require.NoError(t, err)
		require.Equal(t, good[0], data)
	}
	require.Len(t, entries(t, dir), 2, "no temporary files stay")

	_, err = sweep.OpenCache(paths[0])
	require.Error(t, err, "a file is no directory")
}
