package kernelstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// Work of one stream runs in order: each operation sees what the one before left.
func testStreams(t *testing.T, d *device) {
	a, b := d.upload(bytesOf(1, 64)), d.alloc(64)
	out := d.pinned(64)
	in := d.pinned(64)
	copy(in, bytesOf(5, 64))
	s := d.newStream()
	require.NoError(t, s.Synchronize(), "nothing to wait for")
	require.NoError(t, s.CopyDevice(b, a, 64))
	require.NoError(t, s.CopyToDevice(a, in))
	require.NoError(t, s.Memset(a, 0, 8))
	require.NoError(t, s.CopyToHost(out, a))
	require.NoError(t, s.Synchronize())
	want := bytesOf(5, 64)
	clear(want[:8])
	require.Equal(t, want, out)
	require.Equal(t, bytesOf(1, 64), d.read(b, 64))

	// A stream is used again and again.
	for i := range byte(50) {
		require.NoError(t, s.Memset(a, i, 64))
		require.NoError(t, s.CopyToHost(out, a))
		require.NoError(t, s.Synchronize())
		require.Equal(t, i, out[63])
	}

	other, err := d.NewStream()
	require.NoError(t, err)
	require.NoError(t, other.Memset(a, 0x77, 64))
	require.NoError(t, other.Close(), "closing runs what is queued")
	require.Equal(t, byte(0x77), d.read(a, 64)[0])
	require.ErrorIs(t, other.Close(), kernels.ErrClosed)
	require.ErrorIs(t, other.Synchronize(), kernels.ErrClosed)
	require.ErrorIs(t, other.Memset(a, 0, 1), kernels.ErrClosed)
}

// Launching what does not belong to the device is refused at once.
func testStreamErrors(t *testing.T, d *device) {
	require.ErrorIs(t, d.stream.Launch(nil, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{}), kernels.ErrForeign)
	require.ErrorIs(t, d.stream.Launch(foreign{}, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{}), kernels.ErrForeign)
	require.ErrorIs(t, d.stream.Record(nil), kernels.ErrForeign)
	require.ErrorIs(t, d.stream.Wait(foreign{}), kernels.ErrForeign)
	d.sync()
}

type foreign struct{}

func (foreign) Name() string         { return "foreign" }
func (foreign) Query() (bool, error) { return true, nil }
func (foreign) Synchronize() error   { return nil }
func (foreign) Close() error         { return nil }

func testEvents(t *testing.T, d *device) {
	a, out := d.upload(bytesOf(1, 16)), d.pinned(16)
	first, second := d.newStream(), d.newStream()
	e, err := d.NewEvent()
	require.NoError(t, err)
	require.NoError(t, second.Wait(e), "an event that was never recorded is no reason to wait")
	require.NoError(t, second.Synchronize())

	require.NoError(t, first.Memset(a, 1, 16))
	require.NoError(t, first.Record(e))
	require.NoError(t, second.Wait(e))
	require.NoError(t, second.CopyToHost(out, a))
	require.NoError(t, second.Synchronize())
	require.Equal(t, byte(1), out[0], "the second stream did not wait for the first")

	// An event can be recorded again; a wait means the record before it.
	require.NoError(t, first.Memset(a, 2, 16))
	require.NoError(t, first.Record(e))
	require.NoError(t, second.Wait(e))
	require.NoError(t, e.Close(), "waits that are queued stay good")
	require.NoError(t, second.CopyToHost(out, a))
	require.NoError(t, second.Synchronize())
	require.Equal(t, byte(2), out[0])
	require.ErrorIs(t, e.Close(), kernels.ErrClosed)
	require.ErrorIs(t, first.Record(e), kernels.ErrForeign)
	require.ErrorIs(t, first.Wait(e), kernels.ErrForeign)
}

// Two streams hand a value to and fro.
func testEventChains(t *testing.T, d *device) {
	const rounds = 20
	a := d.upload(make([]byte, rounds+1))
	d.write(a, []byte{42})
	streams := []kernels.Stream{d.newStream(), d.newStream(), d.newStream()}
	for i := range uint64(rounds) {
		s, next := streams[i%3], streams[(i+1)%3]
		require.NoError(t, s.CopyDevice(a+kernels.Addr(i)+1, a+kernels.Addr(i), 1))
		e := d.newEvent()
		require.NoError(t, s.Record(e))
		require.NoError(t, next.Wait(e))
	}
	out := d.pinned(rounds + 1)
	last := streams[rounds%3]
	require.NoError(t, last.CopyToHost(out, a))
	require.NoError(t, last.Synchronize())
	for i, b := range out {
		require.Equal(t, byte(42), b, i)
	}
}
