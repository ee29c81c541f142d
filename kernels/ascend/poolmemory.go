package ascend

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// mallocAsync is the call whose limit is one of memory; see Error.Is.
const mallocAsync = "aclrtMemPoolMallocAsync"

// lock locks a stream of the device of the pool.
func (p *pool) lock(on kernels.Stream) (*stream, error) {
	s, ok := on.(*stream)
	if !ok || s.d != p.d {
		return nil, fmt.Errorf("memory pool: stream: %w", kernels.ErrForeign)
	}
	if err := s.lock(); err != nil {
		return nil, fmt.Errorf("memory pool: %w", err)
	}
	return s, nil
}

// count counts memory that is going to be live, unless the pool is closed.
func (p *pool) count(size uint64) error {
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	if p.closed {
		return p.gone()
	}
	p.allocs++
	p.bytes += size
	return nil
}

// uncount is for memory that is no longer live. Device.mu is held.
func (p *pool) uncount(size uint64) {
	p.allocs--
	p.bytes -= size
}

// MallocAsync implements kernels.Pool. The size is rounded up to whole lines. The driver
// may have to enlarge the pool, which takes its time; other streams do not wait for it.
func (p *pool) MallocAsync(size uint64, on kernels.Stream) (kernels.Addr, error) {
	if size == 0 {
		return 0, kernels.ErrZeroSize
	}
	s, err := p.lock(on)
	if err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	d, l := p.d, p.d.lib
	whole, err := d.lines(size)
	if err != nil {
		return 0, fmt.Errorf("memory pool: %w", err)
	}
	if err := p.count(size); err != nil {
		return 0, err
	}
	err = s.enqueue(&l.poolMalloc, func() int32 {
		return l.poolMalloc.Status4(uintptr(unsafe.Pointer(&s.addr)), whole, p.handle, s.handle)
	})
	addr := kernels.Addr(s.addr)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		p.uncount(size)
		return 0, fmt.Errorf("memory pool: %d bytes: %w", size, err)
	}
	d.insert(allocation{addr, size, p})
	return addr, nil
}

// FreeAsync implements kernels.Pool. After an error the memory is as live as before.
func (p *pool) FreeAsync(addr kernels.Addr, on kernels.Stream) error {
	s, err := p.lock(on)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	d, l := p.d, p.d.lib
	a, err := p.take(addr)
	if err != nil {
		return err
	}
	err = s.enqueue(&l.poolFree, func() int32 { return l.poolFree.Status4(uintptr(addr), s.handle, 0, 0) })
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.insert(a)
		return fmt.Errorf("memory pool: free %#x: %w", uint64(addr), err)
	}
	p.uncount(a.size)
	return nil
}

// take takes memory out of the table before the driver is told to free it: it may give
// the address out again at once. The pool still counts it.
func (p *pool) take(addr kernels.Addr) (allocation, error) {
	d := p.d
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.closed {
		return allocation{}, p.gone()
	}
	i, ok := d.owned(addr, p)
	if !ok {
		return allocation{}, fmt.Errorf("memory pool: free %#x: %w", uint64(addr), kernels.ErrBadAddress)
	}
	a := d.allocs[i]
	d.allocs = slices.Delete(d.allocs, i, i+1)
	return a, nil
}

// releasePools destroys the pools of a device that is being closed, whose streams have
// ended. What is live in them is freed first, through a stream of its own, since no
// document says what becomes of it otherwise; a pool whose memory the driver does not
// take is left to the context. Device.mu is held and the context current.
func (d *Device) releasePools() []error {
	var errs []error
	l := d.lib
	live := slices.DeleteFunc(slices.Clone(d.allocs), func(a allocation) bool { return a.pool == nil })
	if len(live) > 0 {
		var s uintptr
		err := l.check(&l.createStream, l.createStream.Status(uintptr(unsafe.Pointer(&s))))
		errs = append(errs, err)
		if err == nil {
			for _, a := range live {
				err := l.check(&l.poolFree, l.poolFree.Status4(uintptr(a.addr), s, 0, 0))
				errs = append(errs, err)
				if err == nil {
					a.pool.uncount(a.size)
				}
			}
			errs = append(errs, l.check(&l.synchronizeStream, l.synchronizeStream.Status4(s, 0, 0, 0)),
				l.check(&l.destroyStream, l.destroyStream.Status(s)))
		}
	}
	for _, p := range d.pools {
		if p.allocs == 0 {
			errs = append(errs, p.destroy())
		}
		p.closed = true
	}
	return errs
}
