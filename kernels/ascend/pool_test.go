package ascend_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
)

// poolProps are those of a pool of 1 MiB on a device.
func poolProps(device int32) kernels.PoolProps {
	return kernels.PoolProps{
		AllocType: kernels.PoolPinned, HandleType: kernels.PoolHandleNone,
		Location: kernels.PoolLocation{Type: kernels.PoolOnDevice, ID: device}, MaxSize: 1 << 20,
	}
}

// pooled is a device with two streams and a pool.
type pooled struct {
	*ascend.Device
	first, second kernels.Stream
	pool          kernels.Pool
}

func (f *fake) openPool() pooled {
	d := f.open()
	first, err := d.NewStream()
	require.NoError(f.t, err)
	second, err := d.NewStream()
	require.NoError(f.t, err)
	p, err := d.NewPool(poolProps(0))
	require.NoError(f.t, err)
	return pooled{d, first, second, p}
}

func (p pooled) malloc(t *testing.T, size uint64, s kernels.Stream) kernels.Addr {
	t.Helper()
	a, err := p.pool.MallocAsync(size, s)
	require.NoError(t, err)
	return a
}

// end closes everything but memory.
func (p pooled) end(t *testing.T) {
	t.Helper()
	require.NoError(t, errors.Join(p.pool.Destroy(), p.first.Close(), p.second.Close(), p.Close()))
}

// A driver without pools is as good as before for the rest.
func TestNoPools(t *testing.T) {
	f := newFake(t, "-DaclrtMemPoolTrimTo=other", "-DaclrtMemPoolFreeAsync=another")
	d := f.open()
	_, err := d.NewPool(poolProps(0))
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, f.options.Library+" has no function aclrtMemPoolFreeAsync, aclrtMemPoolTrimTo")
	require.Zero(t, f.count("aclrtMemPoolCreate"))
	require.NoError(t, d.Close())

	f = newFake(t)
	d = f.open()
	f.failAt(len(f.log())+2, 207000)
	_, err = d.NewPool(poolProps(0))
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "aclrtMemPoolCreate: ACL_ERROR_RT_FEATURE_NOT_SUPPORT (207000)")
	require.NoError(t, d.Close())
	_, err = d.NewPool(poolProps(0))
	require.ErrorIs(t, err, kernels.ErrClosed)
}

// What a pool cannot have is said before the driver is asked.
func TestPoolProps(t *testing.T) {
	f := newFake(t)
	d, err := ascend.Open(1, f.options)
	require.NoError(t, err)
	for name, change := range map[string]func(*kernels.PoolProps){
		"allocation type": func(p *kernels.PoolProps) { p.AllocType = 0 },
		"handle type":     func(p *kernels.PoolProps) { p.HandleType = 1 },
		"location type":   func(p *kernels.PoolProps) { p.Location.Type = kernels.PoolHost },
		"location id":     func(p *kernels.PoolProps) { p.Location.ID = 0 },
	} {
		props := poolProps(1)
		change(&props)
		_, err := d.NewPool(props)
		require.ErrorIs(t, err, kernels.ErrNotSupported)
		require.ErrorContains(t, err, name)
	}
	require.Zero(t, f.count("aclrtMemPoolCreate"))
	for _, size := range []uint64{0, 1, 14 << 30} {
		props := poolProps(1)
		props.MaxSize = size
		p, err := d.NewPool(props)
		require.NoError(t, err)
		require.NoError(t, p.Destroy())
	}
	props := poolProps(1)
	props.MaxSize = math.MaxUint64
	_, err = d.NewPool(props)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.NoError(t, d.Close())
	f.clean()
}

