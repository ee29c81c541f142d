package blockpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// giveBack gives the regions back that are entirely free and were so at a time.
func (p *Pool) giveBack(at uint64) (released uint64, err error) {
	regions := p.space.Regions()
	for i := len(regions) - 1; i >= 0; i-- { // from behind: the list gets shorter
		e := regions[i].First()
		if !idle(e) || e.Val.freed > at {
			continue
		}
		size := e.Size
		if refused := p.dropRegion(e); refused != nil {
			err = errors.Join(err, refused)
			continue
		}
		released += size
	}
	return released, err
}

// mayWait reports whether waiting can help against an error.
func (p *Pool) mayWait(need uint64, err error) bool {
	return p.opts.Wait != nil && errors.Is(err, kernels.ErrOutOfMemory) && need <= p.limit()
}

// await waits for the device, gives back the regions that were entirely free before,
// and returns that time and how many bytes they had. The lock is free meanwhile; what is
// freed during the wait may be in use by work that it does not cover.
func (p *Pool) await() (before, given uint64, err error) {
	before = p.now
	p.stats.Waits++
	err = func() error {
		p.mu.Unlock()
		defer p.mu.Lock()
		return p.opts.Wait()
	}()
	if err != nil {
		return 0, 0, fmt.Errorf("block pool: waiting for the device: %w", err)
	}
	if p.closed {
		return 0, 0, errClosed()
	}
	if given, err = p.giveBack(before); err != nil {
		return 0, 0, fmt.Errorf("block pool: %w", err)
	}
	return before, given, nil
}

// Trim gives the regions that are entirely free back to the device, and returns how
// many bytes those were. The caller must have waited for the work that used them.
// Regions that the device did not take are not part of the pool any more.
func (p *Pool) Trim() (released uint64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, errClosed()
	}
	released, err = p.giveBack(p.now)
	if err != nil {
		return released, fmt.Errorf("block pool: trim: %w", err)
	}
	return released, nil
}

// Close gives all memory back to the device. The caller must have waited for the work
// that used it. While there are blocks it is kernels.ErrInUse, and nothing changes.
// An error of the device closes the pool all the same.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed && p.stats.Reserved == 0 {
		return errClosed()
	}
	if n := p.live.count; n > 0 {
		return fmt.Errorf("block pool: %w: %d blocks of %d bytes", kernels.ErrInUse, n, p.stats.Used)
	}
	p.closed = true
	if _, err := p.giveBack(p.now); err != nil {
		return fmt.Errorf("block pool: close: %w", err)
	}
	return nil
}

// gone reports whether the pool is closed and holds nothing.
func (p *Pool) gone() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed && p.stats.Reserved == 0
}
