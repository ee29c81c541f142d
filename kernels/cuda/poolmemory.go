package cuda

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// stream returns a stream of the device of the pool.
func (p *pool) stream(on kernels.Stream) (*Stream, error) {
	s, ok := on.(*Stream)
	if !ok || s.d != p.d {
		return nil, fmt.Errorf("memory pool: stream: %w", kernels.ErrForeign)
	}
	return s, nil
}

// serves says whether the pool can work in a stream; Device.mu is held.
func (p *pool) serves(s *Stream) error {
	switch {
	case p.closed:
		return p.gone()
	case s.closed:
		return fmt.Errorf("memory pool: stream: %w", kernels.ErrClosed)
	case s.capturing() != nil:
		return errors.New("memory pool: the stream is being captured, and a graph takes no memory of pools")
	}
	return nil
}

// MallocAsync implements kernels.Pool. A stream that is being captured is refused.
func (p *pool) MallocAsync(size uint64, on kernels.Stream) (kernels.Addr, error) {
	s, err := p.stream(on)
	if err != nil {
		return 0, err
	}
	if size == 0 {
		return 0, kernels.ErrZeroSize
	}
	d := p.d
	if err := d.use(); err != nil {
		return 0, err
	}
	defer d.done()
	if err := p.malloc(size, s); err != nil {
		return 0, err
	}
	addr := kernels.Addr(s.addr)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.allocs.add(span{addr, size, p})
	return addr, nil
}

// malloc leaves the address in the stream. The driver may have to enlarge the pool,
// which takes its time, so other streams are not kept waiting.
func (p *pool) malloc(size uint64, s *Stream) error {
	d := p.d
	d.mu.RLock()
	defer d.mu.RUnlock()
	if err := p.serves(s); err != nil {
		return err
	}
	// A driver may take a size near 2^64 for an invalid value.
	if size > d.props.Memory {
		return fmt.Errorf("memory pool: %w: %d bytes asked for, the device has %d", kernels.ErrOutOfMemory, size, d.props.Memory)
	}
	if err := s.enqueue(&d.lib.poolAlloc, uintptr(unsafe.Pointer(&s.addr)), uintptr(size), p.handle, s.handle); err != nil {
		return fmt.Errorf("memory pool: %d bytes asked for: %w", size, err)
	}
	p.count(1, size)
	return nil
}

// FreeAsync implements kernels.Pool. A stream that is being captured is refused. After
// an error the memory is as live as before.
func (p *pool) FreeAsync(addr kernels.Addr, on kernels.Stream) error {
	s, err := p.stream(on)
	if err != nil {
		return err
	}
	d := p.d
	if err := d.use(); err != nil {
		return err
	}
	defer d.done()
	// The driver may give the address out again at once, so nobody else comes between
	// its call and ours to forget it.
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := p.serves(s); err != nil {
		return err
	}
	i, ok := d.allocs.find(addr, p)
	if !ok {
		return fmt.Errorf("memory pool: free %#x: %w", uint64(addr), kernels.ErrBadAddress)
	}
	if err := s.enqueue(&d.lib.poolFree, uintptr(addr), s.handle, 0, 0); err != nil {
		return fmt.Errorf("memory pool: free %#x: %w", uint64(addr), err)
	}
	p.count(-1, -d.allocs[i].size)
	d.allocs.delete(i)
	return nil
}
