package streampool

import (
	"errors"
	"slices"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/checked"
)

// Quantum is what the sizes of a pool of this package are rounded to, in bytes, and
// what its addresses are multiples of, if those of the device are.
const Quantum = 256

// Props are the properties of a pool.
type Props = kernels.PoolProps

// Pool is a stream-ordered pool. It implements kernels.Pool. Its methods are safe for
// concurrent use, but for the streams that they are given, which belong to one
// goroutine at a time.
type Pool struct {
	r      *Runtime
	props  Props
	native kernels.Pool // nil: the rest is used

	// Guarded by Runtime.mu.
	closed    bool
	max       uint64 // bytes that may be reserved, a multiple of Quantum
	free      freeList
	live      map[kernels.Addr]*piece
	follow    bool // kernels.PoolReuseFollowEventDependencies
	guess     bool // kernels.PoolReuseAllowOpportunistic
	depend    bool // kernels.PoolReuseAllowInternalDependencies
	threshold uint64
	grew      bool // since the regions were last united
	stats     Stats
	refused   error // of the device, while memory is looked for
}

var _ kernels.Pool = (*Pool)(nil)

// Create makes a pool. It is kernels.ErrNotSupported if only a pool of the driver
// would do and there is none, and a kernels.ErrPoolProps if no pool can have the properties.
func (r *Runtime) Create(props Props) (*Pool, error) {
	if err := r.check(props); err != nil {
		return nil, err
	}
	p := &Pool{r: r, props: props, follow: true, guess: true, depend: true}
	if err := p.findNative(); err != nil {
		return nil, err
	}
	p.max = props.MaxSize / Quantum * Quantum
	if props.MaxSize == 0 {
		p.max = ^uint64(0) / Quantum * Quantum
	}
	p.free = newFreeList()
	p.live = make(map[kernels.Addr]*piece)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		err := failure("device: %w", kernels.ErrClosed)
		if p.native != nil {
			err = errors.Join(err, p.native.Destroy())
		}
		return nil, err
	}
	r.pools = append(r.pools, p)
	return p, nil
}

// findNative looks for a pool of the driver.
func (p *Pool) findNative() (err error) {
	if p.r.opts.Native == NativeNever {
		return nil
	}
	d, ok := p.r.dev.(kernels.PoolDevice)
	if !ok {
		err = failure("%w: the back end %s has no pools of a driver", kernels.ErrNotSupported, p.r.Info().Backend)
	} else if p.native, err = d.NewPool(p.props); err != nil {
		p.native = nil
	}
	if p.r.opts.Native == NativeAuto && errors.Is(err, kernels.ErrNotSupported) {
		return nil
	}
	return err
}

// check refuses what no pool can be.
func (r *Runtime) check(props Props) error {
	if err := props.Check(r.opts.Device); err != nil {
		return failure("%w", err)
	}
	if props.MaxSize != 0 && props.MaxSize < Quantum {
		return failure("%w: a maximum of %d bytes, less than the smallest piece of %d", kernels.ErrPoolProps, props.MaxSize, Quantum)
	}
	return nil
}

// Native reports whether the pool is one of the driver.
func (p *Pool) Native() bool { return p.native != nil }

// Props returns what the pool was created with.
func (p *Pool) Props() Props { return p.props }

// MallocAsync returns memory for work that is queued in the stream from now on, and
// for what is ordered after that. Its content is undefined. The error is an
// *OutOfMemoryError if there is no memory even after all work before frees has
// finished. What is allocated stays then, but regions of which nothing was used may have
// gone back to the device.
func (p *Pool) MallocAsync(size uint64, on kernels.Stream) (kernels.Addr, error) {
	s, err := p.r.stream(on)
	if err != nil {
		return 0, err
	}
	if size == 0 {
		return 0, kernels.ErrZeroSize
	}
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if err := p.open(); err != nil {
		return 0, err
	}
	if p.native != nil {
		s.tick++
		return p.native.MallocAsync(size, s.raw)
	}
	wanted, err := checked.AlignUp(size, Quantum)
	if err != nil {
		p.refused = err
		return 0, p.outOfMemory(size, size)
	}
	e, err := p.allocate(wanted, s)
	if err != nil {
		return 0, err
	}
	if e == nil {
		return 0, p.outOfMemory(size, wanted)
	}
	p.live[e.Addr] = e
	p.stats.allocated(e.Size)
	return e.Addr, nil
}

// FreeAsync gives memory back that work queued in the stream until now may use, and
// work that comes before that. It does not wait. The error is ErrDoubleFree or
// kernels.ErrBadAddress for what is no allocation; after any error the memory is
// still the caller's.
func (p *Pool) FreeAsync(addr kernels.Addr, on kernels.Stream) error {
	s, err := p.r.stream(on)
	if err != nil {
		return err
	}
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if err := p.open(); err != nil {
		return err
	}
	if p.native != nil {
		s.tick++
		return p.native.FreeAsync(addr, s.raw)
	}
	e := p.live[addr]
	if e == nil {
		return p.notLive(addr)
	}
	p.free.finish(p.r.done)
	p.free.alone = p.r.open == 1
	e.Val = state{status: ready}
	if now := s.now(); !p.r.done.covers(now) {
		if err := s.mark(); err != nil {
			e.Val = state{}
			return err
		}
		e.Val = state{status: pending, freed: now}
	}
	delete(p.live, addr)
	p.stats.freed(e.Size)
	p.free.put(e)
	return nil
}

// open is an error if the pool is destroyed.
func (p *Pool) open() error {
	if p.closed {
		return failure("%w", kernels.ErrClosed)
	}
	return nil
}

// notLive says what an address is that is no allocation.
func (p *Pool) notLive(addr kernels.Addr) error {
	e := p.free.space.At(addr)
	switch {
	case e == nil:
		return failure("free %#x: %w: it is not in this pool", uint64(addr), kernels.ErrBadAddress)
	case e.Val.status == inUse:
		return failure("free %#x: %w: it lies inside the allocation at %#x", uint64(addr), kernels.ErrBadAddress, uint64(e.Addr))
	}
	return failure("free %#x: %w", uint64(addr), ErrDoubleFree)
}

// holds reports whether a region of the pool starts at an address.
func (p *Pool) holds(addr kernels.Addr) bool {
	e := p.free.space.At(addr)
	return e != nil && e.Addr == addr && e.Lower() == nil
}

// Destroy gives all memory back to the device, once the work before frees has
// finished, for which it waits. While something is allocated it refuses, with
// kernels.ErrInUse.
func (p *Pool) Destroy() error {
	r := p.r
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := p.open(); err != nil {
		return err
	}
	if p.native != nil {
		if err := p.native.Destroy(); err != nil {
			return err
		}
	} else if err := p.end(); err != nil {
		return err
	}
	p.closed = true
	r.pools = slices.DeleteFunc(r.pools, func(q *Pool) bool { return q == p })
	return nil
}

// end gives all memory back. After an error the pool can be used, and end be called
// again.
func (p *Pool) end() error {
	if n := len(p.live); n > 0 {
		return failure("%w: %d allocations of %d bytes", kernels.ErrInUse, n, p.stats.Used)
	}
	if err := p.awaitAll(); err != nil {
		return err
	}
	if _, err := p.giveBack(0, 0); err != nil {
		return err
	}
	if p.stats.Reserved > 0 { // the event behind a free could not be recorded
		return failure("%w: %d free bytes wait for work of a stream that must be synchronized first",
			kernels.ErrInUse, p.free.pending())
	}
	return nil
}
