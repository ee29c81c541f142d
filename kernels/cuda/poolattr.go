package cuda

import (
	"fmt"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// isSwitch reports whether an attribute is an int of the driver; others are 64 bits wide.
func isSwitch(attr kernels.PoolAttr) bool { return attr <= kernels.PoolReuseAllowInternalDependencies }

func knownAttr(attr kernels.PoolAttr) error {
	if attr < kernels.PoolReuseFollowEventDependencies || attr > kernels.PoolUsedHigh {
		return fmt.Errorf("memory pool: there is no %s", attr)
	}
	return nil
}

// settable says why an attribute cannot be set to a value.
func settable(attr kernels.PoolAttr, value uint64) error {
	why := ""
	switch {
	case attr == kernels.PoolReservedCurrent || attr == kernels.PoolUsedCurrent:
		why = "it is read-only"
	case (attr == kernels.PoolReservedHigh || attr == kernels.PoolUsedHigh) && value != 0:
		why = "it takes 0 only, to begin again"
	case isSwitch(attr) && value > 1:
		why = "it takes 0 or 1"
	default:
		return nil
	}
	return fmt.Errorf("memory pool: %s cannot be set to %d: %s", attr, value, why)
}

// SetAttr implements kernels.Pool.
func (p *pool) SetAttr(attr kernels.PoolAttr, value uint64) error {
	if err := knownAttr(attr); err != nil {
		return err
	}
	if err := settable(attr, value); err != nil {
		return err
	}
	if err := p.use(); err != nil {
		return err
	}
	defer p.done()
	at := unsafe.Pointer(&value)
	if isSwitch(attr) {
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
	if err := knownAttr(attr); err != nil {
		return 0, err
	}
	if err := p.use(); err != nil {
		return 0, err
	}
	defer p.done()
	var long uint64
	var short int32
	at := unsafe.Pointer(&long)
	if isSwitch(attr) {
		at = unsafe.Pointer(&short)
	}
	if err := p.d.call(&p.d.lib.poolGet, p.handle, uintptr(attr), uintptr(at), 0); err != nil {
		return 0, fmt.Errorf("memory pool: %s: %w", attr, err)
	}
	if isSwitch(attr) {
		return uint64(uint32(short)), nil
	}
	return long, nil
}
