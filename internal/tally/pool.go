package tally

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// pool is a pool of the driver whose allocations count. It takes streams of the
// Device.
type pool struct {
	kernels.Pool
	d *Device
}

// NewPool implements kernels.PoolDevice.
func (d *Device) NewPool(props kernels.PoolProps) (kernels.Pool, error) {
	dev, ok := d.Device.(kernels.PoolDevice)
	if !ok {
		return nil, fmt.Errorf("%w: the back end %s has no pools of a driver", kernels.ErrNotSupported, d.Info().Backend)
	}
	p, err := dev.NewPool(props)
	if err != nil {
		return nil, err
	}
	return &pool{p, d}, nil
}

// MallocAsync implements kernels.Pool.
func (p *pool) MallocAsync(size uint64, s kernels.Stream) (kernels.Addr, error) {
	addr, err := p.Pool.MallocAsync(size, under(s))
	p.d.allocated(err)
	return addr, err
}

// FreeAsync implements kernels.Pool.
func (p *pool) FreeAsync(addr kernels.Addr, s kernels.Stream) error {
	return p.Pool.FreeAsync(addr, under(s))
}
