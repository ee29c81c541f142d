package opencl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

var one = kernels.Grid{Blocks: 1, Threads: 1}

// openDevice opens the first device, and closes it at the end of the test, when
// nothing may be left on it. Without one the test is skipped, or fails where tools
// are required.
func openDevice(t testing.TB) *Device {
	t.Helper()
	d, err := Open("", Options{})
	tooltest.Opened(t, err, dl.Supported)
	t.Cleanup(func() {
		require.Equal(t, Live{}, d.Live())
		require.NoError(t, d.Close())
	})
	return d
}

func newStream(t testing.TB, d *Device) *stream {
	t.Helper()
	s, err := d.NewStream()
	require.NoError(t, err)
	t.Cleanup(func() {
		if own := s.(*stream); !own.closed {
			require.NoError(t, s.Close())
		}
	})
	return s.(*stream)
}

func alloc(t testing.TB, d *Device, size uint64) kernels.Addr {
	t.Helper()
	a, err := d.Alloc(size)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Free(a)) })
	return a
}

// testKernels are kernels to test with.
const testKernels = `
__kernel void test_nothing(void) {}
__kernel void test_add(__global uchar *from_mem, ulong from_off, ulong n, __global uchar *to_mem, ulong to_off) {
	__global ulong *from = (__global ulong *)(from_mem + from_off);
	__global ulong *to = (__global ulong *)(to_mem + to_off);
	for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) to[i] += from[i] * get_local_size(0);
}
__kernel void test_divide(ulong a, ulong b, __global uchar *to_mem, ulong to_off) {
	*(__global ulong *)(to_mem + to_off) = a / b;
}
`

var testSignatures = []kernels.Signature{
	{Name: "test_nothing"},
	{Name: "test_add", Args: []kernels.ArgKind{kernels.Address, kernels.Integer, kernels.Address}},
	{Name: "test_divide", Args: []kernels.ArgKind{kernels.Integer, kernels.Integer, kernels.Address}},
}

func lookup(t testing.TB, d *Device, name string) kernels.Kernel {
	t.Helper()
	k, err := d.Kernel(name)
	require.NoError(t, err)
	return k
}
