//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

func TestMissingLibrary(t *testing.T) {
	for _, test := range []struct {
		chosen, env string
		names       []string
	}{
		{"libseqplan-none.so", "libseqplan-env.so", []string{"libseqplan-none.so"}},
		{"", "libseqplan-env.so", []string{"libseqplan-env.so"}},
	} {
		t.Setenv(LibraryEnv, test.env)
		_, err := Open(0, Options{Library: test.chosen})
		require.ErrorIs(t, err, kernels.ErrNotSupported)
		_, count := Count(Options{Library: test.chosen})
		require.EqualError(t, count, err.Error())
		for _, name := range test.names {
			require.ErrorContains(t, err, name)
		}
	}
}

// Each function is needed, but for those of graphs and pools, which only those need.
func TestMissingFunctions(t *testing.T) {
	f := newFake(t)
	for _, s := range new(library).symbols() {
		so, err := linkFakeWithout(s.name)
		require.NoError(t, err)
		opts := f.opts()
		opts.Library = so
		d, err := Open(0, opts)
		if s.of == "" {
			require.ErrorIs(t, err, kernels.ErrNotSupported)
			require.ErrorContains(t, err, s.name)
			require.ErrorContains(t, err, so)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, s.of != graphs, d.Properties().Graphs)
		stream, err := d.NewStream()
		require.NoError(t, err)
		capture := stream.(*Stream).BeginCapture()
		pool, pooled := d.NewPool(onDevice(0))
		var failed, fine error
		switch s.of {
		case graphs:
			failed, fine = capture, pooled
			require.NoError(t, pool.Destroy())
		case pools:
			failed, fine = pooled, capture
			require.NoError(t, endCapture(t, stream.(*Stream)).Close())
		}
		require.NoError(t, fine)
		require.ErrorIs(t, failed, kernels.ErrNotSupported)
		require.ErrorContains(t, failed, "cuda "+string(s.of)+": ")
		require.ErrorContains(t, failed, s.name)
		require.ErrorContains(t, failed, so)
		require.NoError(t, stream.Close())
		require.NoError(t, d.Close())
	}
}

func TestNoDevice(t *testing.T) {
	f := newFake(t)
	f.call("fake_devices", 0)
	_, err := Open(0, f.opts())
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "CUDA_ERROR_NO_DEVICE (100)")
	_, err = Count(f.opts())
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	f.clean(t)
}

func TestOrdinals(t *testing.T) {
	f := newFake(t)
	f.call("fake_devices", 3)
	n, err := Count(f.opts())
	require.NoError(t, err)
	require.Equal(t, 3, n)
	for _, ordinal := range []int{-1, 3, 1 << 40} {
		_, err := Open(ordinal, f.opts())
		require.ErrorIs(t, err, kernels.ErrNotSupported, ordinal)
		require.ErrorContains(t, err, "the driver has 3")
	}
	d, err := Open(2, f.opts())
	require.NoError(t, err)
	require.Equal(t, kernels.Info{Backend: "cuda", Name: "Fake GPU", Memory: 8 << 30, BaseAlign: 256}, d.Info())
	require.Equal(t, Properties{
		Ordinal: 2, Name: "Fake GPU", Memory: 8 << 30, Major: 9, Minor: 0, Multiprocessors: 132,
		MaxThreads: 1024, Driver: 12040, Library: f.path, Graphs: true,
	}, d.Properties())
	free, total, err := d.MemoryInfo()
	require.NoError(t, err)
	require.Equal(t, [2]uint64{8<<30 - 12345, 8 << 30}, [2]uint64{free, total})
	require.NoError(t, d.Close())
	f.clean(t)
}

// A second device of the same ordinal shares the context, and is on its own otherwise.
func TestTwoOfOne(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	e, err := Open(0, f.opts())
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	a := alloc(t, d, 64)
	require.ErrorIs(t, e.Free(a), kernels.ErrBadAddress)
	s, err := e.NewStream()
	require.NoError(t, err)
	require.ErrorIs(t, s.Memset(a, 0, 1), kernels.ErrBadAddress)
	require.NoError(t, s.Close())
}

// Code and meaning of errors, whatever the driver calls them.
func TestError(t *testing.T) {
	for code, want := range map[int32]error{
		1: nil, 2: kernels.ErrOutOfMemory, 34: kernels.ErrNotSupported, 100: kernels.ErrNotSupported,
		101: kernels.ErrNotSupported, 209: kernels.ErrNotSupported, 222: kernels.ErrNotSupported,
		500: kernels.ErrNoKernel, 700: nil, 801: kernels.ErrNotSupported, 803: kernels.ErrNotSupported, 804: kernels.ErrNotSupported,
	} {
		require.Equal(t, want, errors.Unwrap(&Error{Code: code}), code)
	}
	f := newFake(t)
	f.call("fake_fail", 1, 4711, 0)
	_, err := Count(f.opts())
	require.EqualError(t, err, "cuda: cuInit: unknown CUresult (4711)")
	f.call("fake_reset")
	f.call("fake_fail", 2, 1, 0)
	_, err = Count(f.opts())
	require.EqualError(t, err, "cuda: cuDeviceGetCount: CUDA_ERROR_INVALID_VALUE (1)")
	require.EqualError(t, &Error{Call: "f", Code: 1, Name: "N", Detail: "why"}, "f: N (1): why")
}

