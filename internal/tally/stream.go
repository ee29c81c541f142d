package tally

import "github.com/seqplan/seqplan/kernels"

// stream counts. It belongs to one goroutine at a time, and so does its tally.
type stream struct {
	kernels.Stream
	tally Tally
}

// NewStream implements kernels.Device.
func (d *Device) NewStream() (kernels.Stream, error) {
	raw, err := d.Device.NewStream()
	if err != nil {
		return nil, err
	}
	s := &stream{Stream: raw}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.streams = append(d.streams, s)
	return s, nil
}

// under returns the stream of the device behind a stream that counts.
func under(s kernels.Stream) kernels.Stream {
	if own, ok := s.(*stream); ok {
		return own.Stream
	}
	return s // which the device refuses, if it is not its own
}

// CopyToDevice implements kernels.Stream.
func (s *stream) CopyToDevice(dst kernels.Addr, src []byte) error {
	s.tally.CopiesToDevice++
	s.tally.BytesToDevice += uint64(len(src))
	return s.Stream.CopyToDevice(dst, src)
}

// CopyToHost implements kernels.Stream.
func (s *stream) CopyToHost(dst []byte, src kernels.Addr) error {
	s.tally.CopiesToHost++
	s.tally.BytesToHost += uint64(len(dst))
	return s.Stream.CopyToHost(dst, src)
}

// Launch implements kernels.Stream.
func (s *stream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	s.tally.Launches++
	return s.Stream.Launch(k, grid, args)
}

// Synchronize implements kernels.Stream.
func (s *stream) Synchronize() error {
	s.tally.Waits++
	return s.Stream.Synchronize()
}

// Record implements kernels.Stream.
func (s *stream) Record(e kernels.Event) error { return s.Stream.Record(underEvent(e)) }

// Wait implements kernels.Stream. The device waits, not the host.
func (s *stream) Wait(e kernels.Event) error { return s.Stream.Wait(underEvent(e)) }

// event counts how often the host waits for it, which is a wait as any other.
type event struct {
	kernels.Event
	d *Device
}

// NewEvent implements kernels.Device.
func (d *Device) NewEvent() (kernels.Event, error) {
	raw, err := d.Device.NewEvent()
	if err != nil {
		return nil, err
	}
	return &event{raw, d}, nil
}

func underEvent(e kernels.Event) kernels.Event {
	if own, ok := e.(*event); ok {
		return own.Event
	}
	return e
}

// Synchronize implements kernels.Event.
func (e *event) Synchronize() error {
	e.d.mu.Lock()
	e.d.events.Waits++
	e.d.mu.Unlock()
	return e.Event.Synchronize()
}
