package skyline

import "github.com/seqplan/seqplan/internal/splitmix"

// ahead is how a pass looks ahead: wherever the best choices of the next horizon
// rectangles lose room, it tries samples of other choices for the first commit of
// them, and commits to the best.
type ahead struct {
	samples, commit, horizon int

	blink uint64 // of 256 choices these are passed over in a sample
	soft  uint64 // room counts as lost from below the target by this part of 1024
}

// drawnAhead is one of the ways that do well.
func drawnAhead(r *rng) ahead {
	return ahead{
		samples: [...]int{8, 12, 20}[r.below(3)],
		commit:  16,
		horizon: [...]int{40, 60}[r.below(2)],
		blink:   [...]uint64{20, 60, 100}[r.below(3)],
		soft:    [...]uint64{5, 10, 10, 20}[r.below(4)],
	}
}

// look is run with looking ahead.
func (p *pass) look(o ahead, seed, limit uint64, stop func() bool) bool {
	p.trail = &trail{}
	p.ceiling -= p.ceiling >> 10 * o.soft
	at := place{}
	for round := uint64(0); !at.finished; round++ {
		if p.spent() > limit || stop() {
			return false
		}
		key := splitmix.Hash(seed, round)
		p.trail.changes = p.trail.changes[:0]
		end, sure := p.sample(at, o, nil)
		if end.excess == at.excess {
			// Nothing is lost: go on from three quarters of the way.
			if at = end; !end.finished {
				p.undo(sure.changes)
				at = sure
			}
			p.excess = at.excess
			continue
		}
		best, bestLoss := uint64(0), end.loss(at)
		for k := uint64(1); k < uint64(o.samples); k++ {
			p.undo(0)
			p.excess = at.excess
			end, _ = p.sample(at, o, newBlinks(key, k, o.blink, p))
			if loss := end.loss(at); loss < bestLoss {
				best, bestLoss = k, loss
			}
		}
		p.undo(0)
		p.excess = at.excess
		var b *blinks
		if best > 0 {
			b = newBlinks(key, best, o.blink, p)
		}
		o := o
		o.horizon = o.commit
		at, _ = p.sample(at, o, b)
	}
	return true
}

// place is how far a pass has come.
type place struct {
	run      int32
	finished bool
	changes  int // on the trail
	excess   uint64
	area     float64 // placed
}

// loss is the excess for the area that was placed since from.
func (e place) loss(from place) float64 {
	return float64(e.excess-from.excess) / (e.area - from.area + 1)
}

// sample goes on until a horizon of rectangles is placed, the first of them with
// blinks. It returns the end, and the place after three quarters.
func (p *pass) sample(at place, o ahead, b *blinks) (end, sure place) {
	margin := p.margin
	if p.blinks = b; b != nil {
		p.margin = b.margin
	}
	end = at
	end.changes = len(p.trail.changes)
	sure = end
	for n := 0; n < o.horizon && !end.finished; {
		if n == o.commit {
			p.blinks, p.margin = nil, margin
		}
		var did state
		end.run, did = p.step(end.run)
		end.finished = did == finished
		if did == placed {
			n++
			k := p.last
			end.area += float64(float64(p.size[k]) * float64(p.end[k]-p.first[k]))
		}
		end.changes, end.excess = len(p.trail.changes), p.excess
		if n <= o.horizon/4*3 {
			sure = end
		}
	}
	p.blinks, p.margin = nil, margin
	return end, sure
}

// blinks pass over choices by chance.
type blinks struct {
	rng
	of256  uint64
	margin uint64
}

func newBlinks(key, k, of256 uint64, p *pass) *blinks {
	b := &blinks{rng: rng{key: splitmix.Hash(key, k)}, of256: of256}
	b.margin = p.margin / 4 * (1 + b.next()%12)
	return b
}

// other returns the choice k, or one that comes after it.
func (b *blinks) other(p *pass, k int, best func() int) int {
	const most = 4
	var over [most]int
	var keys [most]uint32
	n := 0
	for ; n < most && b.next()&255 < b.of256; n++ {
		over[n], keys[n] = k, p.pick.keys[k]
		p.pick.take(k)
		next := best()
		if next < 0 {
			n++
			break
		}
		k = next
	}
	for i := range n {
		p.pick.put(over[i], keys[i])
	}
	return k
}
