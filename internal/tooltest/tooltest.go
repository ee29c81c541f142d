// Package tooltest finds the programs that tests need beyond Go.
package tooltest

import (
	"os"
	"os/exec"
	"testing"
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
