package ascend_test

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

func TestNoLibrary(t *testing.T) {
	t.Setenv(ascend.LibraryEnv, "")
	_, err := ascend.Open(0, ascend.Options{Library: "/no/libascendcl.so"})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "/no/libascendcl.so")

	t.Setenv(ascend.LibraryEnv, "/other/libascendcl.so")
	_, err = ascend.Open(0, ascend.Options{})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "/other/libascendcl.so")
}

// A library without one of the functions is too old, or another one.
func TestMissingFunction(t *testing.T) {
	f := newFake(t, "-DaclrtBinaryUnLoad=other")
	_, err := ascend.Open(0, f.options)
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "aclrtBinaryUnLoad")
	require.ErrorContains(t, err, f.options.Library)
}

func TestOrdinals(t *testing.T) {
	f := newFake(t)
	for _, ordinal := range []int{-1, 2, math.MaxInt, math.MinInt} {
		_, err := ascend.Open(ordinal, f.options)
		require.ErrorIs(t, err, kernels.ErrNotSupported)
		require.ErrorContains(t, err, "there are 2 Ascend devices")
	}
	f.setDevices(0)
	_, err := ascend.Open(0, f.options)
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "there are 0 Ascend devices")
	require.NotContains(t, f.log(), "aclrtSetDevice")
	f.clean()
}

// Kernels come from the options, else from the environment; without them the error
// tells how to get them.
func TestKernelFile(t *testing.T) {
	f := newFake(t)
	t.Setenv(ascend.KernelsEnv, "")
	image := f.options.Binary
	file := filepath.Join(t.TempDir(), "kernels.o")
	open := func() error {
		d, err := ascend.Open(0, f.options)
		if err != nil {
			return err
		}
		return d.Close()
	}
	f.options.Binary = nil
	err := open()
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "bisheng -c")
	require.ErrorContains(t, err, ascend.KernelsEnv)

	t.Setenv(ascend.KernelsEnv, file)
	err = open()
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "bisheng -c")

	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, open(), "empty")
	// What has no end is not read.
	t.Setenv(ascend.KernelsEnv, "/dev/zero")
	require.ErrorContains(t, open(), "no regular file")
	t.Setenv(ascend.KernelsEnv, file)

	require.NoError(t, os.WriteFile(file, image, 0o600))
	require.NoError(t, open())
	t.Setenv(ascend.KernelsEnv, "")
	f.options.BinaryFile = file
	require.NoError(t, open())

	// Code without the kernels is refused, and says which one is missing.
	f.options.Binary = f.user
	err = open()
	require.ErrorContains(t, err, `kernel "`+kernels.Builtins()[0].Name+`"`)
	f.options.Binary = []byte("no such file")
	require.ErrorContains(t, open(), "aclrtBinaryLoadFromData")
	f.clean()
}

func TestInfo(t *testing.T) {
	f := newFake(t)
	d := f.open()
	require.Equal(t, kernels.Info{Backend: "ascend", Name: "Ascend910B4", Memory: 64 << 30, BaseAlign: 64}, d.Info())
	require.NoError(t, d.Close())
	require.ErrorIs(t, d.Close(), kernels.ErrClosed)
}

// Devices are opened again and again, also several at a time, and by others in the
// same process. Newer releases count; older ones call it an error.
func TestOpenAgain(t *testing.T) {
	for name, flags := range map[string][]string{"counting": nil, "older": {"-DOLD"}} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, flags...)
			init, err := f.lib.Func("aclInit")
			require.NoError(t, err)
			require.Zero(t, init.Status(0))
			for range 3 {
				first, err := ascend.Open(0, f.options)
				require.NoError(t, err)
				second, err := ascend.Open(1, f.options)
				require.NoError(t, err)
				require.NoError(t, first.Close())
				a, err := second.Alloc(10)
				require.NoError(t, err)
				require.NoError(t, second.Free(a))
				require.NoError(t, second.Close())
			}
			if fn := f.lib.Optional("aclFinalizeReference"); fn.Valid() {
				require.Zero(t, fn.Status(0))
			}
			f.clean()
		})
	}
}

