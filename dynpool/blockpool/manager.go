package blockpool

import (
	"context"
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// ManagerOptions say how the pools of a Manager are made, and how it knows which one a
// caller means.
type ManagerOptions struct {
	Pool Options // of each pool

	// Wait, if set, is Options.Wait of each pool, for its device, in place of Pool.Wait.
	Wait func(device int) error

	// CurrentDevice returns the device that the driver has as the current one of the
	// calling thread, as an index of the devices of the manager. A goroutine that
	// relies on that has locked its thread. It is asked where a context names no device.
	CurrentDevice func() (int, error)
}

// Manager has one pool for each device. Its methods are safe for concurrent use.
type Manager struct {
	pools   []*Pool
	current func() (int, error)
}

// NewManager makes a pool on each device. If one cannot be made, none is. Without any
// device it is ErrNoDevice.
func NewManager(devs []kernels.Device, opts ManagerOptions) (*Manager, error) {
	if len(devs) == 0 {
		return nil, fmt.Errorf("block pools: %w: there is none", ErrNoDevice)
	}
	m := &Manager{current: opts.CurrentDevice}
	for i, dev := range devs {
		o := opts.Pool
		if opts.Wait != nil {
			o.Wait = func() error { return opts.Wait(i) }
		}
		p, err := New(dev, o)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("device %d: %w", i, err), m.Close())
		}
		m.pools = append(m.pools, p)
	}
	return m, nil
}

// Devices returns the number of devices.
func (m *Manager) Devices() int { return len(m.pools) }

// Pool returns the pool of a device; one that the manager does not have is
// ErrNoDevice.
func (m *Manager) Pool(device int) (*Pool, error) {
	if device < 0 || device >= len(m.pools) {
		return nil, fmt.Errorf("device %d of %d: %w", device, len(m.pools), ErrNoDevice)
	}
	return m.pools[device], nil
}

type deviceKey struct{}

// WithDevice returns a context that names the device of its user.
func WithDevice(ctx context.Context, device int) context.Context {
	return context.WithValue(ctx, deviceKey{}, device)
}

// PoolFor returns the pool of the caller's device: the one that the context names,
// else the current one of the driver, else the only one. Otherwise it is ErrNoDevice.
func (m *Manager) PoolFor(ctx context.Context) (*Pool, error) {
	if device, ok := ctx.Value(deviceKey{}).(int); ok {
		return m.Pool(device)
	}
	if m.current != nil {
		device, err := m.current()
		if err != nil {
			return nil, fmt.Errorf("current device: %w", err)
		}
		return m.Pool(device)
	}
	if len(m.pools) == 1 {
		return m.pools[0], nil
	}
	return nil, fmt.Errorf("%w: the context names none of %d", ErrNoDevice, len(m.pools))
}

// AllocateBlock is Pool.AllocateBlock on the caller's device, as PoolFor finds it.
func (m *Manager) AllocateBlock(ctx context.Context, size uint64) (ID, error) {
	p, err := m.PoolFor(ctx)
	if err != nil {
		return 0, err
	}
	return p.AllocateBlock(size)
}

// FreeBlock is Pool.FreeBlock on the caller's device. A block of another device is
// kernels.ErrForeign.
func (m *Manager) FreeBlock(ctx context.Context, id ID) error {
	p, err := m.PoolFor(ctx)
	if err != nil {
		return err
	}
	return p.FreeBlock(id)
}

// BlockPtr is Pool.BlockPtr on the caller's device. A block of another device is
// kernels.ErrForeign.
func (m *Manager) BlockPtr(ctx context.Context, id ID) (kernels.Addr, error) {
	p, err := m.PoolFor(ctx)
	if err != nil {
		return 0, err
	}
	return p.BlockPtr(id)
}

// Close closes the pools that are open, each on its own: one that is in use does not keep
// the others open. After an error it may be called again, for those that are left.
func (m *Manager) Close() error {
	var errs []error
	for i, p := range m.pools {
		if p.gone() {
			continue
		}
		if err := p.Close(); err != nil {
			errs = append(errs, fmt.Errorf("device %d: %w", i, err))
		}
	}
	return errors.Join(errs...)
}
