package streampool

// run is some neighbouring free pieces.
type run struct {
	first *piece
	n     int
	bytes uint64
}

// smallestRun returns the smallest run of at least wanted bytes of pieces that are
// usable, the first of several, and an empty one if there is none.
func (p *Pool) smallestRun(wanted uint64, usable func(*piece) bool) run {
	var best run
	if p.free.bytes < wanted {
		return best
	}
	for _, r := range p.free.space.Regions() {
		var now run
		for e := r.First(); e != nil; e = e.Upper() {
			if e.Val.status == inUse || !usable(e) {
				now = run{}
				continue
			}
			if now.n == 0 {
				now.first = e
			}
			now.n++
			now.bytes += e.Size
			for now.bytes-now.first.Size >= wanted {
				now.bytes -= now.first.Size
				now.n--
				now.first = now.first.Upper()
			}
			if now.bytes >= wanted && (best.n == 0 || now.bytes < best.bytes) {
				best = now
			}
		}
	}
	return best
}

// assemble makes one piece of a run, and cuts it. What was freed in other streams must
// come before the work queued in the stream from now on.
func (p *Pool) assemble(r run, wanted uint64, s *stream) (*piece, error) {
	allReady := true
	for i, e := 0, r.first; i < r.n; i, e = i+1, e.Upper() {
		allReady = allReady && e.Val.status == ready
	}
	left := state{status: ready}
	if !allReady {
		// What is left belongs to this stream from now on, and must be found again.
		if err := s.mark(); err != nil {
			return nil, err
		}
		left = state{status: pending, freed: s.now()}
	}
	for i, e := 0, r.first; i < r.n; i, e = i+1, e.Upper() {
		p.free.take(e)
	}
	e := r.first
	for range r.n - 1 {
		p.free.space.Join(e)
	}
	e.Val = state{} // before its neighbour is put back
	if e.Size > wanted {
		rest := p.free.space.Split(e, wanted)
		rest.Val = left
		p.free.put(rest)
	}
	p.stats.FromRun++
	return e, nil
}

// largestRun returns the bytes of the largest run of free pieces.
func (p *Pool) largestRun() uint64 {
	var largest uint64
	for _, r := range p.free.space.Regions() {
		bytes := uint64(0)
		for e := r.First(); e != nil; e = e.Upper() {
			if e.Val.status == inUse {
				bytes = 0
				continue
			}
			bytes += e.Size
			largest = max(largest, bytes)
		}
	}
	return largest
}
