package csrc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
)

// TestPTX rebuilds the PTX: what is checked in must be what the sources give.
func TestPTX(t *testing.T) {
	tooltest.Need(t, "clang-19")
	dir := t.TempDir()
	out, err := exec.Command("./build-ptx.sh", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for name, text := range map[string][]byte{"seqplan.ptx": csrc.PTX(), "probe/seqplan_probe.ptx": csrc.ProbePTX()} {
		built, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.True(t, string(built) == string(text), "%s is stale: run kernels/csrc/build-ptx.sh", name)
		require.NotContains(t, string(text), "//", "no comment, which could name a path or a compiler")
	}
}

var entry = regexp.MustCompile(`(?s)\.visible \.entry (\w+)\(\n(.*?)\n\)`)

// entries returns the types of the parameters of each kernel.
func entries(ptx []byte) map[string][]string {
	out := make(map[string][]string)
	for _, m := range entry.FindAllStringSubmatch(string(ptx), -1) {
		for _, line := range strings.Split(m[2], ",\n") {
			out[m[1]] = append(out[m[1]], strings.Fields(line)[1])
		}
	}
	return out
}

// TestPTXKernels: every kernel is there, with parameters of 8 bytes alone.
func TestPTXKernels(t *testing.T) {
	got := entries(csrc.PTX())
	require.Len(t, got, len(kernels.Builtins()))
	for _, s := range kernels.Builtins() {
		require.Len(t, got[s.Name], len(s.Args), s.Name)
		for _, kind := range got[s.Name] {
			require.Equal(t, ".u64", kind, s.Name)
		}
	}
	probes := entries(csrc.ProbePTX())
	require.Len(t, probes, 2)
	require.Len(t, probes["seqplan_test_alloc"], 4)
	require.Len(t, probes["seqplan_test_contend"], 5)
}

// TestPTXInstructions: the allocation moves the cursor by comparing and swapping, and
// one thread of a warp does it for those that are there.
func TestPTXInstructions(t *testing.T) {
	text := string(csrc.ProbePTX())
	for _, in := range []string{
		`atom\.(global\.)?cas\.b64`, `atom\.(global\.)?add\.u64`, `atom\.(global\.)?max\.u64`,
		`activemask\.b32`, `match\.any\.sync\.b64`, `shfl\.sync\.idx\.b32`, `%laneid`,
	} {
		require.Regexp(t, in, text)
	}
	text = string(csrc.PTX())
	for _, in := range []string{`membar\.gl`, `bar\.sync`, `atom\.(global\.)?max\.u64`, `\.shared`} {
		require.Regexp(t, in, text)
	}
	// What is in local memory is slow: the stack of the size programs, and no more.
	require.Equal(t, 1, strings.Count(text, "__local_depot"+"1["))
	require.Equal(t, 1, strings.Count(text, ".local .align"))
}
