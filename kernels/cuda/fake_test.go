//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// fakeDir holds what the tests build.
var fakeDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "seqplan-cuda")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fakeDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// fakeParts are the sources of the fake driver.
var fakeParts = []string{"fakestate", "fakework", "fakecuda", "fakepool"}

var compileFake = sync.OnceValue(func() error {
	for _, name := range fakeParts {
		out, err := exec.Command("gcc", "-c", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror",
			"-o", filepath.Join(fakeDir, name+".o"), "testdata/"+name+".c").CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return linkFake("gcc", "libfake.so")
})

// linkFake links the fake driver with something more.
func linkFake(compiler, name string, more ...string) error {
	args := append(more, "-shared", "-pthread", "-o", filepath.Join(fakeDir, name))
	for _, part := range fakeParts {
		args = append(args, filepath.Join(fakeDir, part+".o"))
	}
	out, err := exec.Command(compiler, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// linkFakeWithout links a fake driver that lacks a function.
func linkFakeWithout(function string) (path string, err error) {
	name := "lib" + function + ".so"
	script := filepath.Join(fakeDir, name+".map")
	if err := os.WriteFile(script, []byte("{ local: "+function+"; };\n"), 0o666); err != nil {
		return "", err
	}
	return filepath.Join(fakeDir, name), linkFake("gcc", name, "-Wl,--version-script="+script)
}

// fake is a fake driver.
type fake struct {
	path string
	lib  *dl.Library
}

// newFake resets the fake driver, of which there is one in the process.
func newFake(t testing.TB) *fake {
	t.Helper()
	tooltest.Need(t, "gcc")
	require.NoError(t, compileFake())
	return loadFake(t, filepath.Join(fakeDir, "libfake.so"))
}

func loadFake(t testing.TB, path string) *fake {
	t.Helper()
	lib, err := dl.Open(path)
	require.NoError(t, err)
	f := &fake{path, lib}
	f.call("fake_reset")
	return f
}

func (f *fake) call(name string, args ...uintptr) uintptr {
	fn, err := f.lib.Func(name)
	if err != nil {
		panic(err)
	}
	return fn.Call(args...)
}

func (f *fake) count(name string) int { return int(int32(f.call(name))) }

// log returns the calls so far, one a line.
func (f *fake) log() []string {
	fn, _ := f.lib.Func("fake_log")
	text := dl.String(fn.Call())
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// since returns the calls after the first n, without those that set the context.
func (f *fake) since(n int) []string {
	var out []string
	for _, line := range f.log()[n:] {
		if !strings.HasPrefix(line, "cuCtxSetCurrent ") {
			out = append(out, line)
		}
	}
	return out
}

// clean says that all was given back, once and one by one, and with due care.
func (f *fake) clean(t *testing.T) {
	t.Helper()
	require.Zero(t, f.count("fake_live"), "still live")
	require.Zero(t, f.count("fake_twice"), "given back twice")
	require.Zero(t, f.count("fake_careless"), "careless")
	require.Zero(t, f.count("fake_reclaimed"), "left to the context")
}

// ptx is a module for the fake driver.
func ptx(signatures ...kernels.Signature) []byte {
	var b bytes.Buffer
	b.WriteString(".version 8.0\n.target sm_70\n")
	for _, s := range signatures {
		params := make([]string, len(s.Args))
		for i := range params {
			params[i] = fmt.Sprintf(".param .u64 p%d", i)
		}
		fmt.Fprintf(&b, ".visible .entry %s(%s)\n{\nret;\n}\n", s.Name, strings.Join(params, ", "))
	}
	return b.Bytes()
}

func sign(name string, args int) kernels.Signature {
	return kernels.Signature{Name: name, Args: make([]kernels.ArgKind, args)}
}

// opts are the options for a device with modest kernels.
func (f *fake) opts() Options { return Options{Library: f.path, Image: ptx(kernels.Builtins()...)} }

// open opens a device that the end of the test closes and checks.
func (f *fake) open(t *testing.T) *Device {
	t.Helper()
	d, err := Open(0, f.opts())
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, d.Close())
		f.clean(t)
	})
	return d
}

func newStream(t testing.TB, d *Device) *Stream {
	t.Helper()
	s, err := d.NewStream()
	require.NoError(t, err)
	t.Cleanup(func() {
		if !s.(*Stream).closed {
			require.NoError(t, s.Close())
		}
	})
	return s.(*Stream)
}

func alloc(t testing.TB, d *Device, size uint64) kernels.Addr {
	t.Helper()
	a, err := d.Alloc(size)
	require.NoError(t, err)
	t.Cleanup(func() {
		if d.allocs.check(a, 1) == nil {
			require.NoError(t, d.Free(a))
		}
	})
	return a
}

// loadKernel loads one kernel.
func loadKernel(t *testing.T, d *Device, s kernels.Signature) kernels.Kernel {
	t.Helper()
	require.NoError(t, d.LoadModule(ptx(s), s))
	k, err := d.Kernel(s.Name)
	require.NoError(t, err)
	return k
}