// What was made on a device is of no use after it.
func TestAfterClose(t *testing.T) {
	f := newFake(t)
	d := f.open()
	a, err := d.Alloc(10)
	require.NoError(t, err)
	m, err := d.AllocHost(10)
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	k, err := d.Kernel(kernels.Reset)
	require.NoError(t, err)
	require.NoError(t, s.Memset(a, 1, 10))
	f.failWork(507015)
	require.NoError(t, s.Launch(k, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{}))
	err = d.Close()
	require.ErrorContains(t, err, "still live")
	require.ErrorContains(t, err, "RT_AICORE_EXCEPTION (507015)", "the last chance to tell")

	_, err = d.Alloc(10)
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, err = d.AllocHost(10)
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, err = d.NewStream()
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, err = d.NewEvent()
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, err = d.Kernel(kernels.Reset)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, d.LoadBinary(f.user), kernels.ErrClosed)
	require.ErrorIs(t, d.Free(a), kernels.ErrBadAddress)
	require.ErrorIs(t, m.Free(), kernels.ErrClosed)
	require.Nil(t, m.Bytes())
	require.ErrorIs(t, e.Close(), kernels.ErrClosed)
	require.ErrorIs(t, s.Close(), kernels.ErrClosed)
	require.ErrorIs(t, s.Memset(a, 0, 0), kernels.ErrClosed)
	require.ErrorIs(t, s.CopyDevice(a, a, 0), kernels.ErrClosed)
	require.ErrorIs(t, s.Launch(k, kernels.Grid{}, kernels.Args{}), kernels.ErrClosed)
	require.ErrorIs(t, s.Synchronize(), kernels.ErrClosed)
	require.ErrorIs(t, s.Record(e), kernels.ErrClosed)
}

func TestErrors(t *testing.T) {
	for code, sentinel := range map[ascend.Code]error{
		200000: kernels.ErrOutOfMemory, 207001: kernels.ErrOutOfMemory, 207018: kernels.ErrOutOfMemory,
		200001: kernels.ErrNotSupported, 200006: kernels.ErrNotSupported, 207000: kernels.ErrNotSupported, 207004: kernels.ErrNotSupported,
		107000: nil, 107002: nil, 507015: nil, 1: nil,
		207012: nil,
	} {
		err := error(&ascend.Error{Call: "f", Code: code})
		require.Equal(t, sentinel == kernels.ErrOutOfMemory, errors.Is(err, kernels.ErrOutOfMemory), code)
		require.Equal(t, sentinel == kernels.ErrNotSupported, errors.Is(err, kernels.ErrNotSupported), code)
	}
	require.ErrorIs(t, &ascend.Error{Call: "aclrtMemPoolMallocAsync", Code: 207012}, kernels.ErrOutOfMemory)
	require.EqualError(t, &ascend.Error{Call: "f", Code: 5}, "f: error (5)")
	for code, name := range map[ascend.Code]string{
		107000: "RT_PARAM_INVALID", 107002: "RT_CONTEXT_NULL", 107008: "RT_ADDR_UNALIGNED", 107017: "RT_INVALID_HANDLE",
		207000: "RT_FEATURE_NOT_SUPPORT", 207001: "RT_MEMORY_ALLOCATION", 207002: "RT_MEMORY_FREE", 207012: "RT_OVER_LIMIT",
		507015: "RT_AICORE_EXCEPTION", 507035: "RT_VECTOR_CORE_EXCEPTION", 12345: "12345", 0: "SUCCESS",
	} {
		require.Equal(t, name, code.String())
	}
}

// A driver without messages is no reason to fail in another way.
func TestNoMessages(t *testing.T) {
	f := newFake(t, "-DaclGetRecentErrMsg=other")
	f.failAt(1, 100001)
	_, err := ascend.Open(0, f.options)
	require.ErrorContains(t, err, "aclInit: ACL_ERROR_UNINITIALIZE (100001)")
	f.clean()
}

func TestSupported(t *testing.T) {
	if dl.Supported {
		t.Skip("this program loads libraries")
	}
	_, err := ascend.Open(0, ascend.Options{})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
}
