package ascend_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// fake is a stand-in for libascendcl, built for one test; see testdata/fake.h.
type fake struct {
	t       *testing.T
	lib     *dl.Library
	options ascend.Options // for Open
	user    []byte         // the image of testdata/user.c
}

// built is what gcc has made, by its input and arguments: each test has a copy of its
// own, with its own variables, but gcc runs once for all.
var built sync.Map

// build compiles a shared object out of C sources, or of a text.
func build(t *testing.T, name, text string, args ...string) string {
	t.Helper()
	gcc := tooltest.Need(t, "gcc")
	if !dl.Supported {
		t.Skip("this program loads no libraries")
	}
	out := filepath.Join(t.TempDir(), name)
	key := text + strings.Join(args, " ")
	if image, ok := built.Load(key); ok {
		require.NoError(t, os.WriteFile(out, image.([]byte), 0o700))
		return out
	}
	flags := []string{"-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-shared", "-fPIC", "-o", out}
	if text != "" {
		args = append([]string{"-xc", "-"}, args...)
	}
	cmd := exec.Command(gcc, slices.Concat(flags, args, []string{"-ldl", "-lpthread"})...)
	cmd.Stdin = strings.NewReader(text)
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, string(said))
	image, err := os.ReadFile(out)
	require.NoError(t, err)
	built.Store(key, image)
	return out
}

// stubs is a shared object with kernels of all the names that Open looks for. They
// do nothing.
func stubs(t *testing.T) string {
	text := "#include <stdint.h>\n"
	for _, s := range kernels.Builtins() {
		text += fmt.Sprintf("void %s(const uint64_t *args, uint32_t blocks) { (void)args; (void)blocks; }\n", s.Name)
	}
	return build(t, "stubs.so", text)
}

// newFake builds the library with some flags for the compiler. To the fake the
// image of a binary is the path of a shared object; the one for Open has stubs.
func newFake(t *testing.T, flags ...string) *fake {
	t.Helper()
	path := build(t, "libascendcl.so", "", append(flags, "testdata/fake.c", "testdata/acl.c", "testdata/code.c", "testdata/pool.c")...)
	lib, err := dl.Open(path)
	require.NoError(t, err)
	return &fake{
		t: t, lib: lib,
		options: ascend.Options{Library: path, Binary: []byte(stubs(t))},
		user:    []byte(build(t, "user.so", "", "testdata/user.c")),
	}
}

func (f *fake) call(name string, args ...uintptr) uintptr {
	fn, err := f.lib.Func(name)
	require.NoError(f.t, err)
	return fn.Call(args...)
}

// failAt makes a call fail; they count from 1. failWork makes the next kernel fail.
func (f *fake) failAt(call int, code int32) { f.call("fake_fail_at", uintptr(call), uintptr(code)) }
func (f *fake) failWork(code int32)         { f.call("fake_fail_work", uintptr(code)) }
func (f *fake) setDevices(n int)            { f.call("fake_set_devices", uintptr(n)) }
func (f *fake) allowUnaligned()             { f.call("fake_allow_unaligned", 1) }
func (f *fake) reset()                      { f.call("fake_reset") }
func (f *fake) lines(name string) []string {
	return slices.Collect(strings.Lines(dl.String(f.call(name))))
}
func (f *fake) log() (calls []string) { return trim(f.lines("fake_log")) }
func (f *fake) count(call string) (times int) {
	return len(slices.DeleteFunc(f.log(), func(s string) bool { return s != call }))
}

func trim(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\n")
	}
	return lines
}

// clean checks that everything was given back, once, and nothing misused.
func (f *fake) clean(what ...any) {
	f.t.Helper()
	require.Empty(f.t, f.lines("fake_faults"), what...)
	require.Zero(f.t, int32(f.call("fake_live")), what...)
}

// open opens device 0. When the test ends it must have been closed, and all be
// clean.
func (f *fake) open() *ascend.Device {
	f.t.Helper()
	d, err := ascend.Open(0, f.options)
	require.NoError(f.t, err)
	f.t.Cleanup(func() { f.clean() })
	return d
}
