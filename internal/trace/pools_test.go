package trace_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/internal/trace"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// keep is a release threshold at which a pool keeps what it has.
const keep = math.MaxUint64

// streamPool replays in a stream-ordered pool. The host back end reserves memory that
// nobody touches at no cost, so that sizes do not matter.
type streamPool struct {
	pool    *streampool.Pool
	streams []kernels.Stream
	at      []kernels.Addr // by id
	touched kernels.Addr   // by the work; 0: there is none, so that what is freed is free at once
}

func newStreamPool(t testing.TB, tr *trace.Trace, threshold uint64, work bool) *streamPool {
	rt, err := streampool.New(host.New(host.Options{}), streampool.Options{})
	require.NoError(t, err)
	s := &streamPool{at: make([]kernels.Addr, tr.IDs)}
	if work {
		s.touched, err = rt.Alloc(1)
		require.NoError(t, err)
	}
	for range tr.Streams {
		stream, err := rt.NewStream()
		require.NoError(t, err)
		s.streams = append(s.streams, stream)
	}
	s.pool, err = rt.Create(streampool.Props{AllocType: kernels.PoolPinned, Location: kernels.PoolLocation{Type: kernels.PoolOnDevice}})
	require.NoError(t, err)
	require.NoError(t, s.pool.SetAttr(kernels.PoolReleaseThreshold, threshold))
	t.Cleanup(func() {
		errs := []error{s.pool.Destroy()}
		for _, stream := range s.streams {
			errs = append(errs, stream.Close())
		}
		if work {
			errs = append(errs, rt.Free(s.touched))
		}
		require.NoError(t, errors.Join(append(errs, rt.Close())...))
	})
	return s
}

func (s *streamPool) Alloc(stream, id int, size uint64) (err error) {
	s.at[id], err = s.pool.MallocAsync(size, s.streams[stream])
	return err
}

func (s *streamPool) Free(stream, id int, _ uint64) error {
	return s.pool.FreeAsync(s.at[id], s.streams[stream])
}

func (s *streamPool) Work(stream int) error {
	if s.touched == 0 {
		return nil
	}
	return s.streams[stream].Memset(s.touched, 0, 1)
}

func (s *streamPool) Sync(stream int) error { return s.streams[stream].Synchronize() }

func (s *streamPool) account() account {
	st := s.pool.Stats()
	return account{st.ReservedHigh, st.UsedHigh, st.Grown}
}

// blockPool replays in a block pool.
type blockPool struct {
	pool *blockpool.Pool
	ids  []blockpool.ID
}

func newBlockPool(t testing.TB, tr *trace.Trace) *blockPool {
	dev := host.New(host.Options{})
	pool, err := blockpool.New(dev, blockpool.Options{Expand: 2 << 20, Wait: func() error { return nil }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(pool.Close(), dev.Close())) })
	return &blockPool{pool, make([]blockpool.ID, tr.IDs)}
}

func (b *blockPool) Alloc(_, id int, size uint64) (err error) {
	b.ids[id], err = b.pool.AllocateBlock(size)
	return err
}

func (b *blockPool) Free(_, id int, _ uint64) error { return b.pool.FreeBlock(b.ids[id]) }
func (*blockPool) Work(int) error                   { return nil }
func (*blockPool) Sync(int) error                   { return nil }

func (b *blockPool) account() account {
	st := b.pool.Stats()
	return account{st.ReservedHigh, st.UsedHigh, st.DriverAllocs}
}
