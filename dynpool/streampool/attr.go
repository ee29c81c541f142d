package streampool

import (
	"github.com/seqplan/seqplan/kernels"
)

// SetAttr sets an attribute. The reuse attributes take 0 or 1, the threshold any
// number of bytes; of the others only the two high-water marks can be set, to 0,
// which makes them begin again from what is current. All else is a
// kernels.ErrPoolAttr.
func (p *Pool) SetAttr(attr kernels.PoolAttr, value uint64) error {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if err := p.open(); err != nil {
		return err
	}
	if p.native != nil {
		return p.native.SetAttr(attr, value)
	}
	if err := attr.CheckSet(value); err != nil {
		return failure("%w", err)
	}
	switch attr {
	case kernels.PoolReuseFollowEventDependencies:
		p.follow = value == 1
	case kernels.PoolReuseAllowOpportunistic:
		p.guess = value == 1
	case kernels.PoolReuseAllowInternalDependencies:
		p.depend = value == 1
	case kernels.PoolReleaseThreshold:
		p.threshold = value
	case kernels.PoolReservedHigh:
		p.stats.ReservedHigh = p.stats.Reserved
	case kernels.PoolUsedHigh:
		p.stats.UsedHigh = p.stats.Used
	}
	return nil
}

// GetAttr returns an attribute: 0 or 1 for the reuse attributes, bytes for the others.
func (p *Pool) GetAttr(attr kernels.PoolAttr) (uint64, error) {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if err := p.open(); err != nil {
		return 0, err
	}
	if p.native != nil {
		return p.native.GetAttr(attr)
	}
	switch attr {
	case kernels.PoolReuseFollowEventDependencies:
		return number(p.follow), nil
	case kernels.PoolReuseAllowOpportunistic:
		return number(p.guess), nil
	case kernels.PoolReuseAllowInternalDependencies:
		return number(p.depend), nil
	case kernels.PoolReleaseThreshold:
		return p.threshold, nil
	case kernels.PoolReservedCurrent:
		return p.stats.Reserved, nil
	case kernels.PoolReservedHigh:
		return p.stats.ReservedHigh, nil
	case kernels.PoolUsedCurrent:
		return p.stats.Used, nil
	case kernels.PoolUsedHigh:
		return p.stats.UsedHigh, nil
	}
	return 0, failure("%w", attr.Check())
}

func number(on bool) uint64 {
	if on {
		return 1
	}
	return 0
}
