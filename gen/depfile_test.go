package gen

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
)

func TestDepfile(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Depfile(&b, "out dir/velo.go", []string{"a b.yaml", "c$d.yaml", "e#f.yaml", `g\ h.yaml`}))
	require.Equal(t, `out\ dir/velo.go: \
  a\ b.yaml \
  c$$d.yaml \
  e\#f.yaml \
  g\\\ h.yaml
`, b.String())
	for _, bad := range []string{"", "a\nb", "a\rb", "a\x00b", "a\tb", "a=b", "a|b", "a;b"} {
		require.Error(t, Depfile(&b, "x", []string{bad}))
		require.Error(t, Depfile(&b, bad, nil))
	}
}

// make itself reads the rules back: for each odd name, the target is remade when
// the dependency is newer, and not when it is older.
func TestDepfileMake(t *testing.T) {
	tooltest.Need(t, "make")
	names := []string{
		"plain", "a b", "a  b", "a$b", "$(x)", "a#b", `a\b`, `a\ b`, `a\\ b`, `a\#b`, "a%b", "a:b", "a*b", "a?b",
		"a[b]", "~a", "a'b", `a"b`, "a&b", "a,b", "a{b}",
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			// A decoy that a wildcard would match instead.
			require.NoError(t, os.WriteFile(filepath.Join(dir, "axb"), nil, 0o666))
			dep, target := name+".yaml", name+".go"
			var b bytes.Buffer
			require.NoError(t, Depfile(&b, target, []string{dep}))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "deps"), b.Bytes(), 0o666))
			asTarget, err := escapeMake(target, true)
			require.NoError(t, err)
			asDep, err := escapeMake(target, false)
			require.NoError(t, err)
			makefile := "all: " + asDep + "\n" + asTarget + ":\n\t@echo remade\ninclude deps\n"
			require.NoError(t, os.WriteFile(filepath.Join(dir, "Makefile"), []byte(makefile), 0o666))
			run := func() (string, error) {
				cmd := exec.Command("make", "-s", "all")
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "HOME=/nowhere", "LC_ALL=C")
				out, err := cmd.CombinedOutput()
				return strings.TrimSpace(string(out)), err
			}
			out, err := run()
			require.Error(t, err, "the dependency is missing: %s", out)
			require.Contains(t, out, "No rule to make target")

			touch(t, filepath.Join(dir, target), 2000)
			touch(t, filepath.Join(dir, dep), 1000)
			out, err = run()
			require.NoError(t, err, out)
			require.NotContains(t, out, "remade")
			touch(t, filepath.Join(dir, dep), 3000)
			out, err = run()
			require.NoError(t, err, out)
			require.Equal(t, "remade", out)
		})
	}
}

// touch makes a file of a given age.
func touch(t *testing.T, path string, seconds int64) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	require.NoError(t, os.Chtimes(path, time.Unix(seconds, 0), time.Unix(seconds, 0)))
}
