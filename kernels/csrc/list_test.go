package csrc_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestLongList places lists of many chunks, in an arena that ends before the first
// buffer, around the borders of chunks, or behind the last, and with a size in them
// that cannot be rounded.
func TestLongList(t *testing.T) {
	const n, countAt, sizesAt, align = 50_000, abi.ControlSize, 192, 64
	const slotsAt = sizesAt + n*8
	const workAt = (slotsAt + n*abi.SlotSize + 63) &^ 63
	sizes := make([]uint64, n)
	ends := make([]uint64, n+1) // the cursor before each buffer
	for i := range sizes {
		sizes[i] = uint64(i) * 2654435761 % 300
		ends[i+1] = ends[i] + (sizes[i]+align-1)/align*align
	}
	var cases []*kernelstest.Case
	add := func(capacity uint64, bad int) {
		pool := make([]byte, workAt+kernels.ListWorkSize(n))
		abi.Control{
			HostLine:   abi.HostLine{Magic: abi.Magic, ArenaStart: 1 << 40, ArenaCapacity: capacity, ArenaAlign: align},
			DeviceLine: abi.DeviceLine{FirstFailed: abi.NoSlot},
		}.Put(pool)
		abi.PutWords(pool[countAt:], []uint64{n})
		abi.PutWords(pool[sizesAt:], sizes)
		if bad >= 0 {
			abi.PutWords(pool[sizesAt+8*bad:], []uint64{^uint64(0) - 1})
		}
		c := &kernelstest.Case{Seed: uint64(len(cases)), Pool: pool, Scratch: [2]uint64{workAt, kernels.ListWorkSize(n)}}
		for _, name := range []string{kernels.ListSum, kernels.ListScan, kernels.ListPlace} {
			kernel := slices.IndexFunc(kernels.Builtins(), func(s kernels.Signature) bool { return s.Name == name })
			c.Launches = append(c.Launches, kernelstest.Launch{Kernel: kernel, Args: kernels.Args{0, 0, sizesAt, slotsAt, countAt, n, workAt}})
		}
		cases = append(cases, c)
	}
	add(ends[n], -1)
	for _, i := range []int{0, 2, kernels.ListChunk - 1, kernels.ListChunk, kernels.ListChunk + 1, 5 * kernels.ListChunk, n - 1} {
		add(ends[i+1], -1)
		add(max(ends[i+1], 1)-1, -1)
		add(ends[n], i)
	}
	driver := build(t, "g++", "driver.cc", "-O1")
	for _, grid := range [][2]int{{1, 1}, {5, 1}, {2, 3}} {
		require.NoError(t, runCases(t, driver, grid[0], grid[1], cases))
	}
	require.NoError(t, runCases(t, driver, 3, 20, cases[:4]))
}
