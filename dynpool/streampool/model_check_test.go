package streampool_test

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// placed checks where a new allocation lies, before it is one of m.allocs. It lies in
// a region of its pool, and on nothing that lives. What had the bytes before and was
// freed must be ordered before it, and it depends on the policies how:
//
//   - by the streams, or because the host knows it: always;
//   - by events: if they may be followed;
//   - as the work has run: if a pool has asked the device since, or has waited;
//   - by a wait that the pool queues: then only the work tells, when it runs.
func (m *model) placed(a *modelAlloc, s *modelStream) {
	require.Zero(m, a.addr%streampool.Quantum)
	require.True(m, slices.ContainsFunc(m.dev.regions, func(r *modelRegion) bool {
		return r.pool == a.pool && r.holds(a) && a.rounded <= r.size-uint64(a.addr-r.addr)
	}), "%s is not in a region of its pool", a)
	for _, b := range m.allocs {
		if a.addr-b.addr >= kernels.Addr(b.rounded) && b.addr-a.addr >= kernels.Addr(a.rounded) {
			continue
		}
		require.False(m, b.live(), "%s shares memory with %s, which lives", a, b)
		a.before = append(a.before, b)
		if !m.ever[depend] && !b.freed.within(s.past, m.host) {
			require.True(m, b.finished(), "%s shares memory with %s, which work may still use", a, b)
		}
	}
	for at := a.addr; at < a.addr+kernels.Addr(a.rounded); at += streampool.Quantum {
		b := m.holder[at]
		m.holder[at] = a
		if m.ever[depend] || b == nil || m.streamOf[b.free] == s || b.freed.within(m.host) || m.ever[follow] && b.freed.within(s.past, m.host) {
			continue
		}
		require.True(m, b.finished(), "%s has memory of %s, which work may still use", a, b)
		require.LessOrEqual(m, b.freed.without(m.host).last(), m.asked, "%s has memory of %s, and nobody has asked whether its work has finished", a, b)
	}
}

// fullFor checks that a pool had to refuse: all work has finished that comes before a
// free, and neither is there a gap, nor would there be room for a new region if all of
// which nothing lives were given back.
func (m *model) fullFor(p *modelPool, size, wanted uint64, err error) {
	var full *streampool.OutOfMemoryError
	require.ErrorAs(m, err, &full)
	require.ErrorIs(m, err, kernels.ErrOutOfMemory)
	require.Equal(m, []uint64{size, wanted, p.maxSize, p.reserved, p.used}, []uint64{full.Size, full.Wanted, full.MaxSize, full.Reserved, full.Used})
	require.Equal(m, m.largestGap(p), full.Largest)
	limit := p.limit()
	if wanted > limit {
		return
	}
	require.Zero(m, full.Pending, "it did not wait")
	require.Less(m, full.Largest, wanted)
	var idle, all uint64
	for _, r := range m.dev.regions {
		all += r.size
		if r.pool == p && !slices.ContainsFunc(m.allocs, func(a *modelAlloc) bool { return a.live() && r.holds(a) }) {
			idle += r.size
		}
	}
	fits := wanted <= limit-(p.reserved-idle) && (m.memory == 0 || wanted <= m.memory-(all-idle))
	require.False(m, fits, "there is room for %d bytes", wanted)
}

// limit is what a pool may hold.
func (p *modelPool) limit() uint64 {
	if p.maxSize == 0 {
		return ^uint64(0) / streampool.Quantum * streampool.Quantum
	}
	return p.maxSize / streampool.Quantum * streampool.Quantum
}

// largestGap is the most bytes side by side of a pool of which none is allocated.
func (m *model) largestGap(p *modelPool) uint64 {
	var largest uint64
	for _, r := range m.dev.regions {
		if r.pool != p {
			continue
		}
		from := r.addr
		for from < r.addr+kernels.Addr(r.size) {
			to, next := r.addr+kernels.Addr(r.size), r.addr+kernels.Addr(r.size)
			for _, a := range m.allocs {
				if a.live() && a.addr >= from && a.addr < to {
					to, next = a.addr, a.addr+kernels.Addr(a.rounded)
				}
			}
			largest = max(largest, uint64(to-from))
			from = next
		}
	}
	return largest
}

