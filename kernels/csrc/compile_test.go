package csrc_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
)

// compile runs a compiler, which must say nothing.
func compile(t *testing.T, compiler string, args ...string) {
	t.Helper()
	out, err := exec.Command(tooltest.Need(t, compiler), args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
}

// write writes a file of a directory.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// project is a directory with the files that users get, and nothing else.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, csrc.Files()))
	return dir
}

// TestOpenCL: the programs are OpenCL C 1.2, and have every kernel with the
// parameters that a back end sets: a memory object and an offset for an address.
func TestOpenCL(t *testing.T) {
	for name, text := range map[string]string{"kernels.cl": csrc.OpenCL(), "probe.cl": csrc.ProbeOpenCL()} {
		path := write(t, t.TempDir(), name, text)
		compile(t, "clang-19", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-fsyntax-only",
			"-Wall", "-Wextra", "-Werror", "-Wno-unused-function", path)
		require.NotContains(t, text, "#include \"")
		require.Equal(t, 1, strings.Count(text, "#define SEQPLAN_ABI_H\n"))
	}
	for _, s := range kernels.Builtins() {
		require.Equal(t, 1, strings.Count(csrc.OpenCL(), "SEQPLAN_KERNEL "+s.Name+"(SEQPLAN_ADDRESS(base), "), s.Name)
	}
	require.Equal(t, csrc.OpenCL(), csrc.OpenCL())
}

// caller is a user's source that has the header of a sequence, by its first lines, and
// those of the device.
const caller = `
uint64_t twice(uint8_t *base, uint64_t n)
{
    uint64_t a = seqplan_alloc(base, 0, n), b = seqplan_alloc(base, 0, n);
    return a == SEQPLAN_NOT_PLACED ? b : a;
}
`

// TestHost: the headers compile without a warning in a directory of their own, in
// any order.
func TestHost(t *testing.T) {
	dir := project(t)
	for i, includes := range [][]string{
		{"seqplan_alloc.h"}, {"seqplan_alloc.h", "seqplan_kernels.h"}, {"seqplan_kernels.h", "seqplan_alloc.h"},
	} {
		text := caller
		for _, name := range includes {
			text = fmt.Sprintf("#include %q\n", name) + text
		}
		path := write(t, dir, fmt.Sprintf("caller%d.cc", i), text)
		for _, compiler := range []string{"g++", "clang++-19"} {
			for _, level := range []string{"-O0", "-O2"} {
				compile(t, compiler, append(warnings, level, "-c", "-o", filepath.Join(dir, "out.o"), path)...)
			}
		}
	}
}

// TestEachHeader: every header stands alone.
func TestEachHeader(t *testing.T) {
	dir := project(t)
	names, err := fs.Glob(csrc.Files(), "*.h")
	require.NoError(t, err)
	require.Greater(t, len(names), 10)
	for _, name := range names {
		if strings.HasPrefix(name, "seqplan_port_") || name == "seqplan_launch.h" {
			continue // chosen by seqplan_port.h; for projects with the CUDA SDK
		}
		path := write(t, dir, "one.cc", fmt.Sprintf("#include %q\n#include %q\n", name, name))
		compile(t, "g++", append(warnings, "-fsyntax-only", path)...)
	}
}
