package streampool

// find returns the free piece closest in size of those that work queued in the stream
// from now on may use as things stand, nil if there is none.
func (p *Pool) find(wanted uint64, s *stream) *piece {
	f := &p.free
	f.finish(p.r.done)
	best := f.queue(s.index).bySize.Fit(wanted)
	by := &p.stats.FromStream
	if e := f.ready.Fit(wanted); closer(e, best) {
		best, by = e, &p.stats.FromFinished
	}
	if p.follow {
		for i := range f.queues {
			if e := f.queues[i].ordered(wanted, s, best); e != nil {
				best, by = e, &p.stats.FromEvent
			}
		}
	}
	if best != nil {
		*by++
	}
	return best
}

// closer reports whether a piece is closer in size than another, of which either may
// be nil.
func closer(e, than *piece) bool { return e != nil && (than == nil || e.Size < than.Size) }

// ordered returns the closest piece of the queue that was freed before an event that
// the stream waits for, nil if none of them is closer than another.
func (q *queue) ordered(wanted uint64, s *stream, than *piece) *piece {
	if q.oldest == nil || !s.known.covers(q.oldest.Val.freed) {
		return nil // none of them, as the others were freed later
	}
	for e := q.bySize.Fit(wanted); closer(e, than); e = q.bySize.After(e) {
		if s.known.covers(e.Val.freed) {
			return e
		}
	}
	return nil
}

// ask asks the device which work has finished, and looks again.
func (p *Pool) ask(wanted uint64) *piece {
	p.pollAll()
	e := p.free.ready.Fit(wanted)
	if e != nil {
		p.stats.FromOpportunity++
	}
	return e
}

// pollAll asks the device about all work that keeps free memory from being used.
func (p *Pool) pollAll() {
	for i := range p.free.queues {
		if s := p.r.streams[i]; s != nil && p.free.queues[i].oldest != nil {
			p.r.poll(s)
		}
	}
	p.free.finish(p.r.done)
}

// wait makes the stream wait for the work before a free of another stream, and
// returns what was freed, the closest in size. nil is that there is none.
func (p *Pool) wait(wanted uint64, s *stream) (*piece, error) {
	var best *piece
	for i := range p.free.queues {
		if e := p.free.queues[i].bySize.Fit(wanted); closer(e, best) && p.r.covering(e.Val.freed) != nil {
			best = e
		}
	}
	if best == nil {
		return nil, nil
	}
	if err := s.waitFor(best.Val.freed); err != nil {
		return nil, err
	}
	p.stats.FromDependency++
	return best, nil
}

// waitFor makes the stream wait for a point that a marker covers.
func (s *stream) waitFor(at point) error {
	if s.comesAfter(at) {
		return nil
	}
	m := s.r.covering(at)
	s.tick++
	if err := s.raw.Wait(m.raw); err != nil {
		return err
	}
	s.known.set(point{at.stream, m.tick})
	return nil
}
