package host_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

func newStream(t *testing.T, d *host.Device) kernels.Stream {
	t.Helper()
	s, err := d.NewStream()
	require.NoError(t, err)
	return s
}

func alloc(t *testing.T, d *host.Device, size uint64) kernels.Addr {
	t.Helper()
	a, err := d.Alloc(size)
	require.NoError(t, err)
	return a
}

func TestMemoryLimit(t *testing.T) {
	d := host.New(host.Options{Memory: 1000})
	require.Equal(t, uint64(1000), d.Info().Memory)
	a := alloc(t, d, 600)
	_, err := d.Alloc(401)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.ErrorContains(t, err, "401 bytes asked for, 600 of 1000 in use")
	b := alloc(t, d, 400)
	require.NoError(t, d.Free(a))
	a = alloc(t, d, 600)
	require.NoError(t, d.Free(a))
	require.NoError(t, d.Free(b))
	require.NoError(t, d.Close())
}

// Addresses are the same in each run, lie beyond 2^32 and keep their distance.
func TestAddresses(t *testing.T) {
	d, e := host.New(host.Options{}), host.New(host.Options{})
	end := kernels.Addr(1 << 32)
	for _, size := range []uint64{1, 4096, 5000, 1 << 30, 1} {
		a := alloc(t, d, size)
		require.Equal(t, a, alloc(t, e, size))
		require.Greater(t, a, end+4096)
		end = a + kernels.Addr(size)
	}
}

// Each access that is not inside one live allocation is an error of its stream.
func TestBounds(t *testing.T) {
	d := host.New(host.Options{})
	s := newStream(t, d)
	a, other, freed := alloc(t, d, 100), alloc(t, d, 100), alloc(t, d, 100)
	require.NoError(t, d.Free(freed))
	buffer := make([]byte, 8)
	require.NoError(t, d.Register("touch", func(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
		_, err := mem.Bytes(kernels.Addr(args[0]), args[1])
		return err
	}))
	touch, err := d.Kernel("touch")
	require.NoError(t, err)
	for _, test := range []struct {
		name string
		at   kernels.Addr
		err  error // nil: fine
	}{
		{"the first bytes", a, nil},
		{"the last bytes", a + 92, nil},
		{"one byte too far", a + 93, kernels.ErrOutOfBounds},
		{"the end", a + 100, kernels.ErrOutOfBounds},
		{"behind the end", a + 101, kernels.ErrBadAddress},
		{"before the start", a - 1, kernels.ErrBadAddress},
		{"from the gap into an allocation", other - 4, kernels.ErrBadAddress},
		{"null", 0, kernels.ErrBadAddress},
		{"freed", freed, kernels.ErrBadAddress},
		{"the last address", ^kernels.Addr(0), kernels.ErrBadAddress},
	} {
		for name, enqueue := range map[string]func() error{
			"to device": func() error { return s.CopyToDevice(test.at, buffer) },
			"to host":   func() error { return s.CopyToHost(buffer, test.at) },
			"copy to":   func() error { return s.CopyDevice(test.at, a, 8) },
			"copy from": func() error { return s.CopyDevice(a, test.at, 8) },
			"memset":    func() error { return s.Memset(test.at, 1, 8) },
			"kernel": func() error {
				return s.Launch(touch, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{uint64(test.at), 8})
			},
		} {
			require.NoError(t, enqueue(), "nothing has run yet")
			err := s.Synchronize()
			require.True(t, errors.Is(err, test.err), "%s: %s: %v", test.name, name, err)
		}
	}
	// A size that would wrap past the end of the address space.
	require.NoError(t, s.Memset(a+1, 1, ^uint64(0)))
	require.ErrorIs(t, s.Synchronize(), kernels.ErrOutOfBounds)
	require.NoError(t, s.Close())
}

// Work that was queued before its memory was freed fails; it does not write into
// what came after.
func TestUseAfterFree(t *testing.T) {
	d := host.New(host.Options{})
	s := newStream(t, d)
	a := alloc(t, d, 100)
	require.NoError(t, s.Memset(a, 1, 100))
	require.NoError(t, d.Free(a))
	alloc(t, d, 100)
	require.ErrorIs(t, s.Synchronize(), kernels.ErrBadAddress)
}

// Pinned memory that is freed while a copy is queued stays until that is done.
func TestFreeOfPinnedMemoryInUse(t *testing.T) {
	d := host.New(host.Options{})
	s := newStream(t, d)
	a := alloc(t, d, 4)
	m, err := d.AllocHost(4)
	require.NoError(t, err)
	copy(m.Bytes(), []byte{1, 2, 3, 4})
	require.NoError(t, s.CopyToDevice(a, m.Bytes()))
	require.NoError(t, m.Free())
	require.Zero(t, d.Live().HostAllocs)
	require.NoError(t, s.Synchronize())
	got := make([]byte, 4)
	require.NoError(t, s.CopyToHost(got, a))
	require.NoError(t, s.Synchronize())
	require.Equal(t, []byte{1, 2, 3, 4}, got)
}

func TestLive(t *testing.T) {
	d := host.New(host.Options{})
	require.Equal(t, host.Live{}, d.Live())
	a := alloc(t, d, 1)
	m, err := d.AllocHost(1)
	require.NoError(t, err)
	s := newStream(t, d)
	e, err := d.NewEvent()
	require.NoError(t, err)
	require.Equal(t, host.Live{Allocs: 1, HostAllocs: 1, Streams: 1, Events: 1}, d.Live())

	require.NoError(t, d.Free(a))
	require.NoError(t, m.Free())
	require.NoError(t, s.Close())
	require.ErrorContains(t, d.Close(), "Events:1")
	require.NoError(t, e.Close())
	require.Equal(t, host.Live{}, d.Live())

	require.ErrorIs(t, d.Close(), kernels.ErrClosed)
	_, err = d.Alloc(1)
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, err = d.AllocHost(1)
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, err = d.NewStream()
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, err = d.NewEvent()
	require.ErrorIs(t, err, kernels.ErrClosed)
}
