package streampool_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// crowd is many goroutines, each with a stream of its own, that use the same pools and
// hand allocations over to each other.
type crowd struct {
	*world
	pools       []*pool
	fill, check kernels.Kernel
	wrong       atomic.Int64 // bytes that were not as they had been written
	members     []*member
	events      []kernels.Event // that all record and wait for
}

// member is one goroutine.
type member struct {
	c     *crowd
	id    uint64
	draws uint64
	s     kernels.Stream
	has   []parcel
	inbox chan parcel
	full  int // allocations that failed
}

// parcel is an allocation. Who gets it waits for the event first.
type parcel struct {
	p     *pool
	addr  kernels.Addr
	size  uint64
	seed  uint64
	after kernels.Event
}

func newCrowd(t *testing.T, members int, device host.Options, opts streampool.Options) *crowd {
	c := &crowd{world: newWorld(t, device, opts)}
	kernel := func(name string, f func(mem []byte, seed uint64)) kernels.Kernel {
		require.NoError(t, c.dev.Register(name, func(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
			bytes, err := mem.Bytes(kernels.Addr(args[0]), args[1])
			if err == nil {
				f(bytes, args[2])
			}
			return err
		}))
		k, err := c.Kernel(name)
		require.NoError(t, err)
		return k
	}
	c.fill = kernel("fill", func(mem []byte, seed uint64) { kernels.FillPattern(mem, 0, seed) })
	c.check = kernel("check", func(mem []byte, seed uint64) {
		var r kernels.CheckReport
		kernels.ComparePattern(mem, 0, seed, &r)
		c.wrong.Add(int64(r.Mismatches))
	})
	for range 4 {
		c.events = append(c.events, c.event())
	}
	for i := range members {
		c.members = append(c.members, &member{c: c, id: uint64(i), s: c.stream(), inbox: make(chan parcel, 4)})
	}
	return c
}

// run plays a round of each member again and again, all at the same time, and gives
// everything back.
func (c *crowd) run(rounds int, round func(*member) error) {
	c.t.Helper()
	errs := make([]error, len(c.members))
	var all sync.WaitGroup
	for i, m := range c.members {
		all.Go(func() {
			for r := 0; r < rounds && errs[i] == nil; r++ {
				errs[i] = round(m)
			}
		})
	}
	all.Wait()
	require.NoError(c.t, errors.Join(errs...))
	for _, m := range c.members {
		close(m.inbox)
		for p := range m.inbox {
			require.NoError(c.t, m.take(p))
		}
		for len(m.has) > 0 {
			require.NoError(c.t, m.drop(0))
		}
	}
	for _, m := range c.members {
		require.NoError(c.t, m.s.Synchronize())
	}
	require.Zero(c.t, c.wrong.Load())
}

func (m *member) draw(n int) int {
	m.draws++
	return int(splitmix.Hash(m.id, m.draws) % uint64(n))
}

func one() kernels.Grid { return kernels.Grid{Blocks: 1, Threads: 1} }

// malloc allocates and fills. That there is no memory is no error.
func (m *member) malloc(p *pool, size uint64) error {
	addr, err := p.MallocAsync(size, m.s)
	var full *streampool.OutOfMemoryError
	if errors.As(err, &full) {
		m.full++
		return nil
	}
	if err != nil {
		return err
	}
	parcel := parcel{p: p, addr: addr, size: size, seed: splitmix.Hash(m.id, m.draws, 1)}
	m.has = append(m.has, parcel)
	return m.s.Launch(m.c.fill, one(), kernels.Args{uint64(addr), size, parcel.seed})
}

// drop checks an allocation and frees it.
func (m *member) drop(i int) error {
	p := m.has[i]
	m.has = append(m.has[:i], m.has[i+1:]...)
	return errors.Join(
		m.s.Launch(m.c.check, one(), kernels.Args{uint64(p.addr), p.size, p.seed}),
		p.p.FreeAsync(p.addr, m.s),
	)
}

