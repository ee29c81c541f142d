package blockpool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// newDevice opens a host device. At the end of the test nothing may be left on it.
func newDevice(t testing.TB, memory uint64) *host.Device {
	dev := host.New(host.Options{Memory: memory})
	t.Cleanup(func() {
		require.Equal(t, host.Live{}, dev.Live())
		require.NoError(t, dev.Close())
	})
	return dev
}

// newPool makes a pool on a host device. At the end of the test both must close, and
// no block may be left.
func newPool(t testing.TB, opts blockpool.Options) *blockpool.Pool {
	t.Helper()
	return newPoolOn(t, newDevice(t, 0), opts)
}

func newPoolOn(t testing.TB, dev kernels.Device, opts blockpool.Options) *blockpool.Pool {
	t.Helper()
	pool, err := blockpool.New(dev, opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pool.Close()) })
	return pool
}

func alloc(t testing.TB, pool *blockpool.Pool, size uint64) blockpool.Block {
	t.Helper()
	id, err := pool.AllocateBlock(size)
	require.NoError(t, err)
	b, err := pool.Block(id)
	require.NoError(t, err)
	require.Equal(t, id, b.ID)
	return b
}

func free(t testing.TB, pool *blockpool.Pool, blocks ...blockpool.Block) {
	t.Helper()
	for _, b := range blocks {
		require.NoError(t, pool.FreeBlock(b.ID))
	}
}

// full requires that there is no memory for size bytes, and returns why.
func full(t testing.TB, pool *blockpool.Pool, size uint64) *blockpool.OutOfMemoryError {
	t.Helper()
	before := pool.Stats()
	id, err := pool.AllocateBlock(size)
	require.Zero(t, id)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	var oom *blockpool.OutOfMemoryError
	require.ErrorAs(t, err, &oom)
	require.Equal(t, size, oom.Requested)
	after := pool.Stats()
	require.Equal(t, []uint64{before.Reserved, before.Used, before.Free}, []uint64{after.Reserved, after.Used, after.Free})
	return oom
}

// driver is a device without memory: it counts, and gives addresses.
type driver struct {
	kernels.Device // nil: a pool calls nothing else
	info           kernels.Info
	next           kernels.Addr
	calls          []call
	live           map[kernels.Addr]uint64
	fail           func(call) error // nil: nothing fails
}

type call struct {
	free bool
	addr kernels.Addr // of a free
	size uint64
}

func newDriver() *driver {
	return &driver{
		info: kernels.Info{Backend: "test", BaseAlign: 256},
		next: 1 << 20, live: make(map[kernels.Addr]uint64),
	}
}

func (d *driver) Info() kernels.Info { return d.info }

func (d *driver) Alloc(size uint64) (kernels.Addr, error) {
	if err := d.note(call{size: size}); err != nil {
		return 0, err
	}
	addr := d.next
	d.next += kernels.Addr(size+d.info.BaseAlign) &^ kernels.Addr(d.info.BaseAlign-1)
	d.live[addr] = size
	return addr, nil
}

func (d *driver) Free(addr kernels.Addr) error {
	size, ok := d.live[addr]
	if !ok {
		return kernels.ErrBadAddress
	}
	delete(d.live, addr) // also after an error it is not the caller's
	return d.note(call{true, addr, size})
}

func (d *driver) note(c call) error {
	d.calls = append(d.calls, c)
	if d.fail == nil {
		return nil
	}
	return d.fail(c)
}

// newDriverPool makes a pool on a driver, which must have all its memory back at the
// end of the test.
func newDriverPool(t testing.TB, d *driver, opts blockpool.Options) *blockpool.Pool {
	t.Helper()
	t.Cleanup(func() { require.Empty(t, d.live) })
	return newPoolOn(t, d, opts)
}
