//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

var one = kernels.Grid{Blocks: 1, Threads: 1}

// Every argument arrives, each in its place, and only as many as there are.
func TestLaunch(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s := newStream(t, d)
	for n := range kernels.MaxArgs + 1 {
		k := loadKernel(t, d, sign(fmt.Sprintf("k%d", n), n))
		require.Equal(t, fmt.Sprintf("k%d", n), k.Name())
		args := kernels.Args{11, 1 << 40, 33, 44, 55, 66, 77, ^uint64(0)}
		calls := f.count("fake_calls")
		require.NoError(t, s.Launch(k, kernels.Grid{Blocks: 3, Threads: 512}, args))
		want := fmt.Sprintf("cuLaunchKernel k%d 3x1x1 512x1x1 0 stream1", n)
		for _, a := range args[:n] {
			want += fmt.Sprintf(" %d", a)
		}
		require.Equal(t, []string{want}, f.since(calls))
	}
	require.NoError(t, s.Synchronize())

	k, err := d.Kernel("k1")
	require.NoError(t, err)
	for _, grid := range []kernels.Grid{{}, {Blocks: 1}, {Threads: 1}, {Blocks: 1, Threads: 1025}} {
		var failed *Error
		require.ErrorAs(t, s.Launch(k, grid, kernels.Args{}), &failed)
		require.Equal(t, int32(1), failed.Code)
	}
}

type foreign struct{}

func (foreign) Name() string         { return "foreign" }
func (foreign) Query() (bool, error) { return true, nil }
func (foreign) Synchronize() error   { return nil }
func (foreign) Close() error         { return nil }

func TestForeign(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	other, err := Open(0, f.opts())
	require.NoError(t, err)
	defer func() { require.NoError(t, other.Close()) }()
	s := newStream(t, d)
	k, err := other.Kernel(kernels.Step)
	require.NoError(t, err)
	event, err := other.NewEvent()
	require.NoError(t, err)
	closed, err := d.NewEvent()
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	require.ErrorIs(t, closed.Close(), kernels.ErrClosed)
	for _, k := range []kernels.Kernel{nil, foreign{}, k} {
		require.ErrorIs(t, s.Launch(k, one, kernels.Args{}), kernels.ErrForeign)
	}
	for _, e := range []kernels.Event{nil, foreign{}, event, closed} {
		require.ErrorIs(t, s.Record(e), kernels.ErrForeign)
		require.ErrorIs(t, s.Wait(e), kernels.ErrForeign)
	}
	require.NoError(t, event.Close())
	_, err = d.Kernel("none")
	require.ErrorIs(t, err, kernels.ErrNoKernel)
}

// A kernel that leaves its memory spoils the context; what is there can still be given
// back.
func TestFault(t *testing.T) {
	f := newFake(t)
	d, err := Open(0, f.opts())
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	a, err := d.Alloc(8)
	require.NoError(t, err)
	k := loadKernel(t, d, sign("test_fault", 0))
	require.NoError(t, s.Launch(k, one, kernels.Args{}))
	for range 2 {
		var failed *Error
		require.ErrorAs(t, s.Synchronize(), &failed)
		require.Equal(t, "CUDA_ERROR_ILLEGAL_ADDRESS", failed.Name)
	}
	require.Error(t, s.Memset(a, 1, 8))
	require.Error(t, s.Close())
	require.ErrorIs(t, s.Close(), kernels.ErrClosed)
	require.Error(t, d.Free(a))
	require.Error(t, d.Close())
	f.clean(t)
}

func TestCloseRunsWhatIsQueued(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, other := newStream(t, d), newStream(t, d)
	a := alloc(t, d, 1)
	got := make([]byte, 1)
	require.NoError(t, s.Memset(a, 9, 1))
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.Close(), kernels.ErrClosed)
	require.ErrorIs(t, s.Memset(a, 9, 1), kernels.ErrClosed)
	require.ErrorIs(t, s.Memset(a, 9, 0), kernels.ErrClosed)
	require.ErrorIs(t, s.Synchronize(), kernels.ErrClosed)
	require.NoError(t, other.CopyToHost(got, a))
	require.NoError(t, other.Synchronize())
	require.Equal(t, []byte{9}, got)
}

// What runs once per step or batch allocates nothing in Go.
func TestNoGarbage(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, other := newStream(t, d), newStream(t, d)
	a := alloc(t, d, 64)
	m, err := d.AllocHost(64)
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	k, err := d.Kernel(kernels.Step)
	require.NoError(t, err)
	p := newPool(t, d)
	f.call("fake_quiet")
	if !raceEnabled {
		require.Zero(t, testing.AllocsPerRun(50, func() {
			err := errors.Join(s.CopyToDevice(a, m.Bytes()), s.Launch(k, one, kernels.Args{uint64(a)}), s.Memset(a, 0, 8),
				s.Record(e), other.Wait(e), other.CopyToHost(m.Bytes(), a), e.Synchronize(), other.Synchronize(), s.Synchronize())
			done, query := e.Query()
			b, malloc := p.MallocAsync(64, s)
			if err := errors.Join(err, query, malloc, s.Memset(b, 1, 64), p.FreeAsync(b, s)); err != nil || !done {
				t.Fatal(done, err)
			}
		}))
	}
	require.NoError(t, m.Free())
	require.NoError(t, e.Close())
}

// Goroutines of two devices share the threads: each call finds its own context, and
// streams do not disturb each other. Run with -race.
func TestConcurrentDevices(t *testing.T) {
	f := newFake(t)
	f.call("fake_devices", 2)
	f.call("fake_quiet")
	devices := make([]*Device, 2)
	for i := range devices {
		d, err := Open(i, f.opts())
		require.NoError(t, err)
		devices[i] = d
	}
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			if err := work(devices[w%2], byte(w)); err != nil {
				t.Errorf("worker %d: %v", w, err)
			}
		})
	}
	wg.Wait()
	for _, d := range devices {
		require.Equal(t, Live{}, d.Live())
		require.NoError(t, d.Close())
	}
	f.clean(t)
}

func work(d *Device, id byte) error {
	s, err := d.NewStream()
	if err != nil {
		return err
	}
	e, err := d.NewEvent()
	if err != nil {
		return err
	}
	for i := range 10 {
		runtime.Gosched()
		a, err := d.Alloc(64)
		if err != nil {
			return err
		}
		m, err := d.AllocHost(64)
		if err != nil {
			return err
		}
		bytes := m.Bytes()
		err = errors.Join(s.Memset(a, id, 64), s.Record(e), s.Wait(e), s.CopyToHost(bytes, a), s.Synchronize())
		if err == nil && bytes[i] != id {
			err = fmt.Errorf("found %d", bytes[i])
		}
		if err := errors.Join(err, m.Free(), d.Free(a)); err != nil {
			return err
		}
	}
	return errors.Join(e.Close(), s.Close())
}

func BenchmarkLaunch(b *testing.B) {
	f := newFake(b)
	d, err := Open(0, f.opts())
	require.NoError(b, err)
	s, err := d.NewStream()
	require.NoError(b, err)
	k, err := d.Kernel(kernels.Step)
	require.NoError(b, err)
	f.call("fake_quiet")
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Launch(k, one, kernels.Args{}); err != nil {
			b.Fatal(err)
		}
	}
	require.NoError(b, s.Close())
	require.NoError(b, d.Close())
}
