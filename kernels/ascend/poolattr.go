package ascend

import (
	"fmt"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// isSwitch reports whether an attribute is 32 bits wide; others have 64.
func isSwitch(attr kernels.PoolAttr) bool { return attr <= kernels.PoolReuseAllowInternalDependencies }

// otherOff is what earlier documents call off; later ones, and kernels.Pool, call it 0.
const otherOff = 2

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

// SetAttr implements kernels.Pool. A driver that does not switch off what it is told to
// is kernels.ErrNotSupported.
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
		short := uint32(value)
		at = unsafe.Pointer(&short)
	}
	l := p.d.lib
	if err := l.check(&l.poolSet, l.poolSet.Status(p.handle, uintptr(attr), uintptr(at))); err != nil {
		return fmt.Errorf("memory pool: %s of %d: %w", attr, value, err)
	}
	if !isSwitch(attr) || value != 0 {
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
	if err := knownAttr(attr); err != nil {
		return 0, err
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
	if isSwitch(attr) {
		at = unsafe.Pointer(&short)
	}
	l := p.d.lib
	if err := l.check(&l.poolGet, l.poolGet.Status(p.handle, uintptr(attr), uintptr(at))); err != nil {
		return 0, fmt.Errorf("memory pool: %s: %w", attr, err)
	}
	switch {
	case !isSwitch(attr):
		return long, nil
	case short == otherOff:
		return 0, nil
	}
	return uint64(short), nil
}
