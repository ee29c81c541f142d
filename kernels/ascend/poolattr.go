package ascend

import (
	"fmt"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// otherOff is what earlier documents call off; later ones, and kernels.Pool, call it 0.
const otherOff = 2

// SetAttr implements kernels.Pool. A driver that does not switch off what it is told to
// is kernels.ErrNotSupported.
func (p *pool) SetAttr(attr kernels.PoolAttr, value uint64) error {
	if err := attr.CheckSet(value); err != nil {
		return fmt.Errorf("memory pool: %w", err)
	}
	if err := p.use(); err != nil {
		return err
	}
	defer p.done()
	at := unsafe.Pointer(&value)
	if attr.Switch() {
		short := uint32(value)
		at = unsafe.Pointer(&short)
	}
	l := p.d.lib
	if err := l.check(&l.poolSet, l.poolSet.Status(p.handle, uintptr(attr), uintptr(at))); err != nil {
		return fmt.Errorf("memory pool: %s of %d: %w", attr, value, err)
	}
	if !attr.Switch() || value != 0 {
		return nil
	}
	got, err := p.get(attr)
	if err == nil && got != 0 {
		err = fmt.Errorf("memory pool: %s: %w: it reads %d after 0 was written", attr, kernels.ErrNotSupported, got)
	}
	return err
}

// GetAttr implements kernels.Pool.
func (p *pool) GetAttr(attr kernels.PoolAttr) (uint64, error) {
	if err := attr.Check(); err != nil {
		return 0, fmt.Errorf("memory pool: %w", err)
	}
	if err := p.use(); err != nil {
		return 0, err
	}
	defer p.done()
	return p.get(attr)
}

// get is GetAttr of an attribute that there is, after use.
func (p *pool) get(attr kernels.PoolAttr) (uint64, error) {
	var long uint64
	var short uint32
	at := unsafe.Pointer(&long)
	if attr.Switch() {
		at = unsafe.Pointer(&short)
	}
	l := p.d.lib
	if err := l.check(&l.poolGet, l.poolGet.Status(p.handle, uintptr(attr), uintptr(at))); err != nil {
		return 0, fmt.Errorf("memory pool: %s: %w", attr, err)
	}
	switch {
	case !attr.Switch():
		return long, nil
	case short == otherOff:
		return 0, nil
	}
	return uint64(short), nil
}
