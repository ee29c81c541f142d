package budget

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// eachKind is how many ways of each kind are kept.
const eachKind = 2

// candidate is a change that may be enough.
type candidate struct {
	search
	guess uint64
}

// ways looks for changes that bring a budget back under its limit. The batch is looked for
// first, so that it is known whatever the others take, and told behind them.
func (c *checker) ways(b *sequences.Budget, r *Result) {
	batch := c.best(b, c.batch(), r)
	if len(batch) == 0 && c.seq.Batch != sequences.None && !r.Cut {
		r.NoBatch = c.never(b)
	}
	r.Ways = c.orders(b, r)
	for _, changes := range [][]change{c.params(), c.maxima(b)} {
		r.Ways = append(r.Ways, c.best(b, changes, r)...)
	}
	r.Ways = append(r.Ways, batch...)
	for _, changes := range [][]change{c.buffers(b, r.Culprits), c.typicals(b)} {
		r.Ways = append(r.Ways, c.best(b, changes, r)...)
	}
}

// never reports whether a budget is exceeded with the smallest batch too.
func (c *checker) never(b *sequences.Budget) bool {
	s := search{c, b, c.batch()[0]}
	at, err := s.exact(s.change.low)
	return err == nil && at.known && !at.fits
}

// best are the ways of one kind that change least, and says in r if there may be others.
func (c *checker) best(b *sequences.Budget, changes []change, r *Result) []Way {
	var out []Way
	list := c.candidates(b, changes, r)
	for i, s := range list {
		if len(out) == eachKind {
			r.More += len(list) - i
			break
		}
		w, ok, err := s.largest(s.guess)
		if err != nil {
			r.Cut = true
			break
		}
		if ok && s.valid(w) {
			out = append(out, w)
		}
	}
	return out
}

// candidates are the changes of one kind that may be enough, those that change least first.
func (c *checker) candidates(b *sequences.Budget, changes []change, r *Result) []candidate {
	var list []candidate
	for _, ch := range changes {
		s := search{c, b, ch}
		v, ok, err := s.guess()
		if err != nil {
			r.Cut = true
			break
		}
		if !ok && ch.Kind == WayBatch && packed(b) {
			v, ok = ch.low, true // the guess may be too high
		}
		if ok {
			list = append(list, candidate{s, v})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return compareRatios(b.guess, b.change.high, a.guess, a.change.high)
	})
	return list
}

// compareRatios compares a/b with c/d.
func compareRatios(a, b, c, d uint64) int {
	hi, lo := bits.Mul64(a, d)
	hi2, lo2 := bits.Mul64(c, b)
	return cmp.Or(cmp.Compare(hi, hi2), cmp.Compare(lo, lo2))
}

// valid reports whether the planner takes the sequence of a way: a smaller buffer may be too
// small for a count in it.
func (s *search) valid(w Way) bool {
	seq, err := s.change.at(w.To / s.change.unit)
	return err == nil && !planner.Check(seq).HasErrors()
}
