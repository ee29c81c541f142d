package planner

import (
	"slices"

	"github.com/seqplan/seqplan/sequences"
)

// frontier knows for each buffer the accesses that no other access of it is behind, in
// the order of a reuse policy: what is behind these is behind all of them. There is one
// for each stream at most.
type frontier struct {
	*accesses
	order    *sequences.HappensBefore
	barriers [][]sequences.StepID // by group: the last ones
	loads    [][]sequences.StepID // by count: the last ones
	last     [][]sequences.StepID // by buffer; nil if not known yet
}

func newFrontier(a *accesses, order *sequences.HappensBefore) *frontier {
	f := &frontier{accesses: a, order: order, last: make([][]sequences.StepID, len(a.seq.Buffers))}
	for _, list := range a.barriers {
		f.barriers = append(f.barriers, f.latest(list))
	}
	for _, list := range a.loads {
		f.loads = append(f.loads, f.latest(list))
	}
	return f
}

// of returns the frontier of a buffer. Pointers have no cycles.
func (f *frontier) of(b sequences.BufferID) []sequences.StepID {
	if f.last[b] == nil {
		list := f.own(b, f.barriers, f.loads)
		for _, h := range f.holders[b] {
			list = append(list, f.of(h)...)
		}
		f.last[b] = f.latest(list)
	}
	return f.last[b]
}

// latest returns the steps of a list, which is not empty, that no other one is behind,
// descending.
func (f *frontier) latest(list []sequences.StepID) []sequences.StepID {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b sequences.StepID) int { return int(b - a) })
	var out []sequences.StepID
	for _, s := range list {
		if !slices.ContainsFunc(out, func(k sequences.StepID) bool { return s == k || f.before(s, k) }) {
			out = append(out, s)
		}
	}
	return out
}

// earliest returns the steps of a list that are behind no other one, ascending.
func (f *frontier) earliest(list []sequences.StepID) []sequences.StepID {
	list = slices.Sorted(slices.Values(list))
	var out []sequences.StepID
	for _, s := range list {
		if !slices.ContainsFunc(out, func(k sequences.StepID) bool { return s == k || f.before(k, s) }) {
			out = append(out, s)
		}
	}
	return out
}

// before extends the order of steps to the start and the end of the batch.
func (f *frontier) before(a, b sequences.StepID) bool {
	return a < b && (a < 0 || b >= f.end() || f.order.Before(a, b))
}

// allBefore reports whether all of some steps are before all of others.
func (f *frontier) allBefore(as, bs []sequences.StepID) bool {
	for _, a := range as {
		for _, b := range bs {
			if !f.before(a, b) {
				return false
			}
		}
	}
	return true
}
