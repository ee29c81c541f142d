//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/kernels"
)

// What cannot be right never reaches the driver.
func TestRefused(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s := newStream(t, d)
	a, b, freed := alloc(t, d, 100), alloc(t, d, 100), alloc(t, d, 100)
	m, err := d.AllocHost(8)
	require.NoError(t, err)
	require.NoError(t, m.Free())
	require.NoError(t, d.Free(freed))
	calls := f.count("fake_calls")

	_, err = d.Alloc(0)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	_, err = d.AllocHost(0)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	for _, size := range []uint64{8<<30 + 1, 1 << 61, ^uint64(0)} {
		_, err = d.Alloc(size)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	}
	for _, size := range []uint64{1<<47 + 1, 1 << 63, ^uint64(0)} {
		_, err = d.AllocHost(size)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	}
	for _, addr := range []kernels.Addr{0, 1, a + 1, a + 99, a + 100, freed, ^kernels.Addr(0)} {
		require.ErrorIs(t, d.Free(addr), kernels.ErrBadAddress, addr)
	}
	require.ErrorIs(t, m.Free(), kernels.ErrClosed)

	buffer := make([]byte, 101)
	for _, test := range []struct {
		at   kernels.Addr
		size int
		want error
	}{
		{0, 1, kernels.ErrBadAddress},
		{a - 1, 1, kernels.ErrBadAddress},
		{a, 101, kernels.ErrOutOfBounds},
		{a + 99, 2, kernels.ErrOutOfBounds},
		{a + 100, 1, kernels.ErrBadAddress},
		{freed, 1, kernels.ErrBadAddress},
		{^kernels.Addr(0), 1, kernels.ErrBadAddress},
	} {
		n := uint64(test.size)
		require.ErrorIs(t, s.CopyToDevice(test.at, buffer[:n]), test.want, "%+v", test)
		require.ErrorIs(t, s.CopyToHost(buffer[:n], test.at), test.want, "%+v", test)
		require.ErrorIs(t, s.CopyDevice(test.at, b, n), test.want, "%+v", test)
		require.ErrorIs(t, s.CopyDevice(b, test.at, n), test.want, "%+v", test)
		require.ErrorIs(t, s.Memset(test.at, 1, n), test.want, "%+v", test)
	}
	require.ErrorIs(t, s.Memset(a+1, 0, ^uint64(0)), kernels.ErrOutOfBounds)

	// Copies of nothing do nothing.
	require.NoError(t, s.CopyToDevice(a, nil))
	require.NoError(t, s.CopyToDevice(a, buffer[:0]))
	require.NoError(t, s.CopyToHost(nil, a))
	require.NoError(t, s.CopyDevice(a, b, 0))
	require.NoError(t, s.Memset(a, 1, 0))
	require.Equal(t, calls, f.count("fake_calls"))
}

// The edges are inside.
func TestWholeAllocation(t *testing.T) {
	d := newFake(t).open(t)
	s := newStream(t, d)
	a, b := alloc(t, d, 100), alloc(t, d, 100)
	got := make([]byte, 100)
	require.NoError(t, s.Memset(a, 7, 100))
	require.NoError(t, s.Memset(a+99, 8, 1))
	require.NoError(t, s.CopyDevice(b, a, 100))
	require.NoError(t, s.CopyToHost(got, b))
	require.NoError(t, s.Synchronize())
	require.Equal(t, append(slices.Repeat([]byte{7}, 99), 8), got)
}

// ranges agree with a map of bytes.
func TestRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r ranges
		start := map[kernels.Addr]uint64{}
		owner := map[kernels.Addr]kernels.Addr{}
		for range 30 {
			at := kernels.Addr(rapid.Uint64Range(1, 60).Draw(t, "at"))
			size := rapid.Uint64Range(1, 12).Draw(t, "size")
			free := true
			for i := range size {
				_, taken := owner[at+kernels.Addr(i)]
				free = free && !taken
			}
			if rapid.Bool().Draw(t, "add") && free {
				r.add(span{from: at, size: size})
				start[at] = size
				for i := range size {
					owner[at+kernels.Addr(i)] = at
				}
			} else {
				n, ok := start[at]
				require.Equal(t, ok, r.remove(at))
				delete(start, at)
				for i := range n {
					delete(owner, at+kernels.Addr(i))
				}
			}
			first, inside := owner[at]
			err := r.check(at, size)
			switch {
			case !inside:
				require.ErrorIs(t, err, kernels.ErrBadAddress)
			case uint64(at)+size > uint64(first)+start[first]:
				require.ErrorIs(t, err, kernels.ErrOutOfBounds)
			default:
				require.NoError(t, err)
			}
		}
	})
}

