package opencl

import (
	"encoding/binary"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// The driver leaves the signals to the Go runtime, and Go programs what they are
// used to. SIGURG tells which handler is the runtime's: no driver wants it.
func TestSignals(t *testing.T) {
	d := openDevice(t)
	s, a := newStream(t, d), alloc(t, d, 8)
	require.NoError(t, d.Load(testKernels, testSignatures...))
	require.NoError(t, s.Memset(a, 1, 8))
	require.NoError(t, s.Synchronize())
	handler := func(s syscall.Signal) uint64 {
		var now action
		sigaction(int(s), nil, &now)
		return now[0]
	}
	for _, s := range []syscall.Signal{
		syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGHUP,
		syscall.SIGABRT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPROF, syscall.SIGILL, syscall.SIGTRAP,
	} {
		require.Equal(t, handler(syscall.SIGURG), handler(s), s)
	}
	var nothing *kernels.Info
	require.Panics(t, func() { t.Log(nothing.Name) })

	// In OpenCL that is no fault; the result is not specified.
	require.NoError(t, s.Launch(lookup(t, d, "test_divide"), one, kernels.Args{1, 0, uint64(a)}))
	require.NoError(t, s.Synchronize())
	require.NoError(t, s.Launch(lookup(t, d, "test_divide"), one, kernels.Args{42, 5, uint64(a)}))
	got := make([]byte, 8)
	require.NoError(t, s.CopyToHost(got, a))
	require.NoError(t, s.Synchronize())
	require.Equal(t, uint64(8), binary.LittleEndian.Uint64(got))
}
