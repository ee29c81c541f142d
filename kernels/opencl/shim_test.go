package opencl

import (
	"encoding/binary"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// shim is the library of testdata/shim.c.
type shim struct {
	path                                     string
	arm, live, dead, waits, failed, property dl.Func
}

func buildShim(t *testing.T, flags ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shim.so")
	args := append([]string{"-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", path, "testdata/shim.c", "-ldl"}, flags...)
	out, err := exec.Command(tooltest.Need(t, "gcc"), args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

func newShim(t *testing.T) *shim {
	t.Helper()
	s := &shim{path: buildShim(t)}
	lib, err := dl.Open(s.path)
	require.NoError(t, err)
	for name, f := range map[string]*dl.Func{
		"shim_arm": &s.arm, "shim_live": &s.live, "shim_dead_uses": &s.dead,
		"shim_waits": &s.waits, "shim_failed": &s.failed, "shim_property": &s.property,
	} {
		*f, err = lib.Func(name)
		require.NoError(t, err)
	}
	return s
}

// use uses every call of the package. Whatever fails, it gives everything back.
func use(library string) (err error) {
	d, err := Open("", Options{Library: library})
	if err != nil {
		return err
	}
	try := func(f func() error) {
		if err == nil {
			err = f()
		}
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	try(func() error { return d.Load(testKernels, testSignatures...) })
	var a kernels.Addr
	var m kernels.HostMemory
	var e kernels.Event
	var streams [2]kernels.Stream
	defer func() {
		if m != nil {
			err = errors.Join(err, m.Free())
		}
		for _, s := range streams {
			if s != nil {
				err = errors.Join(err, s.Close())
			}
		}
		if e != nil {
			err = errors.Join(err, e.Close())
		}
		if a != 0 {
			err = errors.Join(err, d.Free(a))
		}
	}()
	try(func() (err error) { a, err = d.Alloc(64); return err })
	try(func() (err error) { m, err = d.AllocHost(64); return err })
	try(func() (err error) { e, err = d.NewEvent(); return err })
	for i := range streams {
		try(func() (err error) { streams[i], err = d.NewStream(); return err })
	}
	s, other := streams[0], streams[1]
	var k kernels.Kernel
	try(func() (err error) { k, err = d.Kernel("test_add"); return err })
	src := slices.Repeat([]byte{3}, 64)
	try(func() error { return s.Memset(a, 5, 64) })
	try(func() error { return s.CopyToDevice(a+8, src[:8]) })
	try(func() error { return s.Launch(k, one, kernels.Args{uint64(a), 1, uint64(a) + 8}) })
	for range 2 {
		try(func() error { return s.Record(e) })
	}
	try(func() error { return other.Wait(e) })
	try(func() error { return other.CopyDevice(a+16, a+8, 8) })
	try(func() error { return other.CopyToHost(m.Bytes(), a) })
	try(func() error { return e.Synchronize() })
	try(func() error { return other.Synchronize() })
	try(func() error {
		done, err := e.Query()
		if err == nil && !done {
			err = errors.New("the event is not done")
		}
		return err
	})
	try(func() error {
		for at, want := range map[int]uint64{0: 0x0505050505050505, 8: 0x0808080808080808, 16: 0x0808080808080808} {
			if got := binary.LittleEndian.Uint64(m.Bytes()[at:]); got != want {
				return errors.New("wrong bytes")
			}
		}
		return nil
	})
	// What is left to Close.
	try(func() error { return s.Memset(a, 5, 64) })
	return err
}

// What fails of the driver: one call, one command, or all calls from one on.
const (
	oneCall = iota
	oneCommand
	allLater
)

// fail runs use with a failure at a call and returns the name of that call, empty if
// there are not so many. Nothing may be left, and nothing used after its end.
func (s *shim) fail(t *testing.T, at int, mode uintptr) (string, error) {
	t.Helper()
	s.arm.Call(uintptr(at), word(outOfResources), mode)
	err := use(s.path)
	require.Zero(t, s.live.Call(), "call %d, %v: objects are left", at, err)
	require.Zero(t, s.dead.Call(), "call %d, %v: a dead object was used", at, err)
	name := dl.String(s.failed.Call())
	if name == "" {
		require.NoError(t, err)
	}
	return name, err
}

func word(code int32) uintptr { return uintptr(uint32(code)) }

// Each call of the driver fails once: that is a typed error with its name.
func TestEveryCallFails(t *testing.T) {
	openDevice(t) // also keeps the driver from starting anew each time
	s := newShim(t)
	_, err := s.fail(t, 0, oneCall)
	require.NoError(t, err)
	waits := s.waits.Call()
	seen := map[string]bool{"clGetProgramBuildInfo": true} // called only after a failure
	firstCommand, again := 0, false
	for n := 1; ; n++ {
		name, err := s.fail(t, n, oneCall)
		if name == "" {
			break
		}
		seen[name] = true
		again = again || s.waits.Call() > waits
		if name == "clGetPlatformInfo" {
			require.NoError(t, err, "the name of a platform is not needed")
			continue
		}
		var e *Error
		require.ErrorAs(t, err, &e, "call %d of %s", n, name)
		require.Equal(t, name, e.Call)
		if name == "clWaitForEvents" { // that the work has failed is no failure of the wait
			s.arm.Call(uintptr(n), word(execStatusError), oneCall)
			require.NoError(t, use(s.path))
		}
		require.Equal(t, "CL_OUT_OF_RESOURCES", e.Name)
		require.NotContains(t, err.Error(), "closed too early")
		if firstCommand == 0 && name == "clEnqueueFillBuffer" {
			firstCommand = n
		}
	}
	for f := range numFunctions {
		require.True(t, seen[f.String()], "%v never failed", f)
	}
	require.True(t, again, "nobody waited again after clFinish had failed")

	// A driver that is beyond repair.
	for n := firstCommand - 5; ; n++ {
		name, err := s.fail(t, n, allLater)
		if name == "" {
			break
		}
		var e *Error
		require.ErrorAs(t, err, &e, "from call %d of %s on", n, name)
		require.Equal(t, name, e.Call)
	}
}

// Each command fails once after it was enqueued. To an event that says nothing: the
// stream tells.
func TestEveryCommandFails(t *testing.T) {
	openDevice(t)
	s := newShim(t)
	var calls []string
	queries := 0
	for n := 1; ; n++ {
		name, err := s.fail(t, n, oneCommand)
		if name == "" {
			break
		}
		if err == nil {
			queries++
			continue
		}
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "CL_OUT_OF_RESOURCES", e.Name)
		calls = append(calls, e.Call+" "+e.Detail)
	}
	require.ElementsMatch(t, []string{
		"clEnqueueBarrierWithWaitList ", "clEnqueueCopyBuffer ", "clEnqueueReadBuffer ", // other
		"clEnqueueFillBuffer ", "clEnqueueWriteBuffer ", "clEnqueueNDRangeKernel test_add", "clEnqueueFillBuffer ",
	}, calls)
	require.Equal(t, 1, queries, "of an event")
}

// A driver without what the kernels need is refused with the reason.
func TestUnfitDevices(t *testing.T) {
	openDevice(t)
	s := newShim(t)
	defer s.property.Call(0, 0, 0)
	for _, test := range []struct {
		key   uintptr
		value []byte
		why   string
	}{
		{deviceAvailable, []byte{0, 0, 0, 0}, "it is not available"},
		{deviceCompiler, []byte{0, 0, 0, 0}, "its driver has no compiler"},
		{deviceAddressBits, []byte{32, 0, 0, 0}, "its addresses have 32 bits, not 64"},
		{deviceEndianLittle, []byte{0, 0, 0, 0}, "it is big-endian"},
		{deviceOpenCLCVersion, []byte("OpenCL C 1.1 x\x00"), `its language is "OpenCL C 1.1 x", older than OpenCL C 1.2`},
		{deviceExtensions, []byte("cl_khr_int64_base_atomics_not cl_khr_fp64\x00"), "it has no cl_khr_int64_base_atomics"},
		{deviceBaseAddrAlign, []byte{192, 0, 0, 0}, "its memory is aligned to 24 bytes, no power of two"},
	} {
		s.arm.Call(0, 0, 0)
		s.property.Call(test.key, dl.Address(test.value), uintptr(len(test.value)))
		_, err := Open("", Options{Library: s.path})
		require.ErrorIs(t, err, kernels.ErrNotSupported)
		require.ErrorContains(t, err, test.why)
		list, err := Devices(Options{Library: s.path})
		require.NoError(t, err)
		require.Contains(t, list[0].Lacks, test.why)
	}
	strange := []byte{1, 2, 3}
	s.property.Call(deviceGlobalMemSize, dl.Address(strange), 3)
	_, err := Open("", Options{Library: s.path})
	require.ErrorContains(t, err, "an integer of 3 bytes for property 0x101f")
}

func TestNoPlatforms(t *testing.T) {
	openDevice(t)
	s := newShim(t)
	s.arm.Call(1, word(platformNotFound), 0)
	_, err := Open("", Options{Library: s.path})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "CL_PLATFORM_NOT_FOUND_KHR")
	s.arm.Call(1, word(platformNotFound), 0)
	_, err = Devices(Options{Library: s.path})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
}

func TestMissingFunction(t *testing.T) {
	openDevice(t)
	_, err := Open("", Options{Library: buildShim(t, "-DWITHOUT_FINISH")})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "clFinish")
}
