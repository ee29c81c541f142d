package ascend_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/dynpool/streampool"
)

// The pools of package dynpool on this back end, with the calls that they make.

// streamOrdered allocates, works and frees twice, with a wait of the host after each,
// in a pool that a Runtime makes. native says whether it must be one of the driver.
func streamOrdered(t *testing.T, f *fake, native bool) string {
	d := f.open()
	before := len(f.log())
	r, err := streampool.New(d, streampool.Options{})
	require.NoError(t, err)
	s, err := r.NewStream()
	require.NoError(t, err)
	p, err := r.Create(poolProps(0))
	require.NoError(t, err)
	require.Equal(t, native, p.Native())
	for range 2 {
		a, err := p.MallocAsync(100, s)
		require.NoError(t, err)
		require.NoError(t, errors.Join(s.Memset(a, 1, 100), p.FreeAsync(a, s), s.Synchronize()))
	}
	require.NoError(t, errors.Join(p.Destroy(), s.Close(), r.Detach()))
	calls := short(f.log()[before:])
	require.NoError(t, d.Close())
	f.clean()
	return calls
}

// TestStreamPoolOfTheDriver: where the library has pools a Runtime uses them.
func TestStreamPoolOfTheDriver(t *testing.T) {
	const round = " . MemPoolMallocAsync . MemsetAsync . MemPoolFreeAsync . SynchronizeStream"
	require.Equal(t, ". CreateStream . MemPoolCreate"+round+round+" . MemPoolDestroy . DestroyStream",
		streamOrdered(t, newFake(t), true))
}

// TestStreamPoolOfOurs: without them the memory comes from aclrtMalloc. A free leaves an
// event behind; with the threshold 0 each wait gives the memory back.
func TestStreamPoolOfOurs(t *testing.T) {
	require.Equal(t, ". CreateStream"+
		" . Malloc . MemsetAsync . CreateEventExWithFlag . RecordEvent . SynchronizeStream . Free"+
		" . Malloc . MemsetAsync . RecordEvent . SynchronizeStream . Free"+
		" . DestroyStream . DestroyEvent",
		streamOrdered(t, newFake(t, "-DaclrtMemPoolCreate=other"), false))
}

// TestBlockPoolCalls: what the block pool is for, fewer calls of aclrtMalloc and
// aclrtFree: blocks and a workspace that grows live in one region.
func TestBlockPoolCalls(t *testing.T) {
	f := newFake(t)
	d := f.open()
	before := len(f.log())
	p, err := blockpool.New(d, blockpool.Options{Size: 1 << 20})
	require.NoError(t, err)
	w := blockpool.NewWorkspace(p)
	for i := range uint64(100) {
		id, err := p.AllocateBlock(1000 + i)
		require.NoError(t, err)
		a, err := p.BlockPtr(id)
		require.NoError(t, err)
		require.Zero(t, a%blockpool.Align)
		_, err = w.Require(i * 500)
		require.NoError(t, err)
		require.NoError(t, p.FreeBlock(id))
	}
	require.NoError(t, errors.Join(w.Close(), p.Close()))
	require.Equal(t, ". Malloc . Free", short(f.log()[before:]))
	require.NoError(t, d.Close())
	f.clean()
}
