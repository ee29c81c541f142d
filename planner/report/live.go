package report

import (
	"math"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Live returns the bytes of static storage of one scope that are in use in each step of
// the file. Sizes are rounded as the packer rounds them, storage that buffers take over
// from each other counts once, and what is lent does not count. The largest value is the
// live bound of the pool, which is its lower bound unless Pool.BoundBy says more.
//
// A plan does not say what its sizes are rounded up to, the base alignment of the scope.
// It is the smallest alignment of a buffer, unless that does not give what lives at the peak.
func Live(p *planner.Plan, scope sequences.Scope) []sequences.Bytes {
	return newUsage(p, scope).live()
}

// part is a run of steps in which a buffer has the same bytes in use, from its start.
type part struct {
	planner.Interval
	low, high sequences.Bytes
}

func (t part) bytes() sequences.Bytes { return t.high - t.low }

// exact is without what alignment adds.
func (t part) exact(b *planner.Buffer) sequences.Bytes {
	return min(b.Max, t.high) - min(b.Max, t.low)
}

// usage is what the static buffers of a scope have in use.
type usage struct {
	steps    int
	base     sequences.Bytes // to which sizes are rounded up
	parts    map[int][]part  // by sequences.BufferID, in the order of steps
	storages [][]int         // buffers that lie in one storage, in file order
}

func newUsage(p *planner.Plan, scope sequences.Scope) *usage {
	least := leastAlign(p, scope)
	out := usageBy(p, scope, least)
	pool := &p.Pools[scope]
	if !ordered(p, pool) {
		return out
	}
	peak := atPeak(pool)
	for base := least; base > 0; base /= 2 {
		if u := usageBy(p, scope, base); u.live()[pool.PeakStep] == peak {
			return u
		}
	}
	return out
}

// usageBy rounds all sizes up to a power of two.
func usageBy(p *planner.Plan, scope sequences.Scope, base sequences.Bytes) *usage {
	u := &usage{steps: len(p.Steps), base: base, parts: map[int][]part{}}
	of := map[string]int{} // the storage of a buffer
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Class != planner.Static || b.Scope != scope {
			continue
		}
		n, ok := of[b.InPlaceOf]
		if !ok || b.InPlaceOf == "" {
			n = len(u.storages)
			u.storages = append(u.storages, nil)
		}
		of[b.Name] = n
		u.storages[n] = append(u.storages[n], i)
		u.parts[i] = cut(b, OwnLife(b, u.steps), roundUp(b.Max, base))
	}
	return u
}

func leastAlign(p *planner.Plan, scope sequences.Scope) sequences.Bytes {
	least := sequences.Bytes(0)
	for i := range p.Buffers {
		if b := &p.Buffers[i]; b.Scope == scope && (least == 0 || b.Align < least) {
			least = b.Align
		}
	}
	return max(1, least)
}

// roundUp saturates. What it is asked for in a plan fits a pool.
func roundUp(size, align sequences.Bytes) sequences.Bytes {
	out, err := checked.AlignUp(uint64(size), uint64(align))
	if err != nil {
		return math.MaxUint64
	}
	return sequences.Bytes(out)
}

// OwnLife is the life of a buffer up to its own last use: from then on its storage is
// that of the buffer that took it over. It is cut to the steps of the plan.
func OwnLife(b *planner.Buffer, steps int) planner.Interval {
	life := b.Lifetime
	taken, end := false, life.First+1
	for _, u := range b.Uses {
		if u.Why == planner.UseInPlace {
			taken = true
		} else {
			end = max(end, u.Step+1)
		}
	}
	if taken {
		life.End = min(life.End, end)
	}
	return planner.Interval{First: max(0, life.First), End: min(life.End, sequences.StepID(steps))}
}

// cut divides the life of a buffer where what it lends changes.
func cut(b *planner.Buffer, life planner.Interval, size sequences.Bytes) []part {
	var out []part
	add := func(first, end sequences.StepID, low, high sequences.Bytes) {
		first, end = max(first, life.First), min(end, life.End)
		if first < end && low < high {
			out = append(out, part{planner.Interval{First: first, End: end}, low, high})
		}
	}
	at := life.First
	for _, l := range b.Lent {
		add(at, l.First, 0, size)
		add(l.First, l.End, l.Low, min(l.High, size))
		at = max(at, l.End)
	}
	add(at, life.End, 0, size)
	return out
}

// live sums up what is in use.
func (u *usage) live() []sequences.Bytes {
	return u.sum(func(_ int, t part) sequences.Bytes { return t.bytes() })
}

// sum adds the storages up, step by step. Of buffers in one storage the largest counts.
func (u *usage) sum(bytes func(b int, t part) sequences.Bytes) []sequences.Bytes {
	out, most := make([]sequences.Bytes, u.steps), make([]sequences.Bytes, u.steps)
	for _, storage := range u.storages {
		for _, b := range storage {
			for _, t := range u.parts[b] {
				for s := t.First; s < t.End; s++ {
					most[s] = max(most[s], bytes(b, t))
				}
			}
		}
		for _, b := range storage {
			for _, t := range u.parts[b] {
				for s := t.First; s < t.End; s++ {
					out[s], most[s] = add(out[s], most[s]), 0
				}
			}
		}
	}
	return out
}
