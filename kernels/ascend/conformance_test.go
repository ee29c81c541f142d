package ascend_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
	"github.com/seqplan/seqplan/kernels/csrc"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// hostKernels compiles the portable kernels as host C++, with a function of the
// name of each kernel that takes its arguments as the fake hands them over. Inside,
// the kernels have other names.
func hostKernels(t *testing.T) string {
	t.Helper()
	gxx := tooltest.Need(t, "g++")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, csrc.Files()))
	before, after := "#include <cstdint>\n", ""
	for _, s := range kernels.Builtins() {
		var args []string
		for i, kind := range s.Args {
			arg := fmt.Sprintf("args[%d]", i)
			if kind == kernels.Address {
				arg = "(uint8_t *)" + arg
			}
			args = append(args, arg)
		}
		before += fmt.Sprintf("#define %s kernel_%s\n", s.Name, s.Name)
		after += fmt.Sprintf(`#undef %[1]s
extern "C" void %[1]s(const uint64_t *args, uint32_t blocks)
{
    seqplan_this.num_groups = blocks;
    for (uint32_t i = 0; i < blocks; i++) {
        seqplan_this.group = i;
        kernel_%[1]s(%[2]s);
    }
}
`, s.Name, strings.Join(args, ", "))
	}
	source, out := filepath.Join(dir, "kernels.cc"), filepath.Join(dir, "kernels.so")
	require.NoError(t, os.WriteFile(source, []byte(before+"#include \"seqplan_kernels.h\"\n"+after), 0o600))
	text, err := exec.Command(gxx, "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", out, source).CombinedOutput()
	require.NoError(t, err, string(text))
	return out
}

// The back end with the kernels in host C++ behind the fake library.
func TestConformance(t *testing.T) {
	f := newFake(t)
	f.options.Binary = []byte(hostKernels(t))
	for _, unaligned := range []bool{false, true} {
		f.options.UnalignedAsync = unaligned
		t.Run(fmt.Sprintf("unaligned=%t", unaligned), func(t *testing.T) {
			f.t = t
			f.reset()
			if unaligned {
				f.allowUnaligned()
			}
			kernelstest.Run(t, func() kernels.Device {
				d, err := ascend.Open(0, f.options)
				require.NoError(t, err)
				return d
			})
			if !t.Failed() { // else something may be left
				f.clean()
			}
		})
	}
}
