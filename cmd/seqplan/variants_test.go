package main

import (
	"debug/elf"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVariants builds the command without cgo, with the back ends of devices and
// without. The first is linked dynamically, since it loads the libraries of drivers;
// the second needs no other file at run time.
func TestVariants(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("no device back ends here, or no ELF files")
	}
	t.Setenv("CGO_ENABLED", "0")
	for _, v := range []struct {
		tag     string
		dynamic bool
		says    string // of a library that is not there
	}{
		{"", true, "libseqplan-none.so"},
		{"seqplan_nodevice", false, "this program was built without it, with the build tag seqplan_nodevice"},
	} {
		deps := goTool(t, "list", "-deps", "-tags", v.tag, ".")
		require.Equal(t, v.dynamic, strings.Contains(deps, "purego"), "%q", v.tag)

		path := filepath.Join(t.TempDir(), "seqplan")
		goTool(t, "build", "-tags", v.tag, "-o", path, ".")
		file, err := elf.Open(path)
		require.NoError(t, err)
		interpreter := false
		for _, p := range file.Progs {
			interpreter = interpreter || p.Type == elf.PT_INTERP
		}
		needed, err := file.ImportedLibraries()
		require.NoError(t, err)
		require.NoError(t, file.Close())
		require.Equal(t, v.dynamic, interpreter, "%q", v.tag)
		require.Equal(t, v.dynamic, len(needed) > 0, "%q: %v", v.tag, needed)

		cmd := exec.Command(path, "run", "-events", "10", "-batches", "1", "-device", "opencl", "../../sequences/hlt1/velo.yaml")
		cmd.Env = append(cmd.Environ(), "SEQPLAN_OPENCL_LIBRARY=libseqplan-none.so")
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Equal(t, 1, cmd.ProcessState.ExitCode(), string(out))
		require.Contains(t, string(out), v.says)
		cmd = exec.Command(path, "run", "-events", "10", "-batches", "1", "../../sequences/hlt1/velo.yaml")
		out, err = cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "host: Go")
	}
}
