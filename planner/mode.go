package planner

import (
	"context"

	"github.com/seqplan/seqplan/sequences"
)

// Seeds of the draws: the rules are found on some, compared with best fit alone on
// others, and judged on a third kind.
const (
	trainSeed   = 1
	testSeed    = 2
	compareSeed = 3
)

// Draws of the counts in a simulation: fewer where there are many buffers.
const (
	mostTrain = 32
	mostTest  = 100
	drawWork  = 100_000 // sizes in all draws of one kind, above the smallest number
	fewest    = 4
)

// simulationWork is how many extents a simulation may look at, in all its draws.
const simulationWork = 100_000_000

// Simulation is how the arena modes did in draws of the counts: each count is drawn
// evenly within 30 % of its typical value, at the largest parameter values. The live
// peak, the most bytes that are in use at once, bounds every mode from below.
type Simulation struct {
	Draws   int             `json:"draws"`
	Live    sequences.Bytes `json:"live"`     // mean live peak, bytes
	Bump    Ratio           `json:"bump"`     // the mode bump: the sum of all
	BestFit Ratio           `json:"best_fit"` // the mode reuse with best fit alone
	Reuse   Ratio           `json:"reuse"`    // the mode reuse with the rules of the plan
}

// RatioUnit is the unit of a Ratio.
const RatioUnit = 10_000

// Ratio is the high-water mark over the live peak, in units of 1 / RatioUnit.
type Ratio struct {
	Mean  uint64 `json:"mean"`
	Worst uint64 `json:"worst"`
}

// placement is what the planner decides about the arena.
type placement struct {
	rules []uint64 // by BufferID
	reuse bool
	sim   *Simulation
}

// place finds the rules of the dynamic device buffers, simulates both arena modes
// and chooses one: reuse, unless it saves less than a sixteenth of what bump needs,
// or unless nothing is known of a count, so that nothing can be simulated. Where the
// first draw already is over the budget, reuse is chosen if bump needs more than twice
// the live peak. With several streams nothing is given back and the mode is bump.
func (f *facts) place(lives []Interval, align uint64) placement {
	out := placement{rules: make([]uint64, len(f.seq.Buffers))}
	if len(f.seq.Streams) > 1 {
		return out
	}
	p := findPieces(f.seq, f.classes, lives)
	d := newDraws(f.seq, p, align, func(c sequences.CountID) (*uint64, uint64) {
		return f.bounds.counts[c].typical, f.bounds.countLimit(c)
	})
	if d == nil || len(p.of) == 0 {
		return out
	}
	number := func(most int) int { return min(most, max(fewest, drawWork/len(p.of))) }
	rules := findRules(f.ctx, p, d.sample(trainSeed, number(mostTrain)))
	if s := d.sample(compareSeed, number(mostTrain)); len(s.peaks) > 0 {
		if c := simulate(f.ctx, p, s, rules, simulationWork); c == nil || c.Reuse.Mean > c.BestFit.Mean {
			clear(rules) // found on too few draws: abi.RuleLow is best fit
		}
	}
	for i, b := range p.of {
		out.rules[b] = rules[i]
	}
	test := d.sample(testSeed, number(mostTest))
	if len(test.peaks) == 0 {
		return out
	}
	if out.sim = simulate(f.ctx, p, test, rules, simulationWork); out.sim == nil {
		out.reuse = test.sums[0]/2 > test.peaks[0]
		return out
	}
	out.reuse = out.sim.Reuse.Mean < out.sim.Bump.Mean-out.sim.Bump.Mean/16
	return out
}

// simulate plays as many draws of a sample as the budget of work allows, and returns nil
// if that is none. It stops when it is cancelled.
func simulate(ctx context.Context, p *pieces, s sample, rules []uint64, work uint64) *Simulation {
	m := newSimulator(p, work)
	out := new(Simulation)
	most := uint64(len(s.peaks))
	var live uint64 // in parts of most
	for i, peak := range s.peaks {
		if ctx.Err() != nil {
			break
		}
		best, ok := m.high(s.sizes[i], nil)
		found, ok2 := m.high(s.sizes[i], rules)
		if !ok || !ok2 {
			break
		}
		out.Draws++
		live += peak / most // no overflow; exact enough for a mean
		out.Bump.add(s.sums[i], peak)
		out.BestFit.add(best, peak)
		out.Reuse.add(found, peak)
	}
	if out.Draws == 0 {
		return nil
	}
	n := uint64(out.Draws)
	out.Live = sequences.Bytes(live / n * most)
	if n == most {
		out.Live = sequences.Bytes(live)
	}
	for _, r := range []*Ratio{&out.Bump, &out.BestFit, &out.Reuse} {
		r.Mean /= n
	}
	return out
}

// add adds the ratio of one draw to the sum in Mean.
func (r *Ratio) add(high, peak uint64) {
	v := min(ratio(high, peak, RatioUnit), 1<<40) // the sum of a few hundred fits
	r.Mean += v
	r.Worst = max(r.Worst, v)
}
