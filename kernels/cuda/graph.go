package cuda

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// capture is one capture of a graph, from its begin to its end. Streams that wait for
// events of it belong to it too.
type capture struct {
	origin *Stream
	ended  atomic.Bool
	mu     sync.Mutex
	keep   [][]byte // Go memory that captured copies name
}

func (c *capture) active() bool { return c != nil && !c.ended.Load() }

func (c *capture) hold(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep = append(c.keep, b)
}

// capturing returns the capture that the stream is part of, or nil.
func (s *Stream) capturing() *capture {
	if s.capture.active() {
		return s.capture
	}
	return nil
}

// Graph is work that was captured and can be launched again and again. It keeps the
// Go memory that its copies name; device memory, pinned memory and streams must
// outlive its launches.
type Graph struct {
	d      *Device
	exec   uintptr
	keep   [][]byte
	closed bool // guarded by Device.mu
}

// relaxed is CU_STREAM_CAPTURE_MODE_RELAXED. The other modes bind a capture to a
// thread, which a goroutine is not.
const relaxed = 2

// BeginCapture makes the methods that enqueue work on the stream record it instead,
// until EndCapture. A driver without graphs is ErrNotSupported.
func (s *Stream) BeginCapture() error {
	if err := s.d.lib.supports(graphs); err != nil {
		return err
	}
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if s.capturing() != nil {
		return errors.New("stream: it is being captured already")
	}
	if err := s.d.call(&s.d.lib.beginCapture, s.handle, relaxed, 0, 0); err != nil {
		return err
	}
	s.capture = &capture{origin: s}
	return nil
}

// EndCapture ends a capture and returns its graph, ready to launch. The capture is
// over even if there is an error.
func (s *Stream) EndCapture() (*Graph, error) {
	d := s.d
	d.life.RLock()
	defer d.life.RUnlock()
	if s.closed || d.closed {
		return nil, fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	c := s.capturing()
	if c == nil || c.origin != s {
		return nil, errors.New("stream: no capture has begun on it")
	}
	if err := d.enter(); err != nil {
		return nil, errors.Join(err, s.dropCapture(c))
	}
	defer d.leave()
	graph, err := s.endCapture(c)
	if err != nil {
		return nil, err
	}
	l := d.lib
	g := &Graph{d: d, keep: c.keep}
	err = l.call(&l.graphInstantiate, uintptr(unsafe.Pointer(&g.exec)), graph, 0, 0)
	err = errors.Join(err, l.call(&l.graphDestroy, graph, 0, 0, 0)) // the executable graph does not need it
	if err != nil {
		if g.exec != 0 {
			err = errors.Join(err, l.call(&l.graphExecEnd, g.exec, 0, 0, 0))
		}
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.graphs = append(d.graphs, g)
	return g, nil
}

// endCapture ends a capture; the context is current. A capture that was spoiled
// leaves no graph.
func (s *Stream) endCapture(c *capture) (uintptr, error) {
	c.ended.Store(true)
	l := s.d.lib
	graph := new(uintptr)
	err := l.call(&l.endCapture, s.handle, uintptr(unsafe.Pointer(graph)), 0, 0)
	if err == nil && *graph == 0 {
		err = errors.New("stream: the driver has captured nothing")
	}
	return *graph, err
}

// dropCapture ends a capture that nobody wants.
func (s *Stream) dropCapture(c *capture) error {
	if err := s.d.enter(); err != nil {
		c.ended.Store(true)
		return err
	}
	defer s.d.leave()
	graph, err := s.endCapture(c)
	if graph != 0 {
		err = errors.Join(err, s.d.lib.call(&s.d.lib.graphDestroy, graph, 0, 0, 0))
	}
	return err
}

// Launch enqueues the work of the graph on a stream of its device. Kernels read their
// sizes in device memory, so they follow what the stream has put there; addresses,
// grids and arguments are those of the capture.
func (g *Graph) Launch(on kernels.Stream) error {
	s, ok := on.(*Stream)
	if !ok || s.d != g.d {
		return fmt.Errorf("graph: stream: %w", kernels.ErrForeign)
	}
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if g.closed {
		return fmt.Errorf("graph: %w", kernels.ErrClosed)
	}
	for _, b := range g.keep {
		s.hold(b)
	}
	return s.enqueue(&s.d.lib.graphLaunch, g.exec, s.handle, 0, 0)
}

// Close gives the graph back. Launches that are queued stay good.
func (g *Graph) Close() error {
	d := g.d
	d.life.RLock()
	defer d.life.RUnlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if g.closed || d.closed {
		return fmt.Errorf("graph: %w", kernels.ErrClosed)
	}
	g.closed = true
	d.graphs = slices.DeleteFunc(d.graphs, func(o *Graph) bool { return o == g })
	return d.call(&d.lib.graphExecEnd, g.exec, 0, 0, 0)
}
