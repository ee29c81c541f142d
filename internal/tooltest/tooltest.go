// Package tooltest finds the programs and devices that tests need beyond Go.
package tooltest

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/seqplan/seqplan/kernels"
)

// RequireEnv is the environment variable that turns a missing program from a
// reason to skip into a failure. CI sets it.
const RequireEnv = "SEQPLAN_REQUIRE_TOOLS"

// Need returns the path of a program. Without the program it skips the test, or
// fails it where RequireEnv is set.
func Need(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv(RequireEnv) != "" {
		t.Fatalf("%s is set, and %v", RequireEnv, err)
	}
	t.Skipf("this test needs %s: %v", name, err)
	return ""
}

// Opened looks at what came of opening a device. Where the machine has none it skips the
// test, or fails it where RequireEnv is set and the program carries the back end at all.
func Opened(t testing.TB, err error, carried bool) {
	t.Helper()
	if errors.Is(err, kernels.ErrNotSupported) && (!carried || os.Getenv(RequireEnv) == "") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
