package host

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels"
)

// opKind is the kind of a queued operation.
type opKind uint8

const (
	opToDevice opKind = iota
	opToHost
	opCopy
	opMemset
	opLaunch
	opRecord
	opWait
)

// op is one queued operation, a value so that a queue can be used again.
type op struct {
	kind   opKind
	host   []byte
	dst    kernels.Addr
	src    kernels.Addr
	size   uint64
	value  byte
	kernel *kernel
	grid   kernels.Grid
	args   kernels.Args
	stream *stream // opWait: run this one
	until  uint64  // up to this many operations
}

// stream implements kernels.Stream. Its fields are guarded by Device.work.
type stream struct {
	d      *Device
	number int // of the streams of the device
	ops    []op
	head   int    // of ops, the next to run
	queued uint64 // operations since the stream was made
	done   uint64 // of them, that have run
	err    error  // of the work, until Synchronize reports it
	closed bool
}

// NewStream implements kernels.Device.
func (d *Device) NewStream() (kernels.Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, kernels.ErrClosed
	}
	s := &stream{d: d, number: d.made}
	d.made++
	d.streams = append(d.streams, s)
	return s, nil
}

func (s *stream) enqueue(o op) error {
	s.d.work.Lock()
	defer s.d.work.Unlock()
	if err := s.push(o); err != nil {
		return err
	}
	s.d.turn()
	return nil
}

// push queues an operation; Device.work is held.
func (s *stream) push(o op) error {
	if s.closed {
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	if s.head > len(s.ops)/2 {
		n := copy(s.ops, s.ops[s.head:])
		clear(s.ops[n:])
		s.ops, s.head = s.ops[:n], 0
	}
	s.ops = append(s.ops, o)
	s.queued++
	s.d.pending++
	return nil
}

// CopyToDevice implements kernels.Stream.
func (s *stream) CopyToDevice(dst kernels.Addr, src []byte) error {
	return s.enqueue(op{kind: opToDevice, dst: dst, host: src})
}

// CopyToHost implements kernels.Stream.
func (s *stream) CopyToHost(dst []byte, src kernels.Addr) error {
	return s.enqueue(op{kind: opToHost, src: src, host: dst})
}

// CopyDevice implements kernels.Stream.
func (s *stream) CopyDevice(dst, src kernels.Addr, size uint64) error {
	return s.enqueue(op{kind: opCopy, dst: dst, src: src, size: size})
}

// Memset implements kernels.Stream.
func (s *stream) Memset(dst kernels.Addr, value byte, size uint64) error {
	return s.enqueue(op{kind: opMemset, dst: dst, value: value, size: size})
}

// Launch implements kernels.Stream.
func (s *stream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	own, ok := k.(*kernel)
	if !ok || own.d != s.d {
		return fmt.Errorf("launch: kernel: %w", kernels.ErrForeign)
	}
	return s.enqueue(op{kind: opLaunch, kernel: own, grid: grid, args: args})
}

// Synchronize implements kernels.Stream.
func (s *stream) Synchronize() error {
	s.d.work.Lock()
	defer s.d.work.Unlock()
	if s.closed {
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	s.reach(s.queued)
	err := s.err
	s.err = nil
	return errors.Join(err, s.d.drop())
}

// Close implements kernels.Stream. Work that is still queued runs first, as its
// error is the last chance to learn of it.
func (s *stream) Close() error {
	s.d.work.Lock()
	defer s.d.work.Unlock()
	if s.closed {
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	s.reach(s.queued)
	s.closed = true
	s.d.mu.Lock()
	s.d.streams = slices.DeleteFunc(s.d.streams, func(t *stream) bool { return t == s })
	s.d.mu.Unlock()
	return errors.Join(s.err, s.d.drop())
}

// reach runs work until so many operations of the queue are done.
func (s *stream) reach(until uint64) {
	if !s.d.opts.interleaves() {
		s.run(until)
	} else {
		s.d.interleave(s, until)
	}
}

// run runs the queue until so many operations are done, and of other queues what
// it waits for.
func (s *stream) run(until uint64) {
	for s.done < until {
		if o := &s.ops[s.head]; o.kind == opWait {
			// Recorded before the wait was queued, so this ends.
			o.stream.run(o.until)
		}
		s.step()
	}
}

// step runs the next operation. After an error the rest is dropped, but for events,
// which others may wait for.
func (s *stream) step() {
	o := s.ops[s.head]
	s.ops[s.head] = op{} // let go of host memory
	s.head++
	s.done++
	s.d.pending--
	if s.head == len(s.ops) {
		s.ops, s.head = s.ops[:0], 0
	}
	if o.kind != opWait && s.err == nil {
		s.err = s.do(&o)
	}
}

func (s *stream) do(o *op) error {
	switch o.kind {
	case opToDevice:
		mem, err := s.d.bytes(o.dst, uint64(len(o.host)))
		copy(mem, o.host)
		return err
	case opToHost:
		mem, err := s.d.bytes(o.src, uint64(len(o.host)))
		copy(o.host, mem)
		return err
	case opCopy:
		dst, err := s.d.bytes(o.dst, o.size)
		if err != nil {
			return err
		}
		src, err := s.d.bytes(o.src, o.size)
		copy(dst, src)
		return err
	case opMemset:
		mem, err := s.d.bytes(o.dst, o.size)
		for i := range mem {
			mem[i] = o.value
		}
		return err
	case opLaunch:
		if err := o.kernel.f(Memory{s.d}, o.grid, o.args); err != nil {
			return fmt.Errorf("kernel %s: %w", o.kernel.name, err)
		}
	}
	return nil
}
