package streampool

import (
	"slices"

	"github.com/seqplan/seqplan/kernels"
)

// marker is a point of a stream that the device can be asked about. The events of
// markers are used again and again.
type marker struct {
	raw  kernels.Event
	tick ticks // of the stream
}

// maxMarkers is how many points of a stream are kept. Beyond, the last one moves on,
// so that what was freed before it is found free later than it could be.
const maxMarkers = 64

// mark sees to it that a marker stands at the end of the stream, or that nothing has
// been queued since the last one. Runtime.mu is held, by who has the stream.
func (s *stream) mark() error {
	if s.r.done.covers(s.now()) {
		return nil
	}
	n := len(s.marks)
	if n > 0 && s.marks[n-1].tick == s.tick {
		return nil
	}
	m, err := s.freeMarker()
	if err != nil {
		return err
	}
	if err := s.raw.Record(m.raw); err != nil {
		s.r.spare = append(s.r.spare, m)
		return err
	}
	m.tick = s.tick
	s.marks = append(s.marks, m)
	return nil
}

// freeMarker returns a marker to record: one that was used before if there is one. If
// there are too many in the stream it is the last of these.
func (s *stream) freeMarker() (*marker, error) {
	if n := len(s.marks); n == maxMarkers {
		m := s.marks[n-1]
		s.marks = s.marks[:n-1]
		return m, nil
	}
	if n := len(s.r.spare); n > 0 {
		m := s.r.spare[n-1]
		s.r.spare = s.r.spare[:n-1]
		return m, nil
	}
	raw, err := s.r.dev.NewEvent()
	if err != nil {
		return nil, err
	}
	return &marker{raw: raw}, nil
}

// covering returns the first marker at or behind a point that is not known to be
// reached, nil if there is none: then only a wait for the stream tells.
func (r *Runtime) covering(p point) *marker {
	s := r.streams[p.stream]
	if s == nil {
		return nil
	}
	i := slices.IndexFunc(s.marks, func(m *marker) bool { return m.tick >= p.tick })
	if i < 0 {
		return nil
	}
	return s.marks[i]
}

// poll asks the device how far a stream has come.
func (r *Runtime) poll(s *stream) {
	for _, m := range s.marks {
		if r.done.covers(point{s.index, m.tick}) {
			continue
		}
		// An error is one of the device, which says nothing about how far it is.
		if done, err := m.raw.Query(); !done || err != nil {
			break
		}
		r.done.set(point{s.index, m.tick})
	}
	s.reap()
}

// await waits until a point is reached. Runtime.mu is held, so that others wait too.
func (r *Runtime) await(p point) error {
	m := r.covering(p)
	if m == nil {
		return nil
	}
	if err := m.raw.Synchronize(); err != nil {
		return err
	}
	r.done.set(point{p.stream, m.tick})
	r.streams[p.stream].reap()
	return nil
}

// reap takes back the markers that are known to be reached.
func (s *stream) reap() {
	n := 0
	for n < len(s.marks) && s.r.done.covers(point{s.index, s.marks[n].tick}) {
		n++
	}
	s.r.spare = append(s.r.spare, s.marks[:n]...)
	s.marks = slices.Delete(s.marks, 0, n)
}
