package play

import (
	"math"

	"github.com/seqplan/seqplan/kernels"
)

// one is the grid of the kernels that work on one value.
var one = kernels.Grid{Blocks: 1, Threads: 1}

// The largest grid, of 1024 blocks, fills the multiprocessors of any device of
// today several times over. Smaller memory gets fewer blocks, because each costs.
const (
	threads   = 256
	maxBlocks = 1024
	perBlock  = threads * 64 // bytes
)

// Grid returns the grid of Fill and Check for so many bytes, or about so many. They
// work with every grid.
func Grid(bytes uint64) kernels.Grid {
	if bytes > maxBlocks*perBlock {
		bytes = maxBlocks * perBlock
	}
	return kernels.Grid{Blocks: uint32(max(1, (bytes+perBlock-1)/perBlock)), Threads: threads}
}

// unknown is a size that only the device knows.
const unknown = math.MaxUint64