// holds checks what is so after each operation.
func (m *model) holds() {
	require.NoError(m, m.broken)
	for _, p := range m.pools {
		want := map[kernels.PoolAttr]uint64{
			kernels.PoolReservedCurrent: p.reserved, kernels.PoolReservedHigh: p.reservedHigh,
			kernels.PoolUsedCurrent: p.used, kernels.PoolUsedHigh: p.usedHigh,
		}
		for a := follow; a <= kernels.PoolUsedHigh; a++ {
			if a <= threshold {
				want[a] = p.attrs[a]
			}
			got, err := p.GetAttr(a)
			require.NoError(m, err)
			require.Equal(m, want[a], got, "p%d: %s", p.id, a)
		}
		require.LessOrEqual(m, p.reserved, p.limit())
		stats := p.Stats()
		require.LessOrEqual(m, stats.Pending, stats.Available())
	}
}

func (m *model) synchronize(s *modelStream) {
	m.logf("synchronize s%d", s.id)
	m.released(s, s.Synchronize)
}

// released calls a method of a stream that waits for it. After that each pool holds as
// much more than is used as its threshold says, if it held so much before, and as
// little more as its regions allow.
func (m *model) released(s *modelStream, wait func() error) {
	before := make([]uint64, len(m.pools))
	for i, p := range m.pools {
		before[i] = p.reserved - p.used
	}
	require.NoError(m, wait())
	m.host.join(s.past)
	for i, p := range m.pools {
		free := p.reserved - p.used
		require.GreaterOrEqual(m, free, min(before[i], p.attrs[threshold]), "p%d", p.id)
		m.noneBelow(p, free-min(free, p.attrs[threshold]))
	}
}

// noneBelow checks that a pool has no region of at most so many bytes that the host
// knows to be free.
func (m *model) noneBelow(p *modelPool, size uint64) {
	for _, r := range m.dev.regions {
		idle := !slices.ContainsFunc(m.allocs, func(a *modelAlloc) bool { return r.holds(a) && (a.live() || !a.freed.within(m.host)) })
		require.False(m, r.pool == p && idle && r.size <= size, "p%d keeps a region of %d bytes at %#x", p.id, r.size, uint64(r.addr))
	}
}

func (m *model) trim(p *modelPool, keep uint64) {
	m.logf("p%d: trim to %d", p.id, keep)
	before := p.reserved
	require.NoError(m, p.TrimTo(keep))
	m.asked = len(m.streamOf)
	require.GreaterOrEqual(m, p.reserved, min(before, keep), "p%d", p.id)
	m.noneBelow(p, p.reserved-min(p.reserved, keep))
}

// freeTwice frees what is free, which changes nothing.
func (m *model) freeTwice(p *modelPool, s *modelStream) {
	if len(m.allocs) == 0 {
		return
	}
	a := m.allocs[m.draw.pick(len(m.allocs))]
	if slices.ContainsFunc(m.allocs, func(b *modelAlloc) bool { return b.live() && b.pool == p && b.addr == a.addr }) {
		return
	}
	m.logf("free %s of p%d in p%d", a, a.pool.id, p.id)
	require.ErrorIs(m, p.FreeAsync(a.addr, s.Stream), kernels.ErrBadAddress)
}

// end frees all, and gives all back. Pools can be destroyed while work is queued.
func (m *model) end() {
	for _, p := range m.pools {
		if p.used > 0 {
			require.ErrorIs(m, p.Destroy(), kernels.ErrInUse)
		}
	}
	for slices.ContainsFunc(m.allocs, (*modelAlloc).live) {
		m.release(m.streams[m.draw.pick(len(m.streams))])
		m.holds()
	}
	m.logf("end")
	for _, p := range m.pools {
		require.NoError(m, p.Destroy())
	}
	require.NoError(m, m.broken)
	require.Empty(m, m.dev.regions)
	for _, s := range m.streams {
		require.NoError(m, s.Close())
	}
	for _, e := range m.events {
		require.NoError(m, e.Close())
	}
	require.NoError(m, m.rt.Detach())
	require.Equal(m, host.Live{}, m.dev.Live())
	require.NoError(m, m.rt.Close())
	require.NoError(m, m.broken)
	for _, a := range m.allocs {
		require.True(m, a.finished())
	}
}
