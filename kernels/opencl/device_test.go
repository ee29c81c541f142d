package opencl

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

func TestDevices(t *testing.T) {
	d := openDevice(t)
	list, err := Devices(Options{})
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for i, c := range list {
		require.Equal(t, i, c.Index)
		require.NotEmpty(t, c.Name)
		require.NotEmpty(t, c.Platform)
	}
	info := d.Info()
	require.Equal(t, "opencl", info.Backend)
	require.NotZero(t, info.Memory)
	require.GreaterOrEqual(t, info.BaseAlign, uint64(8))
	i := 0
	for list[i].Lacks != "" {
		i++
	}
	require.Equal(t, list[i].Name, info.Name, "not the first that can be used")
}

func TestChoose(t *testing.T) {
	all := []candidate{
		{Description: Description{Index: 0, Name: "Old One"}, lacks: lacking("it is old")},
		{Description: Description{Index: 1, Name: "Good One"}},
		{Description: Description{Index: 2, Name: "Good Two 7"}},
		{Description: Description{Index: 3, Name: "Big Endian"}, lacks: lacking("it is big-endian")},
	}
	for _, test := range []struct {
		name  string
		index int
		err   string
	}{
		{"", 1, ""},
		{"0", 0, "device 0, Old One: not supported on this machine: it is old"},
		{"2", 2, ""},
		{"7", 0, `none of 4 OpenCL devices is "7"`},
		{"good two", 2, ""},
		{"ONE", 1, ""},
		{"two 7", 2, ""},
		{"endian", 0, "device 3, Big Endian: not supported on this machine: it is big-endian"},
		{"three", 0, `none of 4 OpenCL devices is "three"`},
		{"-1", 0, `none of 4 OpenCL devices is "-1"`},
	} {
		c, err := choose(all, test.name)
		if test.err != "" {
			require.ErrorContains(t, err, test.err, test.name)
			require.ErrorIs(t, err, kernels.ErrNotSupported, test.name)
			continue
		}
		require.NoError(t, err, test.name)
		require.Equal(t, test.index, c.Index, test.name)
	}
	_, err := choose(nil, "")
	require.ErrorIs(t, err, kernels.ErrNotSupported)
}

func TestVersions(t *testing.T) {
	for version, want := range map[string]bool{
		"OpenCL C 1.2 ": true, "OpenCL C 1.2 PoCL": true, "OpenCL C 3.0": true, "OpenCL C 1.10": true,
		"OpenCL C 1.1 x": false, "OpenCL C 1.0": false, "OpenCL 1.2": false, "": false,
	} {
		require.Equal(t, want, atLeast12(version), version)
	}
}

func TestMissingLibrary(t *testing.T) {
	for _, f := range []func() error{
		func() error { _, err := Open("", Options{Library: "./no-such-library.so"}); return err },
		func() error { _, err := Devices(Options{Library: "./no-such-library.so"}); return err },
	} {
		require.ErrorIs(t, f(), kernels.ErrNotSupported)
		require.ErrorContains(t, f(), "no-such-library.so")
	}
	t.Setenv(LibraryEnv, "./another-library.so")
	_, err := Open("", Options{})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "another-library.so")
}

func TestErrorNames(t *testing.T) {
	for code, name := range map[int32]string{
		-1: "CL_DEVICE_NOT_FOUND", -5: "CL_OUT_OF_RESOURCES", -11: "CL_BUILD_PROGRAM_FAILURE",
		-19: "CL_KERNEL_ARG_INFO_NOT_AVAILABLE", -30: "CL_INVALID_VALUE", -46: "CL_INVALID_KERNEL_NAME",
		-58: "CL_INVALID_EVENT", -61: "CL_INVALID_BUFFER_SIZE", -63: "CL_INVALID_GLOBAL_WORK_SIZE",
		-68: "CL_INVALID_DEVICE_PARTITION_COUNT", -1001: "CL_PLATFORM_NOT_FOUND_KHR",
		-20: "", -29: "", -69: "", -9999: "", 1: "", -1 << 31: "",
	} {
		require.Equal(t, name, codeName(code), code)
	}
	require.NoError(t, failed(clFinish, success, ""))
	require.EqualError(t, failed(clCreateKernel, invalidKernelName, "k"), "clCreateKernel: CL_INVALID_KERNEL_NAME (-46): k")
	require.EqualError(t, failed(clFinish, -9999, ""), "clFinish: error -9999")
	for code, want := range map[int32]error{
		-4: kernels.ErrOutOfMemory, -6: kernels.ErrOutOfMemory, -61: kernels.ErrOutOfMemory,
		-1: kernels.ErrNotSupported, -2: kernels.ErrNotSupported, -3: kernels.ErrNotSupported,
		-1001: kernels.ErrNotSupported, -46: kernels.ErrNoKernel, -5: nil,
	} {
		err := failed(clFinish, code, "")
		for _, e := range []error{kernels.ErrOutOfMemory, kernels.ErrNotSupported, kernels.ErrNoKernel} {
			require.Equal(t, e == want, errors.Is(err, e), "%v is %v", err, e)
		}
	}
}

// A device that is closed first is given back with what was made on it.
func TestClosedFirst(t *testing.T) {
	openDevice(t)
	d, err := Open("", Options{})
	require.NoError(t, err)
	require.NoError(t, d.Load(testKernels, testSignatures...))
	a, err := d.Alloc(100)
	require.NoError(t, err)
	m, err := d.AllocHost(100)
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	k := lookup(t, d, "test_nothing")
	require.NoError(t, s.Memset(a, 7, 100))
	require.NoError(t, s.CopyToHost(m.Bytes(), a))
	require.NoError(t, s.Record(e))
	require.Equal(t, Live{1, 1, 1, 1}, d.Live())

	require.EqualError(t, d.Close(), "device closed too early: {Allocs:1 HostAllocs:1 Streams:1 Events:1} still live")
	require.ErrorIs(t, d.Close(), kernels.ErrClosed)
	require.ErrorIs(t, s.Launch(k, one, kernels.Args{}), kernels.ErrClosed)
	require.ErrorIs(t, s.Record(e), kernels.ErrClosed)
	require.ErrorIs(t, s.Memset(a, 7, 100), kernels.ErrClosed)
	require.ErrorIs(t, d.Load(testKernels), kernels.ErrClosed)
	for _, f := range []func() error{
		func() error { _, err := d.Alloc(1); return err },
		func() error { _, err := d.AllocHost(1); return err },
		func() error { _, err := d.NewStream(); return err },
		func() error { _, err := d.NewEvent(); return err },
		func() error { _, err := d.Kernel("test_nothing"); return err },
	} {
		require.ErrorIs(t, f(), kernels.ErrClosed)
	}

	require.NoError(t, s.Synchronize())
	require.Equal(t, byte(7), m.Bytes()[99], "what was queued has run")
	require.NoError(t, e.Synchronize())
	done, err := e.Query()
	require.NoError(t, err)
	require.True(t, done)
	require.NoError(t, s.Close())
	require.NoError(t, m.Free())
	require.NoError(t, e.Close())
	require.ErrorIs(t, d.Free(a), kernels.ErrBadAddress)
	require.Equal(t, Live{}, d.Live())
}
