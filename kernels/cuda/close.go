package cuda

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// Live counts what was made on the device and not yet given back. Allocs are those of
// pools too.
type Live struct{ Allocs, HostAllocs, Streams, Events, Graphs, Pools int }

// Live returns what is not given back yet.
func (d *Device) Live() Live {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.live()
}

func (d *Device) live() Live {
	return Live{len(d.allocs), len(d.pinned), len(d.streams), len(d.events), len(d.graphs), len(d.pools)}
}

// use begins a method that uses the driver; done ends it.
func (d *Device) use() error {
	d.life.RLock()
	if d.closed {
		d.life.RUnlock()
		return fmt.Errorf("cuda device: %w", kernels.ErrClosed)
	}
	return nil
}

func (d *Device) done() { d.life.RUnlock() }

// Close implements kernels.Device. It waits for the streams. What is still live is an
// error, and is given back all the same, pinned memory too: its bytes must not be
// touched any more. Methods of what belonged to the device return ErrClosed from then
// on.
func (d *Device) Close() error {
	d.life.Lock()
	defer d.life.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return fmt.Errorf("cuda device: %w", kernels.ErrClosed)
	}
	d.closed = true
	var err error
	if live := d.live(); live != (Live{}) {
		err = fmt.Errorf("cuda device closed too early: %+v still live", live)
	}
	// Without the context none of it can be given back one by one; the release of
	// the context does it then.
	if e := d.enter(); e != nil {
		err = errors.Join(err, e)
	} else {
		err = errors.Join(err, d.destroy())
		d.leave()
	}
	l := d.lib
	return errors.Join(err, l.call(&l.primaryCtxRelease, uintptr(d.device), 0, 0, 0))
}

// destroy gives back everything, each thing once: of a call that fails nobody knows
// whether it has done its work, as many report the errors of earlier work.
func (d *Device) destroy() error {
	l := d.lib
	var errs []error
	call := func(f *function, a uintptr) { errs = append(errs, l.call(f, a, 0, 0, 0)) }
	for _, s := range d.streams {
		if c := s.capturing(); c != nil && c.origin == s {
			errs = append(errs, s.dropCapture(c))
		}
	}
	for _, s := range d.streams {
		call(&l.streamSynchronize, s.handle)
		call(&l.streamDestroy, s.handle)
		s.forget()
	}
	for _, g := range d.graphs {
		call(&l.graphExecEnd, g.exec)
	}
	for _, e := range d.events {
		call(&l.eventDestroy, e.handle)
	}
	for _, addr := range d.freed {
		call(&l.memFreeHost, addr)
	}
	for _, r := range d.pinned {
		call(&l.memFreeHost, uintptr(r.from))
	}
	for _, r := range d.allocs {
		call(&l.memFree, uintptr(r.from)) // of pools too: the streams are done with it
	}
	for _, p := range d.pools {
		call(&l.poolDestroy, p.handle)
	}
	for _, m := range d.modules {
		call(&l.moduleUnload, m)
	}
	d.streams, d.graphs, d.events, d.freed, d.pinned, d.allocs, d.pools, d.modules = nil, nil, nil, nil, nil, nil, nil, nil
	return errors.Join(errs...)
}
