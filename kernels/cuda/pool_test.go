//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// onDevice are the properties of the pools of a device.
func onDevice(ordinal int32) kernels.PoolProps {
	return kernels.PoolProps{
		AllocType: kernels.PoolPinned,
		Location:  kernels.PoolLocation{Type: kernels.PoolOnDevice, ID: ordinal},
	}
}

func newPool(t testing.TB, d *Device) *pool {
	t.Helper()
	p, err := d.NewPool(onDevice(int32(d.props.Ordinal)))
	require.NoError(t, err)
	t.Cleanup(func() {
		if !p.(*pool).closed {
			require.NoError(t, p.Destroy())
		}
	})
	return p.(*pool)
}

// Pools that the device does not have, and what a driver lacks, by name.
func TestPoolProperties(t *testing.T) {
	f := newFake(t)
	f.call("fake_devices", 2)
	d, err := Open(1, f.opts())
	require.NoError(t, err)
	good := onDevice(1)
	calls := f.count("fake_calls")
	for want, change := range map[string]func(*kernels.PoolProps){
		"allocation type 0":       func(p *kernels.PoolProps) { p.AllocType = 0 },
		"allocation type 2":       func(p *kernels.PoolProps) { p.AllocType = 2 },
		"handle type 1":           func(p *kernels.PoolProps) { p.HandleType = 1 },
		"location type 0":         func(p *kernels.PoolProps) { p.Location.Type = kernels.PoolHost },
		"location type 2":         func(p *kernels.PoolProps) { p.Location.Type = 2 },
		"location id 0":           func(p *kernels.PoolProps) { p.Location.ID = 0 },
		"location id -1":          func(p *kernels.PoolProps) { p.Location.ID = -1 },
		"location id 2147483647,": func(p *kernels.PoolProps) { p.Location.ID = 1<<31 - 1 },
	} {
		props := good
		change(&props)
		_, err := d.NewPool(props)
		require.ErrorIs(t, err, kernels.ErrNotSupported, want)
		require.ErrorContains(t, err, want)
	}
	// What earlier drivers do not read would be no limit.
	d.props.Driver = 12010
	limited := good
	limited.MaxSize = 1
	_, err = d.NewPool(limited)
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "largest size 1, the driver 12010")
	require.Equal(t, calls, f.count("fake_calls"), "the driver was asked")
	p, err := d.NewPool(good)
	require.NoError(t, err)
	require.NoError(t, p.Destroy())
	d.props.Driver = 12020
	p, err = d.NewPool(limited)
	require.NoError(t, err)
	require.NoError(t, p.Destroy())

	f.call("fake_pools", 0)
	_, err = d.NewPool(good)
	require.EqualError(t, err, "cuda memory pools: not supported on this machine: device 1 has none")
	require.NoError(t, d.Close())
	f.clean(t)
}

// The driver reads what CUDA has there.
func TestPoolPropsLayout(t *testing.T) {
	require.EqualValues(t, 88, unsafe.Sizeof(poolProps{}))
	var p poolProps
	for name, at := range map[string][2]uintptr{
		"handleTypes":  {unsafe.Offsetof(p.handleTypes), 4},
		"locationType": {unsafe.Offsetof(p.locationType), 8},
		"locationID":   {unsafe.Offsetof(p.locationID), 12},
		"security":     {unsafe.Offsetof(p.security), 16},
		"maxSize":      {unsafe.Offsetof(p.maxSize), 24},
		"usage":        {unsafe.Offsetof(p.usage), 32},
		"reserved":     {unsafe.Offsetof(p.reserved), 34},
	} {
		require.Equal(t, at[1], at[0], name)
	}
}

// A pool in use stays, and says by how much.
func TestPoolInUse(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, p := newStream(t, d), newPool(t, d)
	a, err := p.MallocAsync(100, s)
	require.NoError(t, err)
	b, err := p.MallocAsync(1<<32, s)
	require.NoError(t, err)
	inUse := func(want string) {
		t.Helper()
		calls := f.count("fake_calls")
		err := p.Destroy()
		require.ErrorIs(t, err, kernels.ErrInUse)
		require.EqualError(t, err, "memory pool: still in use: "+want)
		require.Equal(t, calls, f.count("fake_calls"))
	}
	inUse("2 allocations of 4294967396 bytes")
	require.NoError(t, p.FreeAsync(b, s))
	inUse("1 allocations of 100 bytes")

	// A free that failed was none, nor was an allocation that failed one.
	f.call("fake_fail", uintptr(f.count("fake_calls")+2), 1, 0)
	require.EqualError(t, p.FreeAsync(a, s), fmt.Sprintf("memory pool: free %#x: cuMemFreeAsync: CUDA_ERROR_INVALID_VALUE (1)", uint64(a)))
	require.NoError(t, s.Memset(a, 1, 100))
	f.call("fake_fail", uintptr(f.count("fake_calls")+2), 2, 0)
	_, err = p.MallocAsync(50, s)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.EqualError(t, err, "memory pool: 50 bytes asked for: cuMemAllocFromPoolAsync: CUDA_ERROR_OUT_OF_MEMORY (2)")
	inUse("1 allocations of 100 bytes")
	require.NoError(t, p.FreeAsync(a, s))
	require.NoError(t, p.Destroy())
	require.Zero(t, d.Live().Pools)
	require.ErrorIs(t, p.Destroy(), kernels.ErrClosed)
}

// A pool that may hold so much holds no more.
func TestPoolLimit(t *testing.T) {
	d := newFake(t).open(t)
	s := newStream(t, d)
	props := onDevice(0)
	props.MaxSize = 1024
	p, err := d.NewPool(props)
	require.NoError(t, err)
	a, err := p.MallocAsync(1000, s)
	require.NoError(t, err)
	_, err = p.MallocAsync(25, s)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.NoError(t, p.FreeAsync(a, s))
	require.NoError(t, p.Destroy())
}
