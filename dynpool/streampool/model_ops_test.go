package streampool_test

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
)

const (
	follow    = kernels.PoolReuseFollowEventDependencies
	guess     = kernels.PoolReuseAllowOpportunistic
	depend    = kernels.PoolReuseAllowInternalDependencies
	threshold = kernels.PoolReleaseThreshold
)

// operation plays one operation. Where it cannot be, it does nothing.
func (m *model) operation() {
	draw := m.draw.pick
	s := m.streams[draw(len(m.streams))]
	e := m.events[draw(len(m.events))]
	p := m.pools[draw(len(m.pools))]
	switch op := draw(44); {
	case op < 10:
		m.malloc(p, s, m.drawSize())
	case op < 18:
		m.use(s, true)
	case op < 23:
		m.use(s, false)
	case op < 31:
		m.release(s)
	case op < 34:
		m.record(s, e)
	case op < 36:
		m.wait(s, e)
	case op < 37:
		m.synchronize(s)
	case op < 39:
		m.query(s, e)
	case op < 40:
		m.logf("synchronize e%d", e.id)
		require.NoError(m, e.Synchronize())
		m.host.join(e.past)
	case op < 41:
		m.trim(p, m.drawBytes())
	case op < 42:
		m.attribute(p)
	case op < 43 && len(m.streams) < 4:
		m.open()
	case op < 43:
		m.close(draw(len(m.streams)))
	default:
		m.freeTwice(p, s)
	}
}

// drawSize draws small sizes for the most part, of which a pool holds several.
func (m *model) drawSize() uint64 {
	draw := m.draw.pick
	switch draw(16) {
	case 0, 1:
		return uint64(1 + draw(256))
	case 2, 3:
		return uint64(1+draw(40)) * 64
	case 4:
		return uint64(1+draw(100)) * 100
	}
	return uint64(1+draw(5)) * 256
}

func (m *model) malloc(p *modelPool, s *modelStream, size uint64) {
	for _, policy := range []kernels.PoolAttr{follow, guess, depend} {
		m.ever[policy] = m.ever[policy] || p.attrs[policy] == 1
	}
	op := m.queue(s)
	if !m.ever[depend] {
		m.marks.add(op) // else it may queue a wait
	}
	m.logf("%d: malloc %d in s%d of p%d", op, size, s.id, p.id)
	waits := p.Stats().HostWaits
	m.calling = p
	addr, err := p.MallocAsync(size, s.Stream)
	m.calling = nil
	if p.attrs[guess] == 1 || p.Stats().HostWaits != waits {
		m.asked = op
	}
	wanted := (size + streampool.Quantum - 1) / streampool.Quantum * streampool.Quantum
	if err != nil {
		m.logf("  %v", err)
		m.fullFor(p, size, wanted, err)
		return
	}
	a := &modelAlloc{id: op, pool: p, addr: addr, size: size, rounded: wanted, malloc: op}
	m.logf("  %s at %#x, %d bytes", a, uint64(addr), wanted)
	m.placed(a, s)
	m.allocs = append(m.allocs, a)
	p.used += wanted
	p.usedHigh = max(p.usedHigh, p.used)
	if m.draw.pick(8) == 0 {
		m.holds()
		m.releaseIn(a, s) // nothing has used it
	}
}

// liveOne draws an allocation, nil if there is none.
func (m *model) liveOne() *modelAlloc {
	var live []*modelAlloc
	for _, a := range m.allocs {
		if a.live() {
			live = append(live, a)
		}
	}
	if len(live) == 0 {
		return nil
	}
	return live[m.draw.pick(len(live))]
}

// after are the operations that a use, or the free, of an allocation must come after.
func (a *modelAlloc) after(check bool) []int {
	if check {
		return []int{a.fill.op}
	}
	ops := []int{a.malloc}
	for _, u := range a.uses {
		ops = append(ops, u.op)
	}
	return ops
}

// legal makes it so that the stream, or another one, comes after some operations.
func (m *model) legal(s *modelStream, ops []int) *modelStream {
	if m.draw.pick(4) > 0 {
		for _, other := range m.streams {
			if len(m.missing(other, ops)) == 0 {
				return other
			}
		}
	}
	m.order(s, ops)
	return s
}

// use fills an allocation with a pattern of its own, or checks it.
func (m *model) use(s *modelStream, write bool) {
	a := m.liveOne()
	if a == nil || !write && a.fill == nil {
		return
	}
	s = m.legal(s, a.after(!write))
	u := &modelUse{of: a, op: m.queue(s), write: write}
	if write {
		u.seed = uint64(u.op) << 40
		a.fill = u
		m.logf("%d: fill %s in s%d", u.op, a, s.id)
	} else {
		u.seed = a.fill.seed
		m.logf("%d: check %s in s%d", u.op, a, s.id)
	}
	a.uses = append(a.uses, u)
	m.uses = append(m.uses, u)
	var err error
	switch m.draw.pick(5) {
	case 0:
		err = s.Launch(m.dev.kernel, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{})
	case 1:
		err = s.Memset(a.addr, 0, a.size)
	case 2:
		err = s.CopyToDevice(a.addr, nil)
	case 3:
		err = s.CopyToHost(nil, a.addr)
	case 4:
		err = s.CopyDevice(a.addr, a.addr, a.size)
	}
	require.NoError(m, err)
}

func (m *model) release(s *modelStream) {
	a := m.liveOne()
	if a == nil {
		return
	}
	m.releaseIn(a, m.legal(s, a.after(false)))
}

func (m *model) releaseIn(a *modelAlloc, s *modelStream) {
	a.free = m.mark(s)
	a.freed = s.past.without(m.marks)
	m.logf("%d: free %s in s%d", a.free, a, s.id)
	require.NoError(m, a.pool.FreeAsync(a.addr, s.Stream))
	a.pool.used -= a.rounded
}

func (m *model) record(s *modelStream, e *modelEvent) {
	m.logf("%d: record e%d in s%d", m.queue(s), e.id, s.id)
	require.NoError(m, s.Record(e.Event))
	e.past = slices.Clone(s.past)
}

func (m *model) wait(s *modelStream, e *modelEvent) {
	m.logf("%d: wait for e%d in s%d", m.queue(s), e.id, s.id)
	require.NoError(m, s.Wait(e.Event))
	s.past.join(e.past)
}

// query asks an event. Where it is recorded again meanwhile the program makes nothing
// of the answer.
func (m *model) query(s *modelStream, e *modelEvent) {
	again := m.draw.pick(4) == 0
	if again {
		m.meanwhile = func() { m.record(s, e) }
	}
	done, err := e.Query()
	require.NoError(m, err)
	m.logf("query e%d: %v", e.id, done)
	if done && !again {
		m.host.join(e.past)
	}
}
