package blockpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// obtain finds need bytes, in a further region if it must. If bytes were just given
// back, that comes first: a region which stands for them. After an error the pool is as
// before; an *OutOfMemoryError does not say yet how many bytes were asked for.
func (p *Pool) obtain(need, given uint64) (*piece, error) {
	if given == 0 {
		if e := p.take(need); e != nil {
			return e, nil
		}
	}
	e, err := p.expand(need, given)
	switch {
	case err == nil:
		p.stats.Expanded++
		return p.cut(e, need), nil
	case given > 0 && errors.Is(err, kernels.ErrOutOfMemory):
		if e := p.take(need); e != nil { // others freed it during the wait
			return e, nil
		}
	}
	return nil, err
}

// expand adds a region for need bytes, which is in no index yet: as large as what was
// given back, or, if that is too little, as the options say; less if the limit or the
// device allows no more.
func (p *Pool) expand(need, given uint64) (*piece, error) {
	room := p.room()
	if need > room {
		return nil, p.outOfMemory(need, nil)
	}
	size := given
	if need > given {
		size = max(need, p.opts.Expand)
	}
	size = min(size, room)
	e, err := p.addRegion(size)
	if size > need && errors.Is(err, kernels.ErrOutOfMemory) {
		e, err = p.addRegion(need)
	}
	switch {
	case errors.Is(err, kernels.ErrOutOfMemory):
		return nil, p.outOfMemory(need, err)
	case err != nil:
		return nil, fmt.Errorf("block pool: %w", err)
	}
	if e.Size > given {
		p.grew = true
	}
	return e, nil
}

func (p *Pool) limit() uint64 {
	if p.opts.Limit == 0 {
		return ^uint64(0)
	}
	return p.opts.Limit
}

// room returns how many bytes the limit leaves.
func (p *Pool) room() uint64 { return p.limit() - p.stats.Reserved }

// addRegion allocates a region, which is in no index yet.
func (p *Pool) addRegion(size uint64) (*piece, error) {
	p.stats.DriverAllocs++
	addr, err := p.dev.Alloc(size)
	if err != nil {
		return nil, fmt.Errorf("a region of %d bytes: %w", size, err)
	}
	if addr%Align != 0 {
		p.stats.DriverFrees++
		err := fmt.Errorf("%w: a region at %#x, which is no multiple of %d", kernels.ErrNotSupported, uint64(addr), Align)
		return nil, errors.Join(err, p.dev.Free(addr))
	}
	p.stats.Reserved += size // at most the limit
	p.stats.ReservedHigh = max(p.stats.ReservedHigh, p.stats.Reserved)
	return p.space.Add(addr, size), nil
}

// dropRegion gives a region back to the device: a free piece that is all of it. Also
// after an error it is not the pool's any more, as kernels.Device has it.
func (p *Pool) dropRegion(e *piece) error {
	p.stats.DriverFrees++
	addr, size := e.Addr, e.Size
	p.remove(e)
	p.stats.Reserved -= size
	p.space.Remove(e)
	if err := p.dev.Free(addr); err != nil {
		return fmt.Errorf("region of %d bytes at %#x: %w", size, uint64(addr), err)
	}
	return nil
}
