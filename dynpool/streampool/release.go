package streampool

import (
	"cmp"
	"errors"
	"slices"
)

// synchronized is called when the host has waited for work: of each pool, what is free
// beyond the release threshold goes back to the device.
func (r *Runtime) synchronized() error {
	var errs []error
	for _, p := range r.pools {
		if err := p.synchronized(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (p *Pool) synchronized() error {
	if p.native != nil {
		return nil // the driver sees to it
	}
	p.free.finish(p.r.done)
	_, err := p.giveBack(p.threshold, 0)
	return err
}

// TrimTo gives memory back to the device, and keeps at least minBytes if it holds so
// many. The release threshold does not matter to it, in neither direction, until the
// next synchronization. Regions go back as a whole, and only such of which nothing is
// in use and all work has finished: TrimTo does not wait.
func (p *Pool) TrimTo(minBytes uint64) error {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if err := p.open(); err != nil {
		return err
	}
	if p.native != nil {
		return p.native.TrimTo(minBytes)
	}
	p.pollAll()
	_, err := p.giveBack(0, minBytes)
	return err
}

// wholeRegions returns the regions of which nothing is used, the largest first.
func (p *Pool) wholeRegions() []*piece {
	n := p.free.ready.Whole()
	if n == 0 {
		return nil
	}
	all := make([]*piece, 0, n)
	for _, r := range p.free.space.Regions() {
		if e := r.First(); e.Whole() && e.Val.status == ready {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b *piece) int { return cmp.Compare(b.Size, a.Size) })
	return all
}

// giveBack gives back regions of which nothing is used, while at least keepFree bytes
// stay free and keep reserved. It returns how many bytes it gave.
func (p *Pool) giveBack(keepFree, keep uint64) (uint64, error) {
	var bytes uint64
	if p.stats.Reserved <= keep || p.stats.Reserved-p.stats.Used <= keepFree {
		return 0, nil
	}
	for _, e := range p.wholeRegions() {
		size := e.Size
		if size > p.stats.Reserved-keep || size > p.stats.Reserved-p.stats.Used-keepFree {
			continue
		}
		if err := p.giveRegion(e); err != nil {
			return bytes, err
		}
		bytes += size
		if p.stats.Reserved == keep || p.stats.Reserved-p.stats.Used == keepFree {
			break
		}
	}
	return bytes, nil
}

// giveRegion gives one region back. If the device refuses, nobody has it any more.
func (p *Pool) giveRegion(e *piece) error {
	addr := e.Addr
	p.free.take(e)
	p.stats.shrunk(e.Size)
	p.free.space.Remove(e)
	return p.r.dev.Free(addr)
}
