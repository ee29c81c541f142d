package kernelstest

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

// ContendKernel is a kernel of the tests in which all threads call the inline function
// that kernels allocate with. csrc.ProbeOpenCL and csrc.ProbePTX have it.
const ContendKernel = "seqplan_test_contend"

// ContendSignature is the signature of ContendKernel: base, control offset, offset of
// the sizes, offset of the slots to write, number of both.
func ContendSignature() kernels.Signature {
	return kernels.Signature{Name: ContendKernel, Args: []kernels.ArgKind{kernels.Address, kernels.Integer, kernels.Integer, kernels.Integer, kernels.Integer}}
}

// Contention lets all threads of a device take n pieces at once, on several grids, in
// arenas with room for all, for half of them and for none, and in one that ends where
// uint64 does. The pieces are disjoint and aligned, none is refused as long as there
// is room, and what was refused had none. The device must have ContendKernel.
func Contention(t *testing.T, dev kernels.Device, n uint64) {
	d := &device{Device: dev, t: t}
	d.stream = d.newStream()
	defer d.release()
	k, err := dev.Kernel(ContendKernel)
	require.NoError(t, err)
	size := contendSizes + 8*n + abi.SlotSize*n
	c := &contender{d.stream, k, d.alloc(size), d.pinned(size)}
	for _, grid := range []kernels.Grid{{Blocks: 1, Threads: 32}, {Blocks: uint32((n + 255) / 256), Threads: 256}, {Blocks: 60, Threads: 1000}} {
		for _, align := range []uint64{1, 256} {
			sizes := make([]uint64, n)
			full := uint64(0)
			for i := range sizes {
				sizes[i] = uint64(i) * 2654435761 % (4*align + 1)
				full += (sizes[i] + align - 1) &^ (align - 1)
			}
			for _, capacity := range []uint64{full, full / 2, 0} {
				c.run(t, grid, align, capacity, sizes)
				c.check(t, align, capacity, sizes)
			}
			// More than uint64 holds, in an arena that ends where uint64 does.
			for i := range sizes {
				if i%3 == 0 {
					sizes[i] = 1<<62 - uint64(i)
				}
			}
			c.run(t, grid, align, ^uint64(0)-contendStart-1, sizes)
			c.check(t, align, ^uint64(0)-contendStart-1, sizes)
		}
	}
}

// contendStart is where the arena starts. It is nowhere: nothing is written to it.
const contendStart = 1 << 40

// contender launches a kernel in which all threads allocate.
type contender struct {
	s      kernels.Stream
	kernel kernels.Kernel
	pool   kernels.Addr // control block, sizes, slots
	host   []byte       // the same
}

// contendSizes is the offset of the sizes. The slots are behind them.
const contendSizes = 128

func (c *contender) run(t testing.TB, grid kernels.Grid, align, capacity uint64, sizes []uint64) {
	n := uint64(len(sizes))
	abi.HostLine{Magic: abi.Magic, ArenaStart: contendStart, ArenaCapacity: capacity, ArenaAlign: align}.Put(c.host)
	abi.DeviceLine{FirstFailed: abi.NoSlot}.Put(c.host[abi.LineSize:])
	abi.PutWords(c.host[contendSizes:], sizes)
	clear(c.host[contendSizes+8*n:])
	require.NoError(t, c.s.CopyToDevice(c.pool, c.host))
	require.NoError(t, c.s.Launch(c.kernel, grid, kernels.Args{uint64(c.pool), 0, contendSizes, contendSizes + 8*n, n}))
	require.NoError(t, c.s.CopyToHost(c.host, c.pool))
	require.NoError(t, c.s.Synchronize())
}

// check is what must hold for all that was given out.
func (c *contender) check(t *testing.T, align, capacity uint64, sizes []uint64) {
	line := abi.ReadDeviceLine(c.host[abi.LineSize:])
	type piece struct{ offset, end uint64 }
	var pieces []piece
	refused, taken := uint64(0), uint64(0)
	for i, size := range sizes {
		s := abi.ReadSlot(c.host[contendSizes+8*len(sizes)+abi.SlotSize*i:])
		if s.Size != size {
			require.Equal(t, size, s.Size, "slot %d was not written", i)
		}
		rounded := (size + align - 1) &^ (align - 1)
		switch {
		case s.Offset == abi.NotPlaced:
			refused++
		case rounded > 0:
			pieces = append(pieces, piece{s.Offset, s.Offset + rounded})
			taken += rounded
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.offset, b.offset) })
	end := uint64(contendStart)
	for _, p := range pieces {
		// So they are disjoint, aligned, in the arena, and leave no gap.
		if end != p.offset {
			require.Equal(t, end, p.offset, "a piece does not start where the one before it ends")
		}
		end = p.end
	}
	require.LessOrEqual(t, end-contendStart, capacity)
	require.Equal(t, taken, line.Next, "the cursor is not behind the last piece")
	require.Equal(t, taken, line.High)
	require.Equal(t, refused, line.Failed)
	if refused == 0 {
		require.Zero(t, line.Code)
		require.Equal(t, taken, line.Wanted)
		return
	}
	require.Equal(t, uint64(abi.Exhausted), line.Code)
	require.Equal(t, abi.NoSlot, line.FirstFailed)
	require.Greater(t, line.FailedBytes, capacity-taken, "what was refused first has room")
	require.Greater(t, line.Wanted, line.Next)
}
