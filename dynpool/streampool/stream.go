package streampool

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels"
)

// stream is a stream of the device that is followed. It implements kernels.Stream,
// and like every stream belongs to one goroutine at a time; only its markers may be
// used by others, which hold Runtime.mu.
type stream struct {
	r      *Runtime
	raw    kernels.Stream
	index  int
	tick   ticks // operations queued
	known  clock // what the work queued from now on comes after, but for this stream
	closed bool

	marks []*marker // the oldest first; guarded by Runtime.mu
}

// NewStream implements kernels.Device.
func (r *Runtime) NewStream() (kernels.Stream, error) {
	raw, err := r.dev.NewStream()
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &stream{r: r, raw: raw, index: slices.Index(r.streams, nil)}
	if s.index < 0 {
		s.index = len(r.streams)
		r.streams = append(r.streams, nil)
	}
	r.streams[s.index] = s
	r.open++
	s.tick = r.done.at(s.index) // all work of the stream that had the index before
	return s, nil
}

// stream returns the stream of this package that a stream is.
func (r *Runtime) stream(s kernels.Stream) (*stream, error) {
	own, ok := s.(*stream)
	switch {
	case !ok || own.r != r:
		return nil, fmt.Errorf("stream: %w: it is not one of this Runtime", kernels.ErrForeign)
	case own.closed:
		return nil, fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	return own, nil
}

// now is the point behind all that is queued.
func (s *stream) now() point { return point{s.index, s.tick} }

// comesAfter reports whether work queued from now on comes after a point.
func (s *stream) comesAfter(p point) bool { return p.stream == s.index || s.known.covers(p) }

// CopyToDevice implements kernels.Stream.
func (s *stream) CopyToDevice(dst kernels.Addr, src []byte) error {
	s.tick++
	return s.raw.CopyToDevice(dst, src)
}

// CopyToHost implements kernels.Stream.
func (s *stream) CopyToHost(dst []byte, src kernels.Addr) error {
	s.tick++
	return s.raw.CopyToHost(dst, src)
}

// CopyDevice implements kernels.Stream.
func (s *stream) CopyDevice(dst, src kernels.Addr, size uint64) error {
	s.tick++
	return s.raw.CopyDevice(dst, src, size)
}

// Memset implements kernels.Stream.
func (s *stream) Memset(dst kernels.Addr, value byte, size uint64) error {
	s.tick++
	return s.raw.Memset(dst, value, size)
}

// Launch implements kernels.Stream.
func (s *stream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	s.tick++
	return s.raw.Launch(k, grid, args)
}

// Synchronize implements kernels.Stream. Pools then give back what they hold above
// their release thresholds.
func (s *stream) Synchronize() error {
	if err := s.raw.Synchronize(); err != nil {
		return err // whether the work has finished is not known
	}
	return s.finished()
}

// finished notes that all work of the stream has run.
func (s *stream) finished() error {
	r := s.r
	r.mu.Lock()
	defer r.mu.Unlock()
	s.knows(&r.done)
	s.reap()
	return r.synchronized()
}

// knows adds to a clock all that comes before the work queued from now on.
func (s *stream) knows(c *clock) {
	c.join(s.known)
	c.set(s.now())
}

// Close implements kernels.Stream. It waits, and pools are then as after Synchronize.
// If the device could not close the stream, Close can be called again.
func (s *stream) Close() error {
	if s.closed {
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	err := s.raw.Close()
	// A device tells an error of the work here, and closes the stream all the same.
	if err != nil && !errors.Is(s.raw.Synchronize(), kernels.ErrClosed) {
		return err
	}
	s.closed = true
	err = errors.Join(err, s.finished())
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.r.streams[s.index] = nil
	s.r.open--
	return err
}
