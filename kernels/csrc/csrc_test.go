package csrc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
)

// warnings are what every compiler must accept.
var warnings = []string{"-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I."}

// build compiles a source of testdata and returns the program.
func build(t *testing.T, compiler, source string, args ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	args = append(append(append([]string{}, warnings...), args...), "-pthread", "-o", program, filepath.Join("testdata", source))
	out, err := exec.Command(tooltest.Need(t, compiler), args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
	return program
}

// create opens a file of a temporary directory for writing.
func create(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), name))
	require.NoError(t, err)
	return f
}
