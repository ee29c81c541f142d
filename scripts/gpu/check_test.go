//go:build linux && (amd64 || arm64)

package gpu_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// testCheck: the program finds what a kernel leaves wrong, and an error of every call.
func testCheck(t *testing.T, program string) {
	check := func(env string) (string, error) {
		cmd := exec.Command(program, "-quick")
		cmd.Env = append(os.Environ(), env, "ASAN_OPTIONS=detect_leaks=0")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := check("")
	require.NoError(t, err, out)
	for _, kernel := range []string{
		"seqplan_reset", "seqplan_step", "check_draws",
		"seqplan_test_contend", "seqplan_list_sum", "seqplan_list_scan", "seqplan_list_place",
	} {
		out, err := check("FAKE_SPOIL=" + kernel)
		require.Error(t, err, kernel)
		require.Contains(t, out, "FAILED", kernel)
		require.NotContains(t, out, "all checks passed")
	}
	for at := 1; ; at += 1 + at/4 {
		out, err := check("FAKE_FAIL=" + strconv.Itoa(at))
		if err == nil {
			require.Greater(t, at, 1000, "the calls are fewer than there must be")
			break
		}
		require.Regexp(t, `FAILED: .*: cudaError\w+\n$`, out)
	}
}

// TestCheckInCUDA: the program is CUDA C++, for the host and for the device.
func TestCheckInCUDA(t *testing.T) {
	clang := tooltest.Need(t, "clang-19")
	seq, diags := sequences.Read("velo.yaml", hlt1.Velo())
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	header, err := os.Create(filepath.Join(t.TempDir(), "velo_seqplan.h"))
	require.NoError(t, err)
	require.NoError(t, gen.C(header, seq, plan, gen.COptions{}))
	require.NoError(t, header.Close())
	const csrc = "../../kernels/csrc"
	for _, source := range []string{"check/check.cu", "check/check_alloc.cu"} {
		for _, side := range [][]string{{"--cuda-host-only"}, {"--cuda-device-only", "--cuda-feature=+ptx63"}} {
			out, err := exec.Command(clang, append(side, "-x", "cuda", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
				"-fms-extensions", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I"+csrc, "-Itestdata/cudart",
				"-I"+filepath.Dir(header.Name()), "-include", csrc+"/nosdk/cuda_stub.h", "-fsyntax-only", source)...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Empty(t, string(out))
		}
	}
}
