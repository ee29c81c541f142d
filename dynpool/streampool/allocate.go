package streampool

import (
	"errors"

	"github.com/seqplan/seqplan/kernels"
)

// allocate returns a piece of wanted bytes that is in use, nil if the pool has no
// memory. The ways to get it come in the order of their cost: what waits for nothing,
// a call of the device, a wait of the stream, a wait of the host.
func (p *Pool) allocate(wanted uint64, s *stream) (*piece, error) {
	p.refused = nil
	if wanted > p.max {
		return nil, nil
	}
	e := p.find(wanted, s)
	if e == nil && p.guess {
		e = p.ask(wanted)
	}
	if e != nil {
		p.free.cut(e, wanted)
		return e, nil
	}
	if r := p.smallestRun(wanted, p.usableBy(s)); r.n > 0 {
		return p.assemble(r, wanted, s)
	}
	if e, err := p.grow(wanted); e != nil || err != nil {
		return e, err
	}
	if p.depend {
		if e, err := p.dependent(wanted, s); e != nil || err != nil {
			return e, err
		}
	}
	return p.lastResort(wanted, s)
}

// usableBy says which free pieces work queued in a stream from now on may use.
func (p *Pool) usableBy(s *stream) func(*piece) bool {
	return func(e *piece) bool {
		return e.Val.status == ready || e.Val.freed.stream == s.index || p.follow && s.known.covers(e.Val.freed)
	}
}

// grow takes a region of the device that holds wanted bytes. It is nil if the pool may
// not grow so far or the device has no memory.
func (p *Pool) grow(wanted uint64) (*piece, error) {
	room := p.max - p.stats.Reserved // never more than max is reserved
	if wanted > room {
		return nil, nil
	}
	size := max(wanted, min(p.r.opts.Region, room))
	addr, err := p.r.dev.Alloc(size)
	if errors.Is(err, kernels.ErrOutOfMemory) && size > wanted {
		size = wanted
		addr, err = p.r.dev.Alloc(size)
	}
	if errors.Is(err, kernels.ErrOutOfMemory) {
		p.refused = err
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.stats.grown(size)
	e := p.free.space.Add(addr, size)
	if size > wanted {
		rest := p.free.space.Split(e, wanted)
		rest.Val = state{status: ready}
		p.free.put(rest)
	}
	return e, nil
}

// dependent gets memory that other streams have freed, and makes this one wait.
func (p *Pool) dependent(wanted uint64, s *stream) (*piece, error) {
	e, err := p.wait(wanted, s)
	if err != nil {
		return nil, err
	}
	if e != nil {
		p.free.cut(e, wanted)
		return e, nil
	}
	usable := p.usableBy(s)
	r := p.smallestRun(wanted, func(e *piece) bool { return usable(e) || p.r.covering(e.Val.freed) != nil })
	for i, e := 0, r.first; i < r.n; i, e = i+1, e.Upper() {
		if !usable(e) {
			if err := s.waitFor(e.Val.freed); err != nil {
				return nil, err
			}
		}
	}
	if r.n == 0 {
		return nil, nil
	}
	return p.assemble(r, wanted, s)
}

// lastResort waits until all memory that was freed is free, and exchanges regions that
// are too small for one that is large enough.
func (p *Pool) lastResort(wanted uint64, s *stream) (*piece, error) {
	for _, wait := range []bool{false, true} {
		if wait {
			if err := p.awaitAll(); err != nil {
				return nil, err
			}
			if e := p.find(wanted, s); e != nil {
				p.free.cut(e, wanted)
				return e, nil
			}
		}
		if e, err := p.exchange(wanted); e != nil || err != nil {
			return e, err
		}
	}
	return nil, nil
}

// awaitAll waits for the work before all frees.
func (p *Pool) awaitAll() error {
	for i := range p.free.queues {
		if e := p.free.queues[i].newest; e != nil {
			p.stats.HostWaits++
			if err := p.r.await(e.Val.freed); err != nil {
				return err
			}
		}
	}
	p.free.finish(p.r.done)
	return nil
}

// exchange gives regions back that nobody uses, as many as it takes, and grows. It
// does nothing if that cannot be enough.
func (p *Pool) exchange(wanted uint64) (*piece, error) {
	whole := p.wholeRegions()
	var free uint64
	for _, e := range whole {
		free += e.Size
	}
	if len(whole) == 0 || wanted > p.max-(p.stats.Reserved-free) {
		return nil, nil
	}
	for _, e := range whole {
		if err := p.giveRegion(e); err != nil {
			return nil, err
		}
		if e, err := p.grow(wanted); e != nil || err != nil {
			return e, err
		}
	}
	return nil, nil
}
