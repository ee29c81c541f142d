package host

// interleaves reports whether a function chooses what runs.
func (o *Options) interleaves() bool { return o.Interleave != nil || o.Schedule != nil }

// turn lets that function choose, if there is one. Device.work is held.
func (d *Device) turn() {
	if d.opts.interleaves() {
		d.interleave(nil, 0)
	}
}

// interleave runs operations until so many of the stream are done, if there is one,
// and the function ends it.
func (d *Device) interleave(s *stream, until uint64) {
	for {
		d.findReady()
		if len(d.ready) == 0 {
			return
		}
		waiting := s != nil && s.done < until
		i := d.choose(waiting)
		switch {
		case i >= 0 && i < len(d.ready):
			d.ready[i].step()
		case waiting:
			s.next().step()
		default:
			return
		}
	}
}

// findReady lists the streams whose next operation may run.
func (d *Device) findReady() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ready = d.ready[:0]
	for _, s := range d.streams {
		if s.head < len(s.ops) && !s.ops[s.head].blocked() {
			d.ready = append(d.ready, s)
		}
	}
}

// choose asks the function.
func (d *Device) choose(waiting bool) int {
	if d.opts.Schedule == nil {
		return d.opts.Interleave(len(d.ready), waiting)
	}
	d.numbers = d.numbers[:0]
	for _, s := range d.ready {
		d.numbers = append(d.numbers, s.number)
	}
	return d.opts.Schedule(d.numbers, waiting)
}

// blocked tells whether an operation waits for what has not run.
func (o *op) blocked() bool { return o.kind == opWait && o.stream.done < o.until }

// next is the stream that must run an operation before s can, or s.
func (s *stream) next() *stream {
	for s.ops[s.head].blocked() {
		s = s.ops[s.head].stream
	}
	return s
}
