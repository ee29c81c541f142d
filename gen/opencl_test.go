package gen

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
	"github.com/seqplan/seqplan/sequences/streams"
)

// TestOpenCL: a kernel in OpenCL C 1.2 uses a generated header, also behind the headers
// of the kernels.
func TestOpenCL(t *testing.T) {
	clang := tooltest.Need(t, "clang-19")
	for name, text := range map[string][]byte{"velo": hlt1.Velo(), "hlt1_reco": hlt1.Reco(), "init": sequences.Starter(), "trigger": streams.Trigger()} {
		seq, diags := sequences.Read(name+".yaml", text)
		require.NoError(t, diags.Err())
		plan, err := planner.Make(seq, planner.Options{})
		require.NoError(t, err)
		var header bytes.Buffer
		require.NoError(t, C(&header, seq, plan, COptions{Prefix: "p"}))
		kernel := `
__kernel void use(__global uchar *base)
{
    seqplan_control line;
    p_begin_batch(&line, P_DEVICE_POOL_SIZE, p_program[0]);
    ((__global seqplan_control *)base)->epoch = line.epoch + p_param_n_events(base);
}
`
		dir := t.TempDir()
		for file, source := range map[string]string{
			"alone.cl":  header.String() + kernel,
			"behind.cl": string(ABIHeader()) + header.String() + kernel,
		} {
			path := filepath.Join(dir, file)
			require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
			out, err := exec.Command(clang, "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-fsyntax-only",
				"-Wall", "-Wextra", "-Wno-unused-function", "-Werror", path).CombinedOutput()
			require.NoError(t, err, "%s, %s: %s", name, file, out)
		}
	}
}
