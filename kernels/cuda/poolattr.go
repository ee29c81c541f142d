package cuda

import (
	"fmt"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// SetAttr implements kernels.Pool.
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
		short := int32(value)
		at = unsafe.Pointer(&short)
	}
	if err := p.d.call(&p.d.lib.poolSet, p.handle, uintptr(attr), uintptr(at), 0); err != nil {
		return fmt.Errorf("memory pool: %s of %d: %w", attr, value, err)
	}
	return nil
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
	var long uint64
	var short int32
	at := unsafe.Pointer(&long)
	if attr.Switch() {
		at = unsafe.Pointer(&short)
	}
	if err := p.d.call(&p.d.lib.poolGet, p.handle, uintptr(attr), uintptr(at), 0); err != nil {
		return 0, fmt.Errorf("memory pool: %s: %w", attr, err)
	}
	if attr.Switch() {
		return uint64(uint32(short)), nil
	}
	return long, nil
}
