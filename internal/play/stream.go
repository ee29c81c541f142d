package play

import (
	"errors"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
)

// aligned returns what addresses in memory of a device are multiples of, if they lie
// at multiples of a quantum in it.
func aligned(dev kernels.Device, quantum uint64) uint64 {
	if base := dev.Info().BaseAlign; base != 0 && base%quantum == 0 {
		return quantum
	}
	return 1
}

// streamSource is a stream-ordered pool.
type streamSource struct {
	*streampool.Pool
	streams *lanes
	quantum uint64
}

func streamGround(dev *tally.Device) (ground, error) {
	rt, err := streampool.New(dev, streampool.Options{})
	if err != nil {
		return ground{}, err
	}
	open := func(streams *lanes, limit uint64) (source, error) {
		if limit < streampool.Quantum {
			return nil, nil
		}
		pool, err := rt.Create(streampool.Props{
			AllocType: kernels.PoolPinned, MaxSize: limit,
			Location: kernels.PoolLocation{Type: kernels.PoolOnDevice},
		})
		if err != nil {
			return nil, err
		}
		// What the pool has, stays: the next batch needs about as much. CANN takes no more
		// than the size of the pool.
		if err := pool.SetAttr(kernels.PoolReleaseThreshold, limit); err != nil {
			return nil, errors.Join(err, pool.Destroy())
		}
		return &streamSource{pool, streams, aligned(dev, streampool.Quantum)}, nil
	}
	loss := func(align uint64) uint64 { return align - min(align, aligned(dev, streampool.Quantum)) }
	return ground{dev: rt, open: open, loss: loss, close: rt.Detach}, nil
}

func (s *streamSource) alloc(size uint64) (kernels.Addr, error) {
	return s.MallocAsync(size, s.streams.Stream)
}

func (s *streamSource) free(addr kernels.Addr) error { return s.FreeAsync(addr, s.streams.Stream) }

func (s *streamSource) align() uint64 { return s.quantum }

func (s *streamSource) peaks() (reserved, used uint64, err error) {
	if reserved, err = s.GetAttr(kernels.PoolReservedHigh); err != nil {
		return 0, 0, err
	}
	used, err = s.GetAttr(kernels.PoolUsedHigh)
	return reserved, used, err
}

func (s *streamSource) close() error { return s.Destroy() }
