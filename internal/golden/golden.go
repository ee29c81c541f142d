// Package golden owns how tests compare an output with the file that is checked in, and
// the flag that rewrites those files. Only tests import it.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Update tells whether golden files are to be rewritten.
func Update() bool { return *update }

// Equal fails the test unless the file has these bytes. With -update it writes them.
func Equal(t testing.TB, file string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, got, 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s: run the tests of the package with -update", file)
}
