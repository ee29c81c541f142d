package planner

import (
	"context"
	"slices"

	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/kernels/abi"
)

// Budgets of the search for rules. All are counts, so that the result is the same
// on every machine.
const (
	placementWork     = 100_000_000 // extents looked at
	placementRounds   = 8           // candidates per piece
	placementRestarts = 4
	placementOne      = 1 << 20 // the unit of a ratio in the search
)

// findRules chooses for each piece the end of the extent that it takes in the arena
// mode reuse. It is a local search over these bits: a candidate differs from the best
// in one to three pieces, and is kept if its score over a sample of draws is no
// worse. Where the budget is spent the best so far stays, at first best fit alone. The
// search starts from all low and from some random bits, and spends the
// other half of its budget on the best of them. It stops when it is cancelled.
func findRules(ctx context.Context, p *pieces, s sample) []uint64 {
	best := make([]uint64, len(p.of))
	if len(p.of) < 2 || len(s.peaks) == 0 {
		return best
	}
	f := &ruleSearch{ctx: ctx, sample: s, sim: newSimulator(p, placementWork)}
	rounds := placementRounds * len(p.of)
	bestScore := f.score(best, ^uint64(0))
	for r := range uint64(placementRestarts) {
		start := make([]uint64, len(p.of))
		if r > 0 {
			for i := range start {
				start[i] = f.random() & 1
			}
		}
		f.limit = placementWork / (2 * placementRestarts) * (r + 1)
		rules, score := f.improve(start, rounds/(2*placementRestarts))
		if score < bestScore {
			best, bestScore = rules, score
		}
	}
	f.limit = placementWork
	best, _ = f.improve(best, rounds/2)
	return best
}

// ruleSearch scores candidates.
type ruleSearch struct {
	ctx context.Context
	sample
	sim   *simulator
	state uint64 // of the random numbers
	limit uint64 // of sim.work, for a part of the search
}

func (f *ruleSearch) random() uint64 {
	f.state++
	return splitmix.Mix(f.state)
}

// improve climbs from some rules and returns the best that it met.
func (f *ruleSearch) improve(rules []uint64, rounds int) ([]uint64, uint64) {
	score := f.score(rules, ^uint64(0))
	perfect := f.perfect()
	for range rounds {
		if score == perfect || f.sim.work > f.limit || f.ctx.Err() != nil {
			break
		}
		next := slices.Clone(rules)
		for range 1 + f.random()%3 {
			next[f.random()%uint64(len(next))] ^= abi.RuleHigh
		}
		if s := f.score(next, score); s <= score {
			rules, score = next, s
		}
	}
	return rules, score
}

// perfect is the score of rules that reach the live peak in every draw.
func (f *ruleSearch) perfect() uint64 {
	n := uint64(len(f.peaks))
	return n*placementOne + n/4*placementOne
}

// score adds the ratios of the high-water mark to the live peak, and once more the
// worst one, with a quarter of the weight of all. It stops early where the score is
// above a bound, and is the largest where the budget is spent.
func (f *ruleSearch) score(rules []uint64, bound uint64) uint64 {
	n := uint64(len(f.peaks))
	var sum, worst uint64
	for i, peak := range f.peaks {
		high, ok := f.sim.high(f.sizes[i], rules)
		if !ok {
			return ^uint64(0)
		}
		r := min(ratio(high, peak, placementOne), 1<<40) // n is small
		sum += r
		worst = max(worst, r)
		if rest := (n - uint64(i) - 1) * placementOne; sum+rest+worst*(n/4) > bound {
			return sum + rest + worst*(n/4)
		}
	}
	return sum + worst*(n/4)
}
