//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

func endCapture(t *testing.T, s *Stream) *Graph {
	t.Helper()
	g, err := s.EndCapture()
	require.NoError(t, err)
	return g
}

// What is captured runs when it is launched, as often as it is launched.
func TestGraph(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, other := newStream(t, d), newStream(t, d)
	a := alloc(t, d, 4)
	got := make([]byte, 4)
	read := func() string {
		require.NoError(t, s.CopyToHost(got, a))
		require.NoError(t, s.Synchronize())
		return string(got)
	}
	require.NoError(t, s.CopyToDevice(a, []byte("abcd")))
	require.NoError(t, s.BeginCapture())
	require.ErrorContains(t, s.BeginCapture(), "captured already")
	require.ErrorContains(t, s.Synchronize(), "being captured")
	require.NoError(t, s.CopyDevice(a+2, a, 2))
	g := endCapture(t, s)
	require.Equal(t, Live{Allocs: 1, Streams: 2, Graphs: 1}, d.Live())
	require.Equal(t, "abcd", read())
	require.NoError(t, g.Launch(s))
	require.Equal(t, "abab", read())
	require.NoError(t, s.CopyToDevice(a, []byte("wxyz")))
	require.NoError(t, s.Synchronize())
	require.NoError(t, g.Launch(other))
	require.NoError(t, g.Close(), "what is queued stays good")
	require.NoError(t, other.Synchronize())
	require.Equal(t, "wxwx", read())
	require.ErrorIs(t, g.Close(), kernels.ErrClosed)
	require.ErrorIs(t, g.Launch(s), kernels.ErrClosed)
	_, err := s.EndCapture()
	require.ErrorContains(t, err, "no capture")
	require.ErrorIs(t, g.Launch(nil), kernels.ErrForeign)
}

// A stream that waits for an event of a capture is part of it until it ends.
func TestGraphOfTwoStreams(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, branch := newStream(t, d), newStream(t, d)
	fork, err := d.NewEvent()
	require.NoError(t, err)
	join, err := d.NewEvent()
	require.NoError(t, err)
	a := alloc(t, d, 2)
	got := make([]byte, 2)

	require.NoError(t, s.BeginCapture())
	require.NoError(t, s.Memset(a, 'x', 1))
	require.NoError(t, s.Record(fork))
	require.NoError(t, branch.Wait(fork))
	require.ErrorContains(t, branch.Synchronize(), "being captured")
	require.ErrorContains(t, branch.BeginCapture(), "captured already")
	_, err = branch.EndCapture()
	require.ErrorContains(t, err, "no capture")
	require.NoError(t, branch.Memset(a+1, 'y', 1))
	require.NoError(t, branch.Record(join))
	require.NoError(t, s.Wait(join))
	scrap := alloc(t, d, 1)
	require.NoError(t, d.Free(scrap), "freeing does not wait for what is being captured")
	g := endCapture(t, s)

	require.NoError(t, branch.Synchronize())
	require.NoError(t, g.Launch(branch))
	require.NoError(t, branch.CopyToHost(got, a))
	require.NoError(t, branch.Synchronize())
	require.Equal(t, "xy", string(got))
	require.NoError(t, g.Close())
	require.NoError(t, fork.Close())
	require.NoError(t, join.Close())
}

// Go memory that a graph copies belongs to the graph and, once launched, to the stream.
func TestGraphKeepsGoMemory(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s := newStream(t, d)
	a := alloc(t, d, 4)
	m, err := d.AllocHost(4)
	require.NoError(t, err)
	require.NoError(t, s.BeginCapture())
	require.NoError(t, s.CopyToDevice(a, []byte("abcd")))
	require.NoError(t, s.CopyToHost(m.Bytes(), a))
	require.Empty(t, s.keep)
	g := endCapture(t, s)
	require.Equal(t, [][]byte{[]byte("abcd")}, g.keep)
	require.NoError(t, g.Launch(s))
	require.Equal(t, [][]byte{[]byte("abcd")}, s.keep)
	require.NoError(t, g.Close())
	require.NoError(t, s.Synchronize())
	require.Empty(t, s.keep)
	require.Equal(t, "abcd", string(m.Bytes()))
	require.NoError(t, m.Free())
}

// A stream that is closed in a capture gives up the capture.
func TestCloseInCapture(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, branch := newStream(t, d), newStream(t, d)
	e, err := d.NewEvent()
	require.NoError(t, err)
	a := alloc(t, d, 4)
	require.NoError(t, s.BeginCapture())
	require.NoError(t, s.Record(e))
	require.NoError(t, branch.Wait(e))
	require.NoError(t, s.Memset(a, 1, 4))
	require.NoError(t, s.Close())
	require.NoError(t, branch.Synchronize())
	require.NoError(t, e.Close())
}

// An error leaves no stream in a capture that it is not in.
func TestFailedCapture(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, branch := newStream(t, d), newStream(t, d)
	e, err := d.NewEvent()
	require.NoError(t, err)
	failNext := func(skip int) { f.call("fake_fail", uintptr(f.count("fake_calls")+1+skip), 719, 0) }

	failNext(1)
	require.Error(t, s.BeginCapture())
	require.NoError(t, s.Synchronize())
	require.NoError(t, s.BeginCapture())
	require.NoError(t, s.Record(e))
	failNext(1)
	require.Error(t, branch.Wait(e))
	require.NoError(t, branch.Synchronize())
	// The end is an end, whether the context, the capture or the graph is what fails.
	for skip := range 3 {
		failNext(skip)
		g, err := s.EndCapture()
		require.Error(t, err)
		require.Nil(t, g)
		require.NoError(t, s.Synchronize())
		require.NoError(t, s.BeginCapture())
	}
	require.NoError(t, endCapture(t, s).Close())
	require.NoError(t, e.Close())
}
