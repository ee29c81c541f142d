package csrc_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestLaunch runs random programs through the helper for the host code of CUDA
// projects, on a runtime that runs the kernels of the host port.
func TestLaunch(t *testing.T) {
	driver := build(t, "g++", "driver.cc", "-O1", "-DBY_HELPER", "-Itestdata/cudart", filepath.Join("testdata", "launch.cc"))
	require.NoError(t, runCases(t, driver, 1, 1, slices.Collect(kernelstest.Programs(40_000, 300))))
}

// TestLaunchInCUDA: the declarations agree with the kernels as a CUDA compiler sees
// both, for the host and for the device.
func TestLaunchInCUDA(t *testing.T) {
	path := write(t, t.TempDir(), "user.cu", "#include \"seqplan_launch.h\"\n#include \"seqplan_kernels.h\"\n#include \"seqplan_alloc.h\"\n"+
		"cudaError_t f(cudaStream_t s, void *p) { return seqplan_launch_step(s, p, 0, 0, 0); }\n"+
		"__global__ void k(uint8_t *p, uint64_t *out) { out[threadIdx.x] = seqplan_alloc(p, 0, threadIdx.x); }\n")
	for _, side := range [][]string{{"--cuda-host-only"}, {"--cuda-device-only", "--cuda-feature=+ptx63"}} {
		compile(t, "clang-19", append(side, "-x", "cuda", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
			"-fms-extensions", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I.", "-Itestdata/cudart",
			"-include", "nosdk/cuda_stub.h", "-fsyntax-only", path)...)
	}
}
