package arena_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// TestAllocUnusable: a kernel that allocates by itself, in a batch that was never
// reset, gets nothing from an arena that line 0 describes wrongly.
func TestAllocUnusable(t *testing.T) {
	for _, line := range []abi.HostLine{
		{ArenaStart: 256, ArenaCapacity: 256, ArenaAlign: 0},
		{ArenaStart: 768, ArenaCapacity: 768, ArenaAlign: 3},
		{ArenaStart: 100, ArenaCapacity: 256, ArenaAlign: 256},
		{ArenaStart: ^uint64(0) - 255, ArenaCapacity: 256, ArenaAlign: 1},
		{ArenaStart: 256, ArenaCapacity: 256, ArenaAlign: 1, Flags: 2},
	} {
		line.Magic = abi.Magic
		pool := make([]byte, abi.ControlSize)
		abi.Control{HostLine: line, DeviceLine: abi.DeviceLine{FirstFailed: abi.NoSlot}}.Put(pool)
		offset, ok := arena.Alloc(pool, 0, 1)
		require.False(t, ok, "%+v", line)
		require.Equal(t, abi.NotPlaced, offset)
		require.Equal(t, abi.DeviceLine{
			Failed: 1, FirstFailed: abi.NoSlot, Code: uint64(abi.BadProgram),
		}, abi.ReadControl(pool).DeviceLine, "%+v", line)
	}
}
