package ascend_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// sampled is a line of a sample, what it is here, and the calls that this makes. A dot
// makes the context current.
type sampled struct {
	line  string
	do    func() error
	calls string
}

func (f *fake) play(steps []sampled) {
	f.t.Helper()
	for _, step := range steps {
		before := len(f.log())
		require.NoError(f.t, step.do(), step.line)
		require.Equal(f.t, step.calls, short(f.log()[before:]), step.line)
	}
	f.clean()
}

// argsInfo is the structure of the arguments in the samples: three addresses.
func argsInfo(to []byte, x, y, z kernels.Addr) {
	for i, addr := range []kernels.Addr{x, y, z} {
		binary.LittleEndian.PutUint64(to[8*i:], uint64(addr))
	}
}

const sizeOfArgsInfo = 24

// The sample of stream-ordered allocation, from aclInit to aclFinalize. What it has and
// Go has not: gtest.h, which it includes and does not use; the context, which Open
// makes and Close destroys; blockDim, a variable of its own that here is a field of the
// grid; and usrArgs on the stack, from where no copy is queued, so there is pinned
// memory.
func TestStreamOrderedSample(t *testing.T) {
	f := newFake(t)
	var (
		d                      *ascend.Device
		stream1                kernels.Stream
		testReusePool          kernels.Pool
		funcHandle             kernels.Kernel
		ptr0, ptr1, ptr2, ptr3 kernels.Addr
		usrArgs                kernels.HostMemory
	)
	nothing := func() error { return nil }
	malloc := func(ptr *kernels.Addr, size uint64) func() error {
		return func() (err error) { *ptr, err = testReusePool.MallocAsync(size, stream1); return }
	}
	free := func(ptr *kernels.Addr) func() error {
		return func() error { return testReusePool.FreeAsync(*ptr, stream1) }
	}
	testProp := kernels.PoolProps{
		AllocType:  kernels.PoolPinned,
		HandleType: kernels.PoolHandleNone,
		Location:   kernels.PoolLocation{Type: kernels.PoolOnDevice, ID: 0},
		MaxSize:    14 << 30,
	}
	f.play([]sampled{
		{"aclInit, aclrtSetDevice, aclrtCreateContext", func() (err error) { d, err = ascend.Open(0, f.options); return }, opened},
		{"aclrtCreateStream(&stream1)", func() (err error) { stream1, err = d.NewStream(); return }, ". CreateStream"},
		{"testLoc, testProp", nothing, ""},
		{"aclrtMemPoolCreate", func() (err error) { testReusePool, err = d.NewPool(testProp); return }, ". MemPoolCreate"},
		// The sample has no binary to look the function up in.
		{"binHandle", func() error { return d.LoadBinary(f.user, signature("add_custom", 3)) }, ". BinaryLoadFromData BinaryGetFunction"},
		{"aclrtBinaryGetFunction", func() (err error) { funcHandle, err = d.Kernel("add_custom"); return }, ""},
		{"aclrtMemPoolMallocAsync(&ptr1)", malloc(&ptr1, 8), ". MemPoolMallocAsync"},
		{"aclrtMemPoolMallocAsync(&ptr2)", malloc(&ptr2, 8), ". MemPoolMallocAsync"},
		{"aclrtMemPoolMallocAsync(&ptr3)", malloc(&ptr3, 8), ". MemPoolMallocAsync"},
		{"aclrtMemPoolMallocAsync(&ptr0)", malloc(&ptr0, sizeOfArgsInfo), ". MemPoolMallocAsync"},
		{"usrArgs", func() (err error) {
			usrArgs, err = d.AllocHost(sizeOfArgsInfo)
			argsInfo(usrArgs.Bytes(), ptr1, ptr2, ptr3)
			return
		}, ". MallocHost"},
		{"aclrtMemcpyAsync", func() error { return stream1.CopyToDevice(ptr0, usrArgs.Bytes()) }, ". MemcpyAsync"},
		{"blockDim", nothing, ""},
		// The arguments are those of usrArgs again, as in the sample.
		{"aclrtLaunchKernelV2", func() error {
			return stream1.Launch(funcHandle, kernels.Grid{Blocks: 32, Threads: 1}, kernels.Args{uint64(ptr1), uint64(ptr2), uint64(ptr3)})
		}, ". LaunchKernelWithHostArgs"},
		{"aclrtMemPoolFreeAsync(ptr0)", free(&ptr0), ". MemPoolFreeAsync"},
		{"aclrtMemPoolFreeAsync(ptr1)", free(&ptr1), ". MemPoolFreeAsync"},
		{"aclrtMemPoolFreeAsync(ptr2)", free(&ptr2), ". MemPoolFreeAsync"},
		{"aclrtMemPoolFreeAsync(ptr3)", free(&ptr3), ". MemPoolFreeAsync"},
		{"aclrtSynchronizeStream", func() error { return stream1.Synchronize() }, ". SynchronizeStream"},
		{"the end of usrArgs", func() error { return usrArgs.Free() }, ". FreeHost"},
		{"aclrtMemPoolDestroy", func() error { return testReusePool.Destroy() }, ". MemPoolDestroy"},
		{"aclrtDestroyStream", func() error { return stream1.Close() }, ". DestroyStream"},
		{"what the kernel found", func() error { f.added(); return nil }, ""},
		{"aclrtDestroyContext, aclrtResetDevice, aclFinalize", func() error { return d.Close() }, ". BinaryUnLoad2 DestroyContext ResetDevice aclFinalizeReference"},
	})
}

