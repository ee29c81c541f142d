package blockpool

// No block spans two regions, so that one region serves more than several of the same
// sum. A pool that can wait therefore gives entirely free regions back, and takes one
// that stands for all of them.

// apart reports whether there are no blocks, and several regions since the pool has
// grown. Where they could not be united, it is not tried again before it grows further.
func (p *Pool) apart() bool {
	return p.grew && p.live.count == 0 && len(p.space.Regions()) > 1
}

// canUnite reports whether there are regions to give back, and waiting is worth it.
func (p *Pool) canUnite(need uint64) bool {
	return p.opts.Wait != nil && need <= p.limit() && p.rest.Whole() > 0
}

// grow finds need bytes that the pool does not have in one piece. It waits at most once.
func (p *Pool) grow(need uint64) (*piece, error) {
	if !p.canUnite(need) {
		e, err := p.obtain(need, 0)
		if !p.mayWait(need, err) {
			return e, err
		}
	}
	_, given, err := p.await()
	if err != nil {
		return nil, err
	}
	return p.obtain(need, given)
}