// Memory of a pool is as good as other memory while it is live, and no longer.
func TestPoolMemory(t *testing.T) {
	f := newFake(t)
	d := f.openPool()
	a := d.malloc(t, 100, d.first)
	require.Zero(t, a%64)
	require.NoError(t, d.first.Memset(a, 7, 100))
	got := make([]byte, 100)
	require.NoError(t, d.first.CopyToHost(got, a))
	require.Equal(t, byte(7), got[99])
	require.ErrorIs(t, d.first.Memset(a, 7, 101), kernels.ErrOutOfBounds, "the size is the one asked for")

	other, err := d.NewPool(poolProps(0))
	require.NoError(t, err)
	plain, err := d.Alloc(64)
	require.NoError(t, err)
	for _, bad := range []kernels.Addr{0, a - 64, a + 1, a + 64, plain} {
		require.ErrorIs(t, d.pool.FreeAsync(bad, d.first), kernels.ErrBadAddress)
	}
	require.ErrorIs(t, other.FreeAsync(a, d.first), kernels.ErrBadAddress)
	require.ErrorIs(t, d.Free(a), kernels.ErrBadAddress)
	require.NoError(t, d.pool.FreeAsync(a, d.first))
	require.ErrorIs(t, d.pool.FreeAsync(a, d.first), kernels.ErrBadAddress)
	require.ErrorIs(t, d.first.Memset(a, 7, 1), kernels.ErrBadAddress)
	require.Equal(t, 1, f.count("aclrtMemPoolFreeAsync"))

	// The same memory again, in the order of the stream.
	b := d.malloc(t, 128, d.first)
	require.Equal(t, a, b)
	require.NoError(t, d.first.Memset(b, 8, 128))
	require.NoError(t, d.pool.FreeAsync(b, d.first))
	c := d.malloc(t, 64, d.second)
	require.NotEqual(t, b, c, "whose free has not run")
	require.NoError(t, d.pool.FreeAsync(c, d.first), "in any stream")
	require.NoError(t, errors.Join(other.Destroy(), d.Free(plain)))
	d.end(t)
}

func TestPoolSizes(t *testing.T) {
	f := newFake(t)
	d := f.openPool()
	_, err := d.pool.MallocAsync(0, d.first)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	for _, size := range []uint64{math.MaxUint64, math.MaxUint64 - 63, 64<<30 + 1} {
		_, err = d.pool.MallocAsync(size, d.first)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	}
	require.Zero(t, f.count("aclrtMemPoolMallocAsync"))
	_, err = d.pool.MallocAsync(1<<20+1, d.first)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.ErrorContains(t, err, "1048577 bytes: aclrtMemPoolMallocAsync: ACL_ERROR_RT_MEMORY_ALLOCATION (207001)")
	f.failAt(len(f.log())+2, 207012)
	_, err = d.pool.MallocAsync(1, d.first)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	a := d.malloc(t, 1<<20-63, d.first) // is all of it
	require.NoError(t, d.pool.FreeAsync(a, d.second))
	d.end(t)
}

func TestPoolStreams(t *testing.T) {
	f := newFake(t)
	d, other := f.openPool(), f.openPool()
	a := d.malloc(t, 64, d.first)
	before := len(f.log())
	for _, s := range []kernels.Stream{other.first, nil} {
		_, err := d.pool.MallocAsync(64, s)
		require.ErrorIs(t, err, kernels.ErrForeign)
		require.ErrorIs(t, d.pool.FreeAsync(a, s), kernels.ErrForeign)
	}
	require.Len(t, f.log(), before)
	closed, err := d.NewStream()
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	_, err = d.pool.MallocAsync(64, closed)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, d.pool.FreeAsync(a, closed), kernels.ErrClosed)
	require.NoError(t, d.pool.FreeAsync(a, d.first))
	other.end(t)
	d.end(t)
}

// What fails changes nothing: the memory is as live as before, or as free.
func TestPoolFailures(t *testing.T) {
	f := newFake(t)
	d := f.openPool()
	a := d.malloc(t, 64, d.first)
	for call := 1; call <= 2; call++ { // making the context current, and the call itself
		f.failAt(len(f.log())+call, 507899)
		var e *ascend.Error
		require.ErrorAs(t, d.pool.FreeAsync(a, d.first), &e)
		require.NoError(t, d.first.Memset(a, 1, 64))
		f.failAt(len(f.log())+call, 507899)
		_, err := d.pool.MallocAsync(64, d.first)
		require.ErrorAs(t, err, &e)
		require.EqualError(t, d.pool.Destroy(), "memory pool: still in use: 1 allocations of 64 bytes")
	}
	require.NoError(t, d.pool.FreeAsync(a, d.first))
	for range 2 { // with work to wait for, and without
		f.failAt(len(f.log())+1, 107002)
		require.ErrorContains(t, d.pool.Destroy(), "aclrtSetCurrentContext")
		_, err := d.pool.GetAttr(kernels.PoolUsedCurrent)
		require.NoError(t, err)
		require.NoError(t, d.first.Synchronize())
	}
	d.end(t)
}