// added checks what add_custom has made of what the sample leaves undefined: the fake
// fills the memory of an allocation when it runs, and again when its free does.
func (f *fake) added() {
	user, err := dl.Open(string(f.user))
	require.NoError(f.t, err)
	sum, err := user.Func("last_sum")
	require.NoError(f.t, err)
	const filled = 0xA5A5_A5A5_A5A5_A5A5
	require.Equal(f.t, uint64(filled*2&(1<<64-1)), uint64(sum.Call()))
}

// The sample without a pool: the memory can only be freed after a wait. Its lines that
// stand for others (......) have no equal here, nor has blockDim. Open stands before its
// first line, and what nobody frees in it is freed behind its last.
func TestSynchronousSample(t *testing.T) {
	f := newFake(t)
	var (
		d          *ascend.Device
		stream1    kernels.Stream
		funcHandle kernels.Kernel
		ptr0       kernels.Addr
		usrArgs    kernels.HostMemory
	)
	f.play([]sampled{
		{"before", func() (err error) { d, err = ascend.Open(0, f.options); return }, opened},
		{"funcHandle", func() (err error) {
			if err = d.LoadBinary(f.user, signature("add_custom", 3)); err == nil {
				funcHandle, err = d.Kernel("add_custom")
			}
			return
		}, ". BinaryLoadFromData BinaryGetFunction"},
		{"aclrtCreateStream(&stream1)", func() (err error) { stream1, err = d.NewStream(); return }, ". CreateStream"},
		{"aclrtMalloc(&ptr0)", func() (err error) { ptr0, err = d.Alloc(sizeOfArgsInfo); return }, ". Malloc"},
		{"usrArgs", func() (err error) { usrArgs, err = d.AllocHost(sizeOfArgsInfo); return }, ". MallocHost"},
		{"aclrtMemcpyAsync", func() error { return stream1.CopyToDevice(ptr0, usrArgs.Bytes()) }, ". MemcpyAsync"},
		{"blockDim", func() error { return nil }, ""},
		{"aclrtLaunchKernelV2", func() error {
			return stream1.Launch(funcHandle, kernels.Grid{Blocks: 32, Threads: 1}, kernels.Args{uint64(ptr0), uint64(ptr0) + 8, uint64(ptr0) + 16})
		}, ". LaunchKernelWithHostArgs"},
		{"aclrtSynchronizeStream", func() error { return stream1.Synchronize() }, ". SynchronizeStream"},
		{"aclrtFree(ptr0)", func() error { return d.Free(ptr0) }, ". Free"},
		{"aclrtSynchronizeStream", func() error { return stream1.Synchronize() }, ". SynchronizeStream"},
		{"return", func() error { return usrArgs.Free() }, ". FreeHost"},
		{"return", func() error { return stream1.Close() }, ". DestroyStream"},
		{"return", func() error { return d.Close() }, ". BinaryUnLoad2 DestroyContext ResetDevice aclFinalizeReference"},
	})
}
