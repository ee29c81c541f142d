//go:build !race

package ascend_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// The calls of a batch allocate nothing. Under the race detector a sync.Pool does
// not keep what it is given.
func TestNoGarbage(t *testing.T) {
	f := newFake(t)
	d := f.open()
	s, err := d.NewStream()
	require.NoError(t, err)
	k, err := d.Kernel(kernels.Reset)
	require.NoError(t, err)
	a, err := d.Alloc(64)
	require.NoError(t, err)
	m, err := d.AllocHost(64)
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	p, err := d.NewPool(poolProps(0))
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		x, err := p.MallocAsync(64, s)
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(
			s.CopyToDevice(a, m.Bytes()), s.Launch(k, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{uint64(a)}),
			p.FreeAsync(x, s), s.Record(e), s.Wait(e), e.Synchronize(), s.Record(e), s.Memset(a, 0, 64), s.CopyToHost(m.Bytes(), a), s.Synchronize())
		if err != nil {
			t.Fatal(err)
		}
		if done, err := e.Query(); !done || err != nil {
			t.Fatal(done, err)
		}
	}))
	require.NoError(t, errors.Join(p.Destroy(), e.Close(), s.Close(), m.Free(), d.Free(a), d.Close()))
}