// A device that is closed first gives back everything, each thing once, and what
// belonged to it says so.
func TestCloseEarly(t *testing.T) {
	f := newFake(t)
	d, err := Open(0, f.opts())
	require.NoError(t, err)
	joined, err := d.NewStream()
	require.NoError(t, err)
	stream, err := d.NewStream()
	require.NoError(t, err)
	s := stream.(*Stream)
	working, err := d.NewStream()
	require.NoError(t, err)
	event, err := d.NewEvent()
	require.NoError(t, err)
	a, err := d.Alloc(8)
	require.NoError(t, err)
	m, err := d.AllocHost(8)
	require.NoError(t, err)
	freed, err := d.AllocHost(8)
	require.NoError(t, err)
	k, err := d.Kernel(kernels.Reset)
	require.NoError(t, err)
	p, err := d.NewPool(onDevice(0))
	require.NoError(t, err)
	b, err := p.MallocAsync(8, s)
	require.NoError(t, err)
	gone, err := p.MallocAsync(8, s)
	require.NoError(t, err)
	require.NoError(t, p.FreeAsync(gone, s))
	require.NoError(t, s.BeginCapture())
	require.NoError(t, s.Memset(a, 1, 8))
	g, err := s.EndCapture()
	require.NoError(t, err)
	require.NoError(t, working.CopyToDevice(a, freed.Bytes()))
	require.NoError(t, freed.Free())
	require.NoError(t, s.BeginCapture())
	require.NoError(t, s.Record(event))
	require.NoError(t, joined.Wait(event))
	require.Equal(t, Live{2, 1, 3, 1, 1, 1}, d.Live())

	calls := f.count("fake_calls")
	require.ErrorContains(t, d.Close(), "{Allocs:2 HostAllocs:1 Streams:3 Events:1 Graphs:1 Pools:1} still live")
	f.clean(t)
	require.Equal(t, []string{
		"cuStreamEndCapture stream2", "cuGraphDestroy graph2",
		"cuStreamSynchronize stream1", "cuStreamDestroy_v2 stream1",
		"cuStreamSynchronize stream2", "cuStreamDestroy_v2 stream2",
		"cuStreamSynchronize stream3", "cuStreamDestroy_v2 stream3",
		"cuGraphExecDestroy exec1", "cuEventDestroy_v2 event1", "cuMemFreeHost pinned2", "cuMemFreeHost pinned1",
	}, f.since(calls)[:12])
	require.ElementsMatch(t, []string{"cuMemFree_v2 device1", "cuMemFree_v2 device2"}, f.since(calls)[12:14])
	require.Equal(t, []string{"cuMemPoolDestroy pool1", "cuModuleUnload module1", "cuDevicePrimaryCtxRelease_v2 0"}, f.since(calls)[14:])
	calls = f.count("fake_calls")
	require.Nil(t, m.Bytes())
	_, memoryErr := d.Alloc(1)
	_, hostErr := d.AllocHost(1)
	_, streamErr := d.NewStream()
	_, eventErr := d.NewEvent()
	_, kernelErr := d.Kernel(kernels.Reset)
	_, _, infoErr := d.MemoryInfo()
	_, captureErr := s.EndCapture()
	_, queryErr := event.Query()
	_, poolErr := d.NewPool(onDevice(0))
	_, mallocErr := p.MallocAsync(8, s)
	_, attrErr := p.GetAttr(kernels.PoolUsedCurrent)
	for i, err := range []error{
		memoryErr, hostErr, streamErr, eventErr, kernelErr, infoErr, captureErr,
		queryErr, event.Synchronize(), poolErr, mallocErr, attrErr,
		p.FreeAsync(b, s), p.SetAttr(kernels.PoolReleaseThreshold, 1), p.TrimTo(0), p.Destroy(),
		d.Close(), d.Free(a), m.Free(), s.Close(), s.Synchronize(), s.Memset(a, 0, 1), s.Record(event), s.Wait(event),
		s.CopyToDevice(a, make([]byte, 1)), s.CopyToHost(make([]byte, 1), a), s.CopyDevice(a, a, 1),
		s.Launch(k, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{}), s.BeginCapture(), g.Launch(s), g.Close(), event.Close(),
		d.LoadModule(ptx(sign("k", 1)), sign("k", 1)),
	} {
		require.ErrorIs(t, err, kernels.ErrClosed, i)
	}
	require.Equal(t, calls, f.count("fake_calls"))
	require.Equal(t, Live{}, d.Live())
}