// The driver need not wait for work on memory that is freed; Free does.
func TestFreeWaits(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, idle := newStream(t, d), newStream(t, d)
	require.NoError(t, idle.Synchronize())
	a, b := alloc(t, d, 8), alloc(t, d, 8)
	require.NoError(t, s.Memset(a, 1, 8))
	calls := f.count("fake_calls")
	require.NoError(t, d.Free(a))
	require.NoError(t, d.Free(b))
	require.Equal(t, []string{"cuStreamSynchronize stream1", "cuMemFree_v2 device1", "cuMemFree_v2 device2"}, f.since(calls))
}

// Pinned memory that is freed stays while a stream has work, and freeing it does not
// wait.
func TestFreedPinnedMemory(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	first, second := newStream(t, d), newStream(t, d)
	event, err := d.NewEvent()
	require.NoError(t, err)
	a := alloc(t, d, 8)
	pinned := func() kernels.HostMemory {
		m, err := d.AllocHost(8)
		require.NoError(t, err)
		return m
	}
	m := pinned()
	copy(m.Bytes(), "whatever")
	require.NoError(t, first.CopyToDevice(a, m.Bytes()))
	require.NoError(t, first.Record(event))
	require.NoError(t, m.Free())
	require.Nil(t, m.Bytes())
	require.ErrorIs(t, m.Free(), kernels.ErrClosed)
	require.NotContains(t, f.since(0), "cuMemFreeHost pinned1")

	// The second stream waits for the first, so the driver knows that it is done.
	got := make([]byte, 8)
	require.NoError(t, second.Wait(event))
	require.NoError(t, second.CopyToHost(got, a))
	require.NoError(t, second.Synchronize())
	require.Equal(t, "whatever", string(got))
	require.Contains(t, f.since(0), "cuMemFreeHost pinned1")

	// A stream in a capture is not asked.
	require.NoError(t, first.BeginCapture())
	require.NoError(t, first.Memset(a, 1, 8))
	require.NoError(t, pinned().Free())
	require.Contains(t, f.since(0), "cuMemFreeHost pinned2", "what is captured is not at work")
	g, err := first.EndCapture()
	require.NoError(t, err)
	require.NoError(t, g.Close())
	require.NoError(t, first.Memset(a, 1, 8))
	require.NoError(t, first.BeginCapture())
	require.NoError(t, pinned().Free())
	require.NotContains(t, f.since(0), "cuMemFreeHost pinned3")
	g, err = first.EndCapture()
	require.NoError(t, err)
	require.NoError(t, g.Close())
	require.NoError(t, first.Synchronize())
	require.Contains(t, f.since(0), "cuMemFreeHost pinned3")

	// The end of a stream is the end of its work.
	require.NoError(t, first.Memset(a, 1, 8))
	require.NoError(t, pinned().Free())
	require.NotContains(t, f.since(0), "cuMemFreeHost pinned4")
	require.NoError(t, first.Close())
	require.Contains(t, f.since(0), "cuMemFreeHost pinned4")
	require.NoError(t, event.Close())
}

// Go memory in a copy lives until the stream was waited for, and no longer.
func TestGoMemoryIsKept(t *testing.T) {
	d := newFake(t).open(t)
	s := newStream(t, d)
	const size = 1 << 16
	a := alloc(t, d, size)
	collected := make(chan bool, 1)
	src := new([size]byte)
	want := make([]byte, size)
	for i := range src {
		src[i] = byte(rand.Uint32())
		want[i] = src[i]
	}
	runtime.SetFinalizer(src, func(*[size]byte) { collected <- true })
	require.NoError(t, s.CopyToDevice(a, src[:]))
	for range 5 {
		runtime.GC()
	}
	require.Empty(t, collected, "collected while a copy reads it")
	got := make([]byte, size)
	require.NoError(t, s.CopyToHost(got, a))
	require.Len(t, s.keep, 2)
	require.NoError(t, s.Synchronize())
	require.Equal(t, want, got)
	require.Empty(t, s.keep)
	require.Equal(t, [][]byte{nil, nil}, s.keep[:2])
	runtime.GC()
	require.True(t, <-collected)
}
