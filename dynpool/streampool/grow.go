package streampool

import (
	"errors"

	"github.com/seqplan/seqplan/kernels"
)

// keeps reports whether the release threshold lets the pool keep all that it holds.
func (p *Pool) keeps() bool { return p.threshold >= p.stats.Reserved }

// grow finds wanted bytes in a further region of the device. It is nil if the pool may
// not grow so far or the device has no memory. A pool that keeps its memory gives
// regions back of which nothing is used, and takes one that is as large as all of them:
// no allocation spans two.
func (p *Pool) grow(wanted uint64) (*piece, error) {
	if !p.keeps() {
		return p.enlarge(wanted, nil)
	}
	return p.enlarge(wanted, p.wholeRegions())
}

// enlarge is exchange for an allocation.
func (p *Pool) enlarge(wanted uint64, whole []*piece) (*piece, error) {
	e, err := p.exchange(wanted, whole)
	if e == nil || err != nil {
		return nil, err
	}
	p.grew = true
	return p.cut(e, wanted), nil
}

// unite makes one region of all, if the pool keeps them, has grown since it last did
// this, and nothing is used.
func (p *Pool) unite(wanted uint64) error {
	if !p.grew || p.stats.Used > 0 || !p.keeps() {
		return nil
	}
	p.free.finish(p.r.done)
	n := len(p.free.space.Regions())
	whole := p.wholeRegions()
	if len(whole) < n {
		return nil // work may still use some
	}
	p.grew = false
	if n < 2 {
		return nil
	}
	_, err := p.exchange(wanted, whole)
	return err
}

// exchange gives regions back of which nothing is used, and takes one of wanted bytes
// or of as many as they had, which is free. It is nil if the pool may not grow so far
// or the device has no memory.
func (p *Pool) exchange(wanted uint64, whole []*piece) (*piece, error) {
	var sum uint64
	for _, e := range whole {
		sum += e.Size
	}
	room := p.max - (p.stats.Reserved - sum) // never more than max is reserved
	if wanted > room {
		return nil, nil
	}
	for _, e := range whole {
		if err := p.giveRegion(e); err != nil {
			return nil, err
		}
	}
	size := max(wanted, sum, min(p.r.opts.Region, room))
	addr, err := p.r.dev.Alloc(size)
	if errors.Is(err, kernels.ErrOutOfMemory) && size > wanted {
		size = wanted
		addr, err = p.r.dev.Alloc(size)
	}
	if errors.Is(err, kernels.ErrOutOfMemory) {
		p.refused = err
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.stats.grown(size)
	e := p.free.space.Add(addr, size)
	e.Val = state{status: ready}
	return p.free.put(e), nil
}
