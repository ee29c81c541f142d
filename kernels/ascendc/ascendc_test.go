package ascendc_test

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
	"github.com/seqplan/seqplan/kernels/ascendc"
	"github.com/seqplan/seqplan/kernels/ascendc/twin"
	"github.com/seqplan/seqplan/kernels/csrc"
	"github.com/seqplan/seqplan/kernels/internal/dl"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// atomics makes the twin an Ascend 950.
const atomics = "-D__NPU_ARCH__=3510"

// TestFiles: the sources are whole.
func TestFiles(t *testing.T) {
	require.NoError(t, fstest.TestFS(ascendc.Files(), "seqplan_ascend.asc", "seqplan_ascend_alloc.h", "seqplan_abi.h"))
	source, err := fs.ReadFile(ascendc.Files(), "seqplan_ascend.asc")
	require.NoError(t, err)
	for _, s := range kernels.Builtins() {
		_, rest, ok := strings.Cut(string(source), "extern \"C\" __global__ __aicore__ void "+s.Name+"(")
		require.True(t, ok, s.Name)
		args, _, _ := strings.Cut(rest, ")")
		require.Equal(t, len(s.Args), 1+strings.Count(args, ","), s.Name)
		body, _, _ := strings.Cut(rest, "\n}\n")
		require.Contains(t, body, "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);", s.Name)
	}
	// One definition, here and there.
	here, err := fs.ReadFile(ascendc.Files(), "seqplan_abi.h")
	require.NoError(t, err)
	there, err := fs.ReadFile(csrc.Files(), "seqplan_abi.h")
	require.NoError(t, err)
	require.Equal(t, string(there), string(here), "run go generate")
}

// TestCompile: every file compiles by itself, for all architectures.
func TestCompile(t *testing.T) {
	b, dir := twin.New(t), twin.Write(t, ascendc.Files())
	names, err := fs.Glob(ascendc.Files(), "seqplan_ascend*")
	require.NoError(t, err)
	for _, name := range names {
		require.NoError(t, b.Check("g++", dir, name), name)
		require.NoError(t, b.Check("g++", dir, name, atomics), name)
	}
}

// TestAddressSpaces: pointers into global memory are marked, as CANN's compiler, which
// is a clang, wants it: such a pointer is not converted to a plain one.
func TestAddressSpaces(t *testing.T) {
	b, dir := twin.New(t), twin.Write(t, ascendc.Files())
	clang := tooltest.Need(t, "clang-19")
	for _, name := range []string{"seqplan_ascend.asc", "seqplan_ascend_alloc.h"} {
		for _, arch := range []string{"-U__NPU_ARCH__", atomics} {
			require.NoError(t, b.Check(clang, dir, name, arch, "-Wno-unused-function", "-D__gm__=__attribute__((address_space(1)))"), name)
		}
	}
}

// TestUser: kernels of a user read slots and take memory.
func TestUser(t *testing.T) {
	b := twin.New(t)
	for _, flags := range [][]string{nil, {atomics}} {
		program, err := b.Program(twin.Write(t, ascendc.Files()), "user", flags...)
		require.NoError(t, err)
		out, err := exec.Command(program).CombinedOutput()
		require.NoError(t, err, "%v %s", flags, out)
	}
}

// TestContention: with atomics all cores take memory at once.
func TestContention(t *testing.T) {
	b := twin.New(t)
	for _, flags := range [][]string{{atomics}, {atomics, "-fsanitize=thread"}} {
		program, err := b.Program(twin.Write(t, ascendc.Files()), "contention", flags...)
		require.NoError(t, err)
		out, err := exec.Command(program).CombinedOutput()
		require.NoError(t, err, "%v %s", flags, out)
	}
}

// TestLibrary: the kernels as functions that another process can call.
func TestLibrary(t *testing.T) {
	name, err := twin.New(t).Library(twin.Write(t, ascendc.Files()))
	require.NoError(t, err)
	if !dl.Supported {
		t.Skip("this program loads no libraries")
	}
	lib, err := dl.Open(name)
	require.NoError(t, err)
	require.Equal(t, "kernels.so", filepath.Base(name))

	s := &kernelstest.Sequence{Reuse: true, Steps: []kernelstest.Step{
		{Allocs: []kernelstest.Buffer{{Code: kernelstest.Const(100)}, {Code: kernelstest.Const(300)}}},
		{Releases: []uint64{0}, Allocs: []kernelstest.Buffer{{Code: kernelstest.Const(7)}}},
	}}
	l := s.Layout()
	want := kernelstest.Image(l, 4096, 4096)
	room := make([]byte, len(want)+abi.LineSize)
	skip := -uint64(uintptr(unsafe.Pointer(&room[0]))) % abi.LineSize
	got := room[skip : skip+uint64(len(want))]
	copy(got, want)
	call := func(name string, args ...uint64) {
		f, err := lib.Func(name)
		require.NoError(t, err)
		args = append([]uint64{uint64(uintptr(unsafe.Pointer(&got[0]))), l.ControlOffset, l.ProgramOffset}, args...)
		f.Call(uintptr(unsafe.Pointer(&args[0])), 8)
		runtime.KeepAlive(args)
	}
	call(kernels.Reset)
	require.NoError(t, arena.Reset(want, l.ControlOffset, l.ProgramOffset))
	for i := range uint64(3) {
		call(kernels.Step, i)
		require.NoError(t, arena.Step(want, l.ControlOffset, l.ProgramOffset, i))
	}
	require.Equal(t, want, got)
}
