package csrc_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContention: eight threads take a million pieces each time. They are disjoint and
// aligned, none is refused as long as there is room, nothing wraps near the end of
// uint64, and there is no race.
func TestContention(t *testing.T) {
	program := build(t, "g++", "contend.cc", "-O2", "-fsanitize=thread")
	out, err := exec.Command(program).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
}
