package blockpool_test

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
)

// moved takes up where the block of a workspace lies that could not grow. Only if the
// device was given its region back, it may lie elsewhere.
func (m *model) moved(old, b blockpool.Block) {
	if m.opts.Wait == nil || b.Address == old.Address {
		require.Equal(m.t, old, b)
		return
	}
	require.Equal(m.t, blockpool.Block{ID: old.ID, Size: old.Size, Address: b.Address}, b)
	asked, gone := m.asked[old.ID], m.gone
	m.drop(old.ID)
	m.gone = gone
	m.add(b, asked)
}

// check compares everything that can be seen.
func (m *model) check() {
	t := m.t
	var used, asked, free uint64
	regions, last := m.regions(), kernels.Addr(0)
	for _, b := range m.blocks {
		got, err := m.pool.Block(b.ID)
		require.NoError(t, err)
		require.Equal(t, b, got)
		require.Zero(t, b.Address%64)
		require.GreaterOrEqual(t, b.Size, m.asked[b.ID]+32)
		require.GreaterOrEqual(t, b.Address, last, "blocks overlap")
		last = b.Address + kernels.Addr(b.Size)
		require.True(t, slices.ContainsFunc(regions, func(r region) bool {
			return b.Address >= r.addr && last <= r.addr+kernels.Addr(r.size)
		}), "a block outside the regions")
		used += b.Size
		asked += m.asked[b.ID]
	}
	gaps := m.gaps()
	for _, g := range gaps {
		free += g.size
	}
	m.usedHigh, m.reservedHigh = max(m.usedHigh, used), max(m.reservedHigh, m.reserved())
	s := m.pool.Stats()
	require.Equal(t,
		[]uint64{m.reserved(), used, asked, free, largest(gaps) / 32, m.whole(), m.reserved() - used},
		[]uint64{s.Reserved, s.Used, s.Requested, s.Free, s.LargestFree / 32, s.Trimmable, s.Available()})
	require.Equal(t, []int{len(m.blocks), len(regions)}, []int{s.Blocks, s.Regions})
	require.Equal(t, m.usedHigh, s.UsedHigh)
	require.GreaterOrEqual(t, s.ReservedHigh, m.reservedHigh)
	require.LessOrEqual(t, s.ReservedHigh, min(m.limit(), m.memory))
	require.EqualValues(t, len(m.gone), s.Frees)
	require.EqualValues(t, len(m.dev.calls), s.DriverAllocs+s.DriverFrees)
}

// close gives everything back.
func (m *model) close() {
	if len(m.blocks) > 0 {
		require.ErrorIs(m.t, m.pool.Close(), kernels.ErrInUse)
		m.check()
	}
	for _, b := range slices.Clone(m.blocks) {
		if !m.owned(b.ID) {
			require.NoError(m.t, m.pool.FreeBlock(b.ID))
			m.drop(b.ID)
			m.check()
		}
	}
	for _, w := range m.spaces {
		require.NoError(m.t, w.Close())
	}
	require.NoError(m.t, m.pool.Close())
	require.Empty(m.t, m.dev.live)
}

// bestFit requires that a block lies in the smallest gap that can hold it: of those that
// something is behind, if there is one, and then at its end, if the block is small. Else
// it lies at the start.
func (m *model) bestFit(gaps []region, b blockpool.Block, hit bool) {
	var best, rest *region
	var at *region
	for i := range gaps {
		g := &gaps[i]
		if g.addr <= b.Address && b.Address < g.addr+kernels.Addr(g.size) {
			at = g
		}
		if g.size < b.Size {
			continue
		}
		list := &best
		if m.ends(g) {
			list = &rest
		}
		if *list == nil || g.size/32 < (*list).size/32 {
			*list = g
		}
	}
	require.NotNil(m.t, at, "not in a gap")
	require.Equal(m.t, best != nil, hit)
	if best == nil {
		best = rest
	}
	require.Equal(m.t, best.size/32, at.size/32)
	want := at.addr
	if left := (at.size - b.Size) &^ 63; hit && b.Size < m.reserved()/16 && left >= 64 {
		want += kernels.Addr(left)
	}
	require.Equal(m.t, want, b.Address)
}

// united returns the calls of a pool that has waited: the regions without a block go
// back, and one that stands for them comes.
func (m *model) united(need uint64) (calls []call) {
	var given uint64
	for _, r := range slices.Backward(m.regions()) {
		if slices.Contains(m.gaps(), r) {
			calls = append(calls, call{true, r.addr, r.size})
			given += r.size
		}
	}
	left := m.reserved() - given
	size := given
	if need > given {
		size = min(max(need, m.opts.Expand), m.limit()-left)
	}
	calls = append(calls, call{size: size})
	if size > m.memory-left {
		calls = append(calls, call{size: need})
	}
	return calls
}

// ends reports whether a gap is the end of its region.
func (m *model) ends(g *region) bool {
	for _, r := range m.regions() {
		if g.addr+kernels.Addr(g.size) == r.addr+kernels.Addr(r.size) {
			return true
		}
	}
	return false
}
