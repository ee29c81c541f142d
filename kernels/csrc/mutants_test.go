package csrc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestMutants: the random programs find a guard that is gone.
func TestMutants(t *testing.T) {
	compiler := tooltest.Need(t, "g++")
	cases := slices.Collect(kernelstest.Programs(0, 1000))
	for _, m := range []struct{ file, old, new string }{
		{"seqplan_machine.h", "size <= UINT64_MAX - pad", "true"},
		{"seqplan_extents.h", "rounded > m->arena_capacity || ", ""},
		{"seqplan_extents.h", "e.size < size", "e.size <= size"},
		{"seqplan_step.h", "bool placed = m->code == SEQPLAN_CODE_OK;", "bool placed = true;"},
		{"seqplan_alloc.h", "rounded <= capacity && ", ""},
		{"seqplan_list.h", "end <= capacity", "end < capacity"},
	} {
		dir := project(t)
		require.NoError(t, os.CopyFS(dir, os.DirFS("testdata")))
		require.NoError(t, os.CopyFS(filepath.Join(dir, "probe"), os.DirFS("probe")))
		path := filepath.Join(dir, m.file)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(text), m.old)
		require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(text), m.old, m.new)), 0o666))
		driver := filepath.Join(dir, "driver")
		out, err := exec.Command(compiler, "-std=c++17", "-pthread", "-I"+dir, "-o", driver, filepath.Join(dir, "driver.cc")).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Error(t, runCases(t, driver, 1, 1, cases), "%s without %q", m.file, m.old)
	}
}
