package blockpool_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

func newManager(t testing.TB, devices int, opts blockpool.ManagerOptions) (*blockpool.Manager, []*driver) {
	t.Helper()
	var devs []kernels.Device
	var drivers []*driver
	for i := range devices {
		d := newDriver()
		d.next += kernels.Addr(i) << 40
		drivers, devs = append(drivers, d), append(devs, d)
	}
	m, err := blockpool.NewManager(devs, opts)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, m.Close())
		for _, d := range drivers {
			require.Empty(t, d.live)
		}
	})
	return m, drivers
}

// One pool for each device, in an array, made at once.
func TestManagerHasAPoolPerDevice(t *testing.T) {
	m, drivers := newManager(t, 3, blockpool.ManagerOptions{Pool: blockpool.Options{Size: 4096}})
	require.Equal(t, 3, m.Devices())
	for i, d := range drivers {
		require.Equal(t, []call{{size: 4096}}, d.calls)
		p, err := m.Pool(i)
		require.NoError(t, err)
		b := alloc(t, p, 100)
		require.EqualValues(t, i, b.Address>>40)
		free(t, p, b)
	}
	for _, i := range []int{-1, 3} {
		_, err := m.Pool(i)
		require.ErrorIs(t, err, blockpool.ErrNoDevice)
	}
}

// The caller's device is that of its context, else the current one of the driver.
func TestManagerResolvesTheDevice(t *testing.T) {
	current := 2
	broken := errors.New("broken")
	m, _ := newManager(t, 3, blockpool.ManagerOptions{
		Pool: blockpool.Options{Size: 4096},
		CurrentDevice: func() (int, error) {
			if current < 0 {
				return 0, broken
			}
			return current, nil
		},
	})
	ctx := context.Background()
	on := func(ctx context.Context) int {
		id, err := m.AllocateBlock(ctx, 100)
		require.NoError(t, err)
		addr, err := m.BlockPtr(ctx, id)
		require.NoError(t, err)
		require.NoError(t, m.FreeBlock(ctx, id))
		return int(addr >> 40)
	}
	require.Equal(t, 2, on(ctx))
	require.Equal(t, 1, on(blockpool.WithDevice(ctx, 1)))
	require.Equal(t, 0, on(blockpool.WithDevice(blockpool.WithDevice(ctx, 1), 0)))
	current = 1
	require.Equal(t, 1, on(ctx))

	for c, want := range map[context.Context]error{ctx: broken, blockpool.WithDevice(ctx, 3): blockpool.ErrNoDevice} {
		current = -1
		_, err := m.PoolFor(c)
		require.ErrorIs(t, err, want)
		_, err = m.AllocateBlock(c, 1)
		require.ErrorIs(t, err, want)
		_, err = m.BlockPtr(c, 1)
		require.ErrorIs(t, err, want)
		require.ErrorIs(t, m.FreeBlock(c, 1), want)
	}
	current = 7
	_, err := m.PoolFor(ctx)
	require.ErrorIs(t, err, blockpool.ErrNoDevice)
}

func TestManagerWithoutACurrentDevice(t *testing.T) {
	m, _ := newManager(t, 2, blockpool.ManagerOptions{})
	_, err := m.PoolFor(context.Background())
	require.ErrorIs(t, err, blockpool.ErrNoDevice)
	require.EqualError(t, err, "no such device: the context names none of 2")
	one, _ := newManager(t, 1, blockpool.ManagerOptions{})
	p, err := one.PoolFor(context.Background())
	require.NoError(t, err)
	only, err := one.Pool(0)
	require.NoError(t, err)
	require.Same(t, only, p)
}

// A block of another device is foreign on this one.
func TestManagerForeignBlock(t *testing.T) {
	m, _ := newManager(t, 2, blockpool.ManagerOptions{})
	zero, one := blockpool.WithDevice(context.Background(), 0), blockpool.WithDevice(context.Background(), 1)
	id, err := m.AllocateBlock(zero, 100)
	require.NoError(t, err)
	require.ErrorIs(t, m.FreeBlock(one, id), kernels.ErrForeign)
	_, err = m.BlockPtr(one, id)
	require.ErrorIs(t, err, kernels.ErrForeign)
	require.NoError(t, m.FreeBlock(zero, id))
	require.ErrorIs(t, m.FreeBlock(zero, id), blockpool.ErrDoubleFree)
}

// Each pool waits for its own device.
func TestManagerWaits(t *testing.T) {
	var waited []int
	m, _ := newManager(t, 3, blockpool.ManagerOptions{
		Pool: blockpool.Options{Size: 256, Limit: 1024},
		Wait: func(device int) error { waited = append(waited, device); return nil },
	})
	for _, i := range []int{2, 0} {
		p, err := m.Pool(i)
		require.NoError(t, err)
		free(t, p, alloc(t, p, 992))
	}
	require.Equal(t, []int{2, 0}, waited)
}

func TestManagerThatCannotBeMade(t *testing.T) {
	a, b := newDriver(), newDriver()
	b.fail = func(call) error { return kernels.ErrOutOfMemory }
	_, err := blockpool.NewManager([]kernels.Device{a, b}, blockpool.ManagerOptions{Pool: blockpool.Options{Size: 4096}})
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.ErrorContains(t, err, "device 1: ")
	require.Len(t, a.calls, 2)
	require.Empty(t, a.live)
}

// Close closes what it can, and may be called again.
func TestManagerClose(t *testing.T) {
	m, drivers := newManager(t, 2, blockpool.ManagerOptions{Pool: blockpool.Options{Size: 4096}})
	ctx := blockpool.WithDevice(context.Background(), 1)
	id, err := m.AllocateBlock(ctx, 1)
	require.NoError(t, err)
	err = m.Close()
	require.ErrorIs(t, err, kernels.ErrInUse)
	require.EqualError(t, err, "device 1: block pool: still in use: 1 blocks of 64 bytes")
	require.Empty(t, drivers[0].live)
	require.NoError(t, m.FreeBlock(ctx, id))
}

// TestNoDevice: a pool wants a device, and a manager at least one.
func TestNoDevice(t *testing.T) {
	_, err := blockpool.New(nil, blockpool.Options{})
	require.ErrorIs(t, err, blockpool.ErrNoDevice)
	_, err = blockpool.NewManager(nil, blockpool.ManagerOptions{})
	require.ErrorIs(t, err, blockpool.ErrNoDevice)
	dev := host.New(host.Options{})
	_, err = blockpool.NewManager([]kernels.Device{dev, nil}, blockpool.ManagerOptions{Pool: blockpool.Options{Size: 4096}})
	require.ErrorIs(t, err, blockpool.ErrNoDevice)
	require.ErrorContains(t, err, "device 1")
	require.NoError(t, dev.Close(), "the pool of the first device was closed again")
}
