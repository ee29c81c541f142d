package streampool_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/devices"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/opencl"
)

// The samples of the document on stream-ordered allocation, line for line, on the back
// ends whose drivers have no pools. kernels/ascend has them with pools of the driver.

// onEach runs a test on the host and, where there is one, an OpenCL device, both with
// the kernel add_custom.
func onEach(t *testing.T, test func(t *testing.T, dev kernels.Device)) {
	t.Run("host", func(t *testing.T) {
		dev := host.New(host.Options{})
		require.NoError(t, dev.Register("add_custom", func(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
			var n [2]uint64
			for i := range n {
				b, err := mem.Bytes(kernels.Addr(args[i]), 8)
				if err != nil {
					return err
				}
				n[i] = binary.LittleEndian.Uint64(b)
			}
			out, err := mem.Bytes(kernels.Addr(args[2]), 8)
			if err == nil {
				binary.LittleEndian.PutUint64(out, n[0]+n[1])
			}
			return err
		}))
		test(t, dev)
		require.Equal(t, host.Live{}, dev.Live())
		require.NoError(t, dev.Close())
	})
	t.Run("opencl", func(t *testing.T) {
		dev, err := opencl.Open("", opencl.Options{})
		tooltest.Opened(t, err, devices.Carried())
		require.NoError(t, dev.Load(`
__kernel void add_custom(__global uchar *x_mem, ulong x_off, __global uchar *y_mem, ulong y_off, __global uchar *z_mem, ulong z_off)
{
    if (get_global_id(0) == 0)
        *(__global ulong *)(z_mem + z_off) = *(__global ulong *)(x_mem + x_off) + *(__global ulong *)(y_mem + y_off);
}`, kernels.Signature{Name: "add_custom", Args: []kernels.ArgKind{kernels.Address, kernels.Address, kernels.Address}}))
		test(t, dev)
		require.Equal(t, opencl.Live{}, dev.Live())
		require.NoError(t, dev.Close())
	})
}

// argsInfo is the structure ArgsInfo of the sample, as bytes.
func argsInfo(x, y, z kernels.Addr) []byte {
	var b []byte
	for _, a := range []kernels.Addr{x, y, z} {
		b = binary.LittleEndian.AppendUint64(b, uint64(a))
	}
	return b
}

// number8 is a number in eight bytes.
func number8(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

// TestSampleSynchronous is the first sample: without a pool the memory can be freed
// only after the stream was waited for.
func TestSampleSynchronous(t *testing.T) {
	onEach(t, func(t *testing.T, dev kernels.Device) {
		stream1, err := dev.NewStream() // aclrtCreateStream
		require.NoError(t, err)
		ptr0, err := dev.Alloc(24) // aclrtMalloc(&ptr0, sizeof(ArgsInfo))
		require.NoError(t, err)
		usrArgs := argsInfo(ptr0, ptr0+8, ptr0+16)
		require.NoError(t, stream1.CopyToDevice(ptr0, usrArgs)) // aclrtMemcpyAsync
		add, err := dev.Kernel("add_custom")
		require.NoError(t, err)
		require.NoError(t, stream1.Launch(add, kernels.Grid{Blocks: 32, Threads: 1}, // aclrtLaunchKernelV2
			kernels.Args{uint64(ptr0), uint64(ptr0 + 8), uint64(ptr0 + 16)}))
		require.NoError(t, stream1.Synchronize()) // needed before the memory is freed
		require.NoError(t, dev.Free(ptr0))        // aclrtFree
		require.NoError(t, stream1.Synchronize())
		require.NoError(t, stream1.Close())
	})
}

// TestSampleStreamOrdered is the second and the third sample: the memory is freed in
// the stream, before its work has run.
func TestSampleStreamOrdered(t *testing.T) {
	onEach(t, func(t *testing.T, dev kernels.Device) {
		r, err := streampool.New(dev, streampool.Options{}) // aclInit, aclrtSetDevice, aclrtCreateContext
		require.NoError(t, err)
		stream1, err := r.NewStream() // aclrtCreateStream
		require.NoError(t, err)

		testLoc := kernels.PoolLocation{ID: 0, Type: kernels.PoolOnDevice}
		testProp := streampool.Props{ // aclrtMemPoolProps
			AllocType:  kernels.PoolPinned,
			HandleType: kernels.PoolHandleNone,
			Location:   testLoc,
			MaxSize:    14 << 30,
		}
		testReusePool, err := r.Create(testProp) // aclrtMemPoolCreate
		require.NoError(t, err)
		require.False(t, testReusePool.Native())

		add, err := r.Kernel("add_custom") // aclrtBinaryGetFunction
		require.NoError(t, err)

		malloc := func(size uint64) kernels.Addr { // aclrtMemPoolMallocAsync
			t.Helper()
			a, err := testReusePool.MallocAsync(size, stream1)
			require.NoError(t, err)
			return a
		}
		ptr1, ptr2, ptr3 := malloc(8), malloc(8), malloc(8)
		ptr0 := malloc(24)

		usrArgs := argsInfo(ptr1, ptr2, ptr3)
		require.NoError(t, stream1.CopyToDevice(ptr0, usrArgs)) // aclrtMemcpyAsync
		require.NoError(t, stream1.CopyToDevice(ptr1, number8(40)))
		require.NoError(t, stream1.CopyToDevice(ptr2, number8(2)))
		require.NoError(t, stream1.Launch(add, kernels.Grid{Blocks: 32, Threads: 1}, // aclrtLaunchKernelV2
			kernels.Args{uint64(ptr1), uint64(ptr2), uint64(ptr3)}))
		sum := make([]byte, 8)
		require.NoError(t, stream1.CopyToHost(sum, ptr3))

		for _, ptr := range []kernels.Addr{ptr0, ptr1, ptr2, ptr3} { // aclrtMemPoolFreeAsync
			require.NoError(t, testReusePool.FreeAsync(ptr, stream1))
		}
		require.NoError(t, stream1.Synchronize()) // aclrtSynchronizeStream
		require.Equal(t, number8(42), sum)
		require.Zero(t, testReusePool.Stats().Reserved, "the release threshold is 0")

		require.NoError(t, testReusePool.Destroy()) // aclrtMemPoolDestroy
		require.NoError(t, stream1.Close())         // aclrtDestroyStream
		require.NoError(t, r.Detach())              // aclrtDestroyContext, aclrtResetDevice, aclFinalize
	})
}
