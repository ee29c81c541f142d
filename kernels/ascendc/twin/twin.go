package twin

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

//go:embed *.h programs/*.cc
var sources embed.FS

// Builder compiles AscendC sources together with the model. It may be used by
// several goroutines at once.
type Builder struct {
	gxx     string
	dir     string // of the headers of the model
	objects map[string]string
}

// warnings are what every source must be free of.
var warnings = []string{"-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"}

// New compiles the model. It skips the test where there is no g++.
func New(t testing.TB) *Builder {
	t.Helper()
	b := &Builder{gxx: tooltest.Need(t, "g++"), dir: t.TempDir(), objects: make(map[string]string)}
	require.NoError(t, os.CopyFS(b.dir, sources))
	for _, name := range []string{"machine", "driver"} {
		out := filepath.Join(b.dir, name+".o")
		require.NoError(t, b.compile("-O2", "-fPIC", "-c", filepath.Join(b.dir, "programs", name+".cc"), "-o", out))
		b.objects[name] = out
	}
	return b
}

func (b *Builder) compile(args ...string) error { return b.run(b.gxx, args...) }

// run runs a compiler. The error holds what it says; it must say nothing.
func (b *Builder) run(compiler string, args ...string) error {
	args = append(append([]string{}, warnings...), args...)
	out, err := exec.Command(compiler, append(args, "-I"+b.dir)...).CombinedOutput()
	if err == nil && len(out) > 0 {
		err = errors.New("warnings")
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(compiler), err, out)
	}
	return nil
}

// Check compiles one source of a directory on its own, with g++ or another compiler
// that takes the same flags.
func (b *Builder) Check(compiler, dir, name string, flags ...string) error {
	return b.run(compiler, append(flags, "-I"+dir, "-fsyntax-only", "-x", "c++", filepath.Join(dir, name))...)
}

// Driver makes a program that runs the cases of kernelstest on the kernels whose
// sources are in a directory; see programs/driver.cc. It writes to the directory.
func (b *Builder) Driver(dir string, flags ...string) (string, error) {
	unit := filepath.Join(dir, "table.cc")
	if err := os.WriteFile(unit, []byte(table()), 0o600); err != nil {
		return "", err
	}
	out := filepath.Join(dir, "driver")
	args := append(flags, "-I"+dir, unit, b.objects["machine"], b.objects["driver"], "-o", out)
	return out, b.compile(args...)
}

// Library makes a shared object that has, for each kernel whose sources are in a
// directory, a function of its name that takes a pointer to its arguments, 8 bytes
// each, and the number of blocks (uint32_t), and runs it. It writes to the directory.
func (b *Builder) Library(dir string) (string, error) {
	unit := filepath.Join(dir, "library.cc")
	if err := os.WriteFile(unit, []byte(library()), 0o600); err != nil {
		return "", err
	}
	out := filepath.Join(dir, "kernels.so")
	return out, b.compile("-O1", "-fPIC", "-shared", "-I"+dir, unit, b.objects["machine"], "-o", out)
}

// Program makes a program out of one of the programs of the model, which includes
// what it needs of the sources in a directory.
func (b *Builder) Program(dir, name string, flags ...string) (string, error) {
	out := filepath.Join(dir, name)
	args := append(flags, "-O1", "-pthread", "-I"+dir, "-I"+b.dir, filepath.Join(b.dir, "programs", name+".cc"))
	return out, b.compile(append(args, filepath.Join(b.dir, "programs", "machine.cc"), "-o", out)...)
}

// Write writes sources to a new directory of the test.
func Write(t testing.TB, sources fs.FS) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, sources))
	return dir
}

// signatures are the kernels by their indexes in kernelstest.Launch.
func signatures() []kernels.Signature {
	return append(kernels.Builtins(), kernelstest.AllocSignature())
}

// call is the call of a kernel with its arguments from an array.
func call(function string, s kernels.Signature) string {
	args := make([]string, len(s.Args))
	for i, kind := range s.Args {
		args[i] = fmt.Sprintf("args[%d]", i)
		if kind == kernels.Address {
			args[i] = fmt.Sprintf("reinterpret_cast<uint8_t *>(args[%d])", i)
		}
	}
	return fmt.Sprintf("[](const uint64_t *args) { %s(%s); }", function, strings.Join(args, ", "))
}

func table() string {
	var b strings.Builder
	b.WriteString("#include \"seqplan_ascend.asc\"\n#include \"test_alloc.h\"\n#include \"table.h\"\n\nconst twin_entry twin_table[] = {\n")
	for _, s := range signatures() {
		addresses := 0
		for i, kind := range s.Args {
			if kind == kernels.Address {
				addresses |= 1 << i
			}
		}
		fmt.Fprintf(&b, "    {%s, %d},\n", call(s.Name, s), addresses)
	}
	fmt.Fprintf(&b, "};\nconst uint64_t twin_table_size = %d;\n", len(signatures()))
	return b.String()
}

// library gives the kernels other names, because the functions have theirs.
func library() string {
	var before, after strings.Builder
	for _, s := range kernels.Builtins() {
		fmt.Fprintf(&before, "#define %[1]s kernel_%[1]s\n", s.Name)
		fmt.Fprintf(&after, "#undef %s\nextern \"C\" void %s(const uint64_t *args, uint32_t blocks)\n{\n    twin_launch(%s, args, blocks);\n}\n",
			s.Name, s.Name, call("kernel_"+s.Name, s))
	}
	return before.String() + "#include \"seqplan_ascend.asc\"\n" + after.String()
}
