package play

import (
	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
)

// blockSource is a block pool. All its blocks are used in one stream, so that they are
// freed as soon as the host knows that no later work uses them. A plan of several streams
// releases nothing before the end of the batch.
type blockSource struct {
	pool *blockpool.Pool
	ids  map[kernels.Addr]blockpool.ID // of the blocks in use
}

func blockGround(dev *tally.Device) ground {
	open := func(streams *lanes, limit uint64) (source, error) {
		pool, err := blockpool.New(dev, blockpool.Options{
			Limit:  limit,
			Expand: streampool.DefaultRegion, // both pools grow alike
			Wait:   streams.wait,
		})
		if err != nil {
			return nil, err
		}
		return &blockSource{pool, make(map[kernels.Addr]blockpool.ID)}, nil
	}
	// A block is larger than what was asked for, and what is behind it may be lost.
	loss := func(align uint64) uint64 { return align - min(align, blockpool.Align) + blockpool.MinBlock }
	return ground{dev: dev, open: open, loss: loss}
}

func (s *blockSource) alloc(size uint64) (kernels.Addr, error) {
	id, err := s.pool.AllocateBlock(size)
	if err != nil {
		return 0, err
	}
	addr, err := s.pool.BlockPtr(id)
	if err != nil {
		return 0, err
	}
	s.ids[addr] = id
	return addr, nil
}

func (s *blockSource) free(addr kernels.Addr) error {
	id := s.ids[addr] // 0 is no block
	delete(s.ids, addr)
	return s.pool.FreeBlock(id)
}

func (s *blockSource) align() uint64 { return blockpool.Align }

func (s *blockSource) peaks() (reserved, used uint64, err error) {
	stats := s.pool.Stats()
	return stats.ReservedHigh, stats.UsedHigh, nil
}

func (s *blockSource) close() error { return s.pool.Close() }
