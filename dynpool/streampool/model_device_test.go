package streampool_test

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// modelDevice is the device below the Runtime. It keeps account of what pools hold of
// it, and makes of all work that a program queues the kernel modelUse.
type modelDevice struct {
	*host.Device
	m       *model
	kernel  kernels.Kernel
	regions []*modelRegion
}

// modelRegion is what a pool has taken of the device at once.
type modelRegion struct {
	pool *modelPool
	addr kernels.Addr
	size uint64
}

func (r *modelRegion) holds(a *modelAlloc) bool { return a.addr-r.addr < kernels.Addr(r.size) }

// Alloc implements kernels.Device.
func (d *modelDevice) Alloc(size uint64) (kernels.Addr, error) {
	addr, err := d.Device.Alloc(size)
	if err == nil {
		p := d.m.calling
		d.regions = append(d.regions, &modelRegion{p, addr, size})
		p.reserved += size
		p.reservedHigh = max(p.reservedHigh, p.reserved)
	}
	return addr, err
}

// Free implements kernels.Device.
func (d *modelDevice) Free(addr kernels.Addr) error {
	i := slices.IndexFunc(d.regions, func(r *modelRegion) bool { return r.addr == addr })
	if i < 0 {
		d.m.breaks("%#x is given back, which is no region", uint64(addr))
		return nil
	}
	r := d.regions[i]
	for _, a := range d.m.allocs {
		switch {
		case !r.holds(a):
		case a.live():
			d.m.breaks("the region of %s is given back", a)
		case !a.finished():
			d.m.breaks("the region of %s is given back, which work still uses", a)
		}
	}
	r.pool.reserved -= r.size
	d.regions = slices.Delete(d.regions, i, i+1)
	return d.Device.Free(addr)
}

// NewStream implements kernels.Device.
func (d *modelDevice) NewStream() (kernels.Stream, error) {
	s, err := d.Device.NewStream()
	return &modelRaw{s, d}, err
}

// NewEvent implements kernels.Device.
func (d *modelDevice) NewEvent() (kernels.Event, error) {
	e, err := d.Device.NewEvent()
	return &modelMark{e, d.m}, err
}

// modelMark is an event of the device. Between a question and what is done with the
// answer the model may do something else, as another goroutine could.
type modelMark struct {
	kernels.Event
	m *model
}

// Query implements kernels.Event.
func (e *modelMark) Query() (bool, error) {
	done, err := e.Event.Query()
	if f := e.m.meanwhile; f != nil {
		e.m.meanwhile = nil
		f()
	}
	return done, err
}

// modelRaw is a stream of the device. Whichever of its methods queues work, the work
// is the current use of the model.
type modelRaw struct {
	kernels.Stream
	d *modelDevice
}

// Record implements kernels.Stream.
func (s *modelRaw) Record(e kernels.Event) error { return s.Stream.Record(e.(*modelMark).Event) }

// Wait implements kernels.Stream.
func (s *modelRaw) Wait(e kernels.Event) error { return s.Stream.Wait(e.(*modelMark).Event) }

func (s *modelRaw) use() error {
	return s.Stream.Launch(s.d.kernel, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{uint64(len(s.d.m.uses) - 1)})
}

func (s *modelRaw) CopyToDevice(kernels.Addr, []byte) error                 { return s.use() }
func (s *modelRaw) CopyToHost([]byte, kernels.Addr) error                   { return s.use() }
func (s *modelRaw) CopyDevice(kernels.Addr, kernels.Addr, uint64) error     { return s.use() }
func (s *modelRaw) Memset(kernels.Addr, byte, uint64) error                 { return s.use() }
func (s *modelRaw) Launch(kernels.Kernel, kernels.Grid, kernels.Args) error { return s.use() }

// modelUse is work on an allocation.
type modelUse struct {
	of    *modelAlloc
	op    int
	write bool
	seed  uint64 // of the pattern that is written, or that must be there
	ran   bool
}

// modelUse is the kernel that does it. Work of earlier allocations that had some of the
// bytes must have run.
func (m *model) modelUse(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
	u := m.uses[args[0]]
	u.ran = true
	for _, a := range u.of.before {
		if !a.finished() {
			m.breaks("operation %d uses %s before work on %s has run, which had the memory before", u.op, u.of, a)
		}
	}
	got, err := mem.Bytes(u.of.addr, u.of.size)
	if err != nil {
		m.breaks("operation %d on %s: %v", u.op, u.of, err)
		return nil
	}
	if u.write {
		kernels.FillPattern(got, 0, u.seed)
		return nil
	}
	want := make([]byte, u.of.size)
	kernels.FillPattern(want, 0, u.seed)
	if !bytes.Equal(got, want) {
		m.breaks("operation %d finds something else in %s than was written", u.op, u.of)
	}
	return nil
}

// breaks notes that something is wrong, from where the test cannot be ended.
func (m *model) breaks(format string, args ...any) {
	if m.broken == nil {
		m.broken = fmt.Errorf(format, args...)
	}
}
