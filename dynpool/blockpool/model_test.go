package blockpool_test

import (
	"cmp"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
)

// model is what a pool must be, as simply as it can be said: regions, and the blocks
// in them. What is free follows from that.
type model struct {
	t    require.TestingT
	opts blockpool.Options
	dev  *driver
	pool *blockpool.Pool

	memory uint64 // of the device
	blocks []blockpool.Block
	asked  map[blockpool.ID]uint64
	gone   []blockpool.ID
	spaces []*blockpool.Workspace

	usedHigh, reservedHigh uint64
}

// region is one of the driver.
type region struct {
	addr kernels.Addr
	size uint64
}

func newModel(t require.TestingT, opts blockpool.Options, memory uint64, wait bool) *model {
	m := &model{t: t, opts: opts, dev: newDriver(), memory: memory, asked: make(map[blockpool.ID]uint64)}
	if wait {
		m.opts.Wait = func() error { return nil }
	}
	m.dev.info.BaseAlign = 64
	m.dev.fail = func(c call) error {
		if !c.free && c.size > m.memory-m.reserved() {
			return kernels.ErrOutOfMemory
		}
		return nil
	}
	var err error
	m.pool, err = blockpool.New(m.dev, m.opts)
	require.NoError(t, err)
	for range 2 {
		m.spaces = append(m.spaces, blockpool.NewWorkspace(m.pool))
	}
	m.check()
	return m
}

func (m *model) regions() (list []region) {
	for addr, size := range m.dev.live {
		list = append(list, region{addr, size})
	}
	slices.SortFunc(list, func(a, b region) int { return cmp.Compare(a.addr, b.addr) })
	return list
}

func (m *model) reserved() (sum uint64) {
	for _, size := range m.dev.live {
		sum += size
	}
	return sum
}

// gaps returns the pieces between blocks that can hold a block: from the next multiple
// of 64 on. The blocks of leave are taken for free.
func (m *model) gaps(leave ...blockpool.ID) (list []region) {
	for _, r := range m.regions() {
		at, end := r.addr, r.addr+kernels.Addr(r.size)
		gap := func(next kernels.Addr) {
			if at+64 <= next {
				list = append(list, region{at, uint64(next - at)})
			}
		}
		for _, b := range m.blocks {
			if b.Address >= r.addr && b.Address < end && !slices.Contains(leave, b.ID) {
				gap(b.Address)
				at = (b.Address + kernels.Addr(b.Size) + 63) &^ 63
			}
		}
		gap(end)
	}
	return list
}

func largest(gaps []region) (size uint64) {
	for _, g := range gaps {
		size = max(size, g.size)
	}
	return size
}

// room returns how many bytes a further region may have.
func (m *model) room() uint64 {
	return min(m.limit(), m.memory) - m.reserved()
}

func (m *model) limit() uint64 {
	if m.opts.Limit == 0 {
		return ^uint64(0)
	}
	return m.opts.Limit
}

// whole returns the bytes of regions without a block.
func (m *model) whole(leave ...blockpool.ID) (sum uint64) {
	for _, g := range m.gaps(leave...) {
		if m.dev.live[g.addr] == g.size {
			sum += g.size
		}
	}
	return sum
}

// expect returns whether need bytes can be had, and checks that a further region is
// taken only if nothing else will do.
func (m *model) expect(need uint64, leave ...blockpool.ID) bool {
	if need > m.limit() {
		return false
	}
	if largest(m.gaps(leave...)) >= need || m.room() >= need {
		return true
	}
	return m.opts.Wait != nil && m.room()+m.whole(leave...) >= need
}

