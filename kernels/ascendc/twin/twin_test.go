package twin_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/ascendc/twin"
)

// TestModel: the model is as bad to kernels as it says, and ends what is wrong.
func TestModel(t *testing.T) {
	program, err := twin.New(t).Program(t.TempDir(), "model")
	require.NoError(t, err)
	out, err := exec.Command(program).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, use := range []string{"apart", "unaligned", "half_line", "outside", "endless", "around"} {
		require.Error(t, exec.Command(program, use).Run(), use)
	}
	require.NoError(t, exec.Command(program, "none").Run())
}