// A pool that is in use stays; one that is destroyed is gone.
func TestPoolDestroy(t *testing.T) {
	f := newFake(t)
	d := f.openPool()
	a, b := d.malloc(t, 100, d.first), d.malloc(t, 200, d.second)
	err := d.pool.Destroy()
	require.ErrorIs(t, err, kernels.ErrInUse)
	require.EqualError(t, err, "memory pool: still in use: 2 allocations of 300 bytes")
	require.NoError(t, d.first.Memset(a, 1, 100))
	require.NoError(t, d.pool.FreeAsync(a, d.first))
	require.EqualError(t, d.pool.Destroy(), "memory pool: still in use: 1 allocations of 200 bytes")
	require.NoError(t, d.pool.FreeAsync(b, d.second))
	require.NoError(t, d.pool.Destroy(), "waits for the frees, which the fake insists on")
	before := len(f.log())
	require.ErrorIs(t, d.pool.Destroy(), kernels.ErrClosed)
	_, err = d.pool.MallocAsync(64, d.first)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, d.pool.FreeAsync(a, d.first), kernels.ErrClosed)
	require.ErrorIs(t, d.pool.TrimTo(0), kernels.ErrClosed)
	require.ErrorIs(t, d.pool.SetAttr(kernels.PoolReleaseThreshold, 1), kernels.ErrClosed)
	_, err = d.pool.GetAttr(kernels.PoolReleaseThreshold)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.Len(t, f.log(), before)
	require.NoError(t, errors.Join(d.first.Close(), d.second.Close(), d.Close()))
}

// Trimming keeps what is used, what was asked for, and what work may be using.
func TestPoolTrim(t *testing.T) {
	f := newFake(t)
	d := f.openPool()
	reserved := func() uint64 {
		n, err := d.pool.GetAttr(kernels.PoolReservedCurrent)
		require.NoError(t, err)
		return n
	}
	require.NoError(t, d.pool.SetAttr(kernels.PoolReleaseThreshold, 1<<20))
	var a []kernels.Addr
	for range 4 {
		a = append(a, d.malloc(t, 256, d.first))
	}
	for i := range 3 {
		require.NoError(t, d.pool.FreeAsync(a[i], d.first))
	}
	require.NoError(t, d.pool.TrimTo(0))
	require.EqualValues(t, 1024, reserved(), "the frees have not run")
	require.NoError(t, d.first.Synchronize())
	require.EqualValues(t, 1024, reserved())
	before := f.count("aclrtMemPoolTrimTo")
	require.NoError(t, d.pool.TrimTo(1024))
	require.NoError(t, d.pool.TrimTo(math.MaxUint64))
	require.Equal(t, before, f.count("aclrtMemPoolTrimTo"), "nothing is over that")
	require.NoError(t, d.pool.TrimTo(600))
	require.EqualValues(t, 768, reserved())
	require.NoError(t, d.pool.TrimTo(0))
	require.EqualValues(t, 256, reserved(), "which are in use")
	require.NoError(t, d.pool.FreeAsync(a[3], d.first))
	d.end(t)
}

// Closing the device frees what is live in its pools before it destroys them.
func TestPoolsLeft(t *testing.T) {
	f := newFake(t)
	for _, streams := range []bool{true, false} {
		f.reset()
		d := f.openPool()
		other, err := d.NewPool(poolProps(0))
		require.NoError(t, err)
		a := d.malloc(t, 64, d.first)
		_, err = other.MallocAsync(128, d.second)
		require.NoError(t, err)
		require.NoError(t, d.second.Memset(a, 1, 64))
		left := 2
		if !streams {
			require.NoError(t, errors.Join(d.first.Close(), d.second.Close()))
			left = 0
		}
		before := len(f.log())
		require.EqualError(t, d.Close(), fmt.Sprintf("device closed too early: {Allocs:2 HostAllocs:0 Streams:%d Events:0 Pools:2} still live", left))
		require.Contains(t, short(f.log()[before:]), "DestroyStream MemPoolDestroy2 BinaryUnLoad DestroyContext")
		require.Contains(t, short(f.log()[before:]), "CreateStream MemPoolFreeAsync2 SynchronizeStream DestroyStream MemPoolDestroy2")
		require.ErrorIs(t, d.pool.Destroy(), kernels.ErrClosed)
		require.ErrorIs(t, d.pool.TrimTo(0), kernels.ErrClosed)
		require.ErrorIs(t, d.pool.FreeAsync(a, d.first), kernels.ErrClosed)
		f.clean()
	}
}