func (m *model) alloc(size uint64) {
	need, err := blockpool.BlockSize(size)
	require.NoError(m.t, err)
	gaps, room, can, calls, reserved := m.gaps(), m.room(), m.expect(need), len(m.dev.calls), m.reserved()
	united, apart := m.united(need), len(m.blocks) == 0 && len(m.regions()) > 1
	before := m.pool.Stats()
	id, err := m.pool.AllocateBlock(size)
	if err != nil {
		require.ErrorIs(m.t, err, kernels.ErrOutOfMemory)
		require.False(m.t, can, "%d bytes can be had: %v", need, err)
		m.check()
		return
	}
	require.True(m.t, can, "%d bytes cannot be had", need)
	require.NotContains(m.t, m.gone, id)
	b, err := m.pool.Block(id)
	require.NoError(m.t, err)
	require.Equal(m.t, need, b.Size)
	m.add(b, size)
	made, after := m.dev.calls[calls:], m.pool.Stats()
	whole := len(united) > 0 && united[0].free
	switch {
	case m.opts.Wait != nil && whole && (largest(gaps) < need || apart && len(made) > 0):
		require.Equal(m.t, united, made)
		require.Equal(m.t, before.Waits+1, after.Waits)
	case largest(gaps) >= need:
		require.Empty(m.t, made, "a region although there was room")
		require.Equal(m.t, before.Waits, after.Waits)
		m.bestFit(gaps, b, after.Hits > before.Hits)
	case room >= need:
		require.Equal(m.t, before.Waits, after.Waits)
		want := []call{{size: min(max(need, m.opts.Expand), m.limit()-reserved)}}
		if want[0].size > m.memory-reserved {
			want = append(want, call{size: need})
		}
		require.Equal(m.t, want, made)
	}
	m.check()
}

func (m *model) add(b blockpool.Block, asked uint64) {
	i, found := slices.BinarySearchFunc(m.blocks, b.Address, func(b blockpool.Block, a kernels.Addr) int { return cmp.Compare(b.Address, a) })
	require.False(m.t, found)
	m.blocks = slices.Insert(m.blocks, i, b)
	m.asked[b.ID] = asked
}

func (m *model) drop(id blockpool.ID) {
	m.blocks = slices.DeleteFunc(m.blocks, func(b blockpool.Block) bool { return b.ID == id })
	delete(m.asked, id)
	m.gone = append(m.gone, id)
}

func (m *model) owned(id blockpool.ID) bool {
	return slices.ContainsFunc(m.spaces, func(w *blockpool.Workspace) bool { return w.Block().ID == id })
}

// free frees the block with an index, unless a workspace has it.
func (m *model) free(i int) {
	if len(m.blocks) == 0 {
		return
	}
	id := m.blocks[i%len(m.blocks)].ID
	if m.owned(id) {
		return
	}
	calls := len(m.dev.calls)
	require.NoError(m.t, m.pool.FreeBlock(id))
	require.Len(m.t, m.dev.calls, calls)
	m.drop(id)
	m.check()
}

// stale uses an id that was freed.
func (m *model) stale(i int) {
	if len(m.gone) == 0 {
		return
	}
	id := m.gone[i%len(m.gone)]
	require.ErrorIs(m.t, m.pool.FreeBlock(id), blockpool.ErrDoubleFree)
	_, err := m.pool.BlockPtr(id)
	require.ErrorIs(m.t, err, blockpool.ErrFreed)
	m.check()
}

func (m *model) trim() {
	whole := m.whole()
	released, err := m.pool.Trim()
	require.NoError(m.t, err)
	require.Equal(m.t, whole, released)
	require.Zero(m.t, m.whole())
	m.check()
}

func (m *model) require(i int, size uint64) {
	w := m.spaces[i%len(m.spaces)]
	need, err := blockpool.BlockSize(size)
	require.NoError(m.t, err)
	old := w.Block()
	can := need <= old.Size || m.expect(need, old.ID)
	_, err = w.Require(size)
	switch b := w.Block(); {
	case err != nil:
		require.ErrorIs(m.t, err, kernels.ErrOutOfMemory)
		require.False(m.t, can, "%d bytes can be had: %v", need, err)
		m.moved(old, b)
	case need <= old.Size:
		require.Equal(m.t, old, b)
	default:
		require.True(m.t, can)
		require.Equal(m.t, need, b.Size)
		if old.ID != 0 {
			m.drop(old.ID)
		}
		m.add(b, size)
	}
	m.check()
}