// give hands an allocation over if the other has room for it.
func (m *member) give(i int, to *member) error {
	p := m.has[i]
	var err error
	if p.after, err = m.c.NewEvent(); err != nil {
		return err
	}
	if err := m.s.Record(p.after); err != nil {
		return err
	}
	select {
	case to.inbox <- p:
		m.has = append(m.has[:i], m.has[i+1:]...)
		return nil
	default:
		return p.after.Close()
	}
}

func (m *member) take(p parcel) error {
	if m.draw(4) == 0 {
		if _, err := p.after.Query(); err != nil {
			return err
		}
	}
	m.has = append(m.has, p)
	return errors.Join(m.s.Wait(p.after), p.after.Close())
}

// round does one thing.
func (m *member) round() error {
	p := m.c.pools[m.draw(len(m.c.pools))]
	e := m.c.events[m.draw(len(m.c.events))]
	switch op := m.draw(40); {
	case op < 10 || len(m.has) == 0:
		return m.malloc(p, uint64(1+m.draw(3000)))
	case op < 16:
		return m.drop(m.draw(len(m.has)))
	case op < 22:
		return m.give(m.draw(len(m.has)), m.c.members[m.draw(len(m.c.members))])
	case op < 27:
		select {
		case p := <-m.inbox:
			return m.take(p)
		default:
			return nil
		}
	case op < 28:
		return m.s.Synchronize()
	case op < 29:
		return p.TrimTo(uint64(m.draw(10)) * 4096)
	case op < 30:
		return p.SetAttr(kernels.PoolAttr(1+m.draw(3)), uint64(m.draw(2)))
	case op < 31:
		return p.SetAttr(kernels.PoolReleaseThreshold, uint64(m.draw(10))*4096)
	case op < 33:
		return m.s.Record(e)
	case op < 35:
		return m.s.Wait(e)
	case op < 37:
		_, err := e.Query()
		return err
	case op < 38:
		return e.Synchronize()
	}
	stats := p.Stats()
	if _, err := p.GetAttr(kernels.PoolUsedHigh); err != nil || stats.Used > stats.Reserved {
		return fmt.Errorf("%+v: %w", stats, err)
	}
	return nil
}

// TestManyGoroutines: 64 goroutines on one pool, and on several of one Runtime.
func TestManyGoroutines(t *testing.T) {
	for kind := range schedules {
		for _, pools := range []int{1, 4} {
			t.Run(fmt.Sprintf("pools=%d,schedule=%d", pools, kind), func(t *testing.T) {
				c := newCrowd(t, 64, host.Options{Interleave: schedule(kind, 1)}, streampool.Options{Region: 16384})
				for range pools {
					c.pools = append(c.pools, c.pool(uint64(400_000/pools)))
				}
				c.run(400, (*member).round)
			})
		}
	}
}

// TestGoroutinesNearExhaustion: goroutines that want more than a pool may hold get what there
// is, or are told, and none waits for another for ever.
func TestGoroutinesNearExhaustion(t *testing.T) {
	for policies := range uint64(8) {
		t.Run(fmt.Sprintf("policies=%03b", policies), func(t *testing.T) {
			c := newCrowd(t, 8, host.Options{Memory: 20_000}, streampool.Options{Region: 2048})
			p := c.pool(16_384,
				attr{follow, policies & 1}, attr{guess, policies >> 1 & 1}, attr{depend, policies >> 2},
				attr{threshold, uint64(8192)})
			c.pools = append(c.pools, p)
			c.run(300, func(m *member) error {
				if len(m.has) > 0 && m.draw(3) == 0 {
					return m.drop(m.draw(len(m.has)))
				}
				return m.malloc(p, uint64(1+m.draw(4000)))
			})
			for _, m := range c.members {
				require.Positive(t, m.full)
			}
			require.LessOrEqual(t, p.get(kernels.PoolReservedHigh), uint64(16_384))
		})
	}
}
