package streampool

// allocate returns a piece of wanted bytes that is in use, nil if the pool has no
// memory. The ways to get it come in the order of their cost: what waits for nothing,
// a call of the device, a wait of the stream, a wait of the host.
func (p *Pool) allocate(wanted uint64, s *stream) (*piece, error) {
	p.refused = nil
	if wanted > p.max {
		return nil, nil
	}
	if err := p.unite(wanted); err != nil {
		return nil, err
	}
	e := p.find(wanted, s)
	if e == nil && p.guess {
		e = p.ask(wanted)
	}
	if e != nil {
		return p.cut(e, wanted), nil
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

// small is which part of what a pool holds an allocation must not reach to be cut from
// the end of a free piece. Large ones are cut from the start, so that the two do not
// mix, and the small ones leave room for the large.
const small = 16

// cut takes a piece of wanted bytes of a free one.
func (p *Pool) cut(e *piece, wanted uint64) *piece {
	return p.free.cut(e, wanted, wanted < p.stats.Reserved/small)
}

// dependent gets memory that other streams have freed, and makes this one wait.
func (p *Pool) dependent(wanted uint64, s *stream) (*piece, error) {
	e, err := p.wait(wanted, s)
	if err != nil {
		return nil, err
	}
	if e != nil {
		return p.cut(e, wanted), nil
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

// lastResort exchanges regions that are too small, and waits until all memory that was
// freed is free.
func (p *Pool) lastResort(wanted uint64, s *stream) (*piece, error) {
	if whole := p.wholeRegions(); len(whole) > 0 {
		if e, err := p.enlarge(wanted, whole); e != nil || err != nil {
			return e, err
		}
	}
	if err := p.awaitAll(); err != nil {
		return nil, err
	}
	if e := p.find(wanted, s); e != nil {
		return p.cut(e, wanted), nil
	}
	return p.enlarge(wanted, p.wholeRegions())
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
