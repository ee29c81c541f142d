package kernel

import (
	"context"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// Outcome is how a search ended.
type Outcome uint8

// The outcomes.
const (
	Budget  Outcome = iota // nodes spent, cancelled, or not a perfect problem
	Found                  // a packing within the capacity
	Refuted                // there is none
)

func (o Outcome) String() string {
	names := [...]string{"budget", "found", "refuted"}
	if int(o) < len(names) {
		return names[o]
	}
	return "invalid"
}

// attempt is a kernel with its sweeps.
type attempt struct {
	kernel *Kernel
	sweeps []*sweep // forth and back
}

// growth is how much wider the beam is in each round.
const growth = 4

// Solve packs a problem in which all sections are full at the capacity, and has
// no alignments, with at most about so many nodes. It returns the nodes spent.
// Kernels of all levels are tried with a wider and wider beam; one that has no
// packing is dropped.
func Solve(ctx context.Context, p *rect.Problem, capacity, nodes uint64) ([]uint64, Outcome, uint64) {
	if !perfect(p, capacity) {
		return nil, Budget, 0
	}
	attempts := attemptsOf(ctx, p, capacity)
	var spent uint64
	for width := 1; ; width *= growth {
		left := attempts[:0]
		for _, a := range attempts {
			refuted := false
			for _, s := range a.sweeps {
				if spent >= nodes || ctx.Err() != nil {
					return nil, Budget, spent
				}
				before := s.nodes
				end := s.run(ctx, width, nodes-spent)
				spent += s.nodes - before
				if end != nil {
					return a.kernel.Expand(s.offsets(end)), Found, spent
				}
				if refuted = !s.cut; refuted {
					break
				}
			}
			switch {
			case !refuted:
				left = append(left, a)
			case a.kernel.Exact:
				return nil, Refuted, spent
			}
		}
		attempts = left // an exact one is among them
	}
}

func perfect(p *rect.Problem, capacity uint64) bool {
	for _, r := range p.Rects {
		if r.Align != 1 {
			return false
		}
	}
	for _, t := range p.Totals() {
		if t != capacity {
			return false
		}
	}
	return p.Sections > 0
}

// attemptsOf returns the kernels that differ, the smaller ones first.
func attemptsOf(ctx context.Context, p *rect.Problem, capacity uint64) []*attempt {
	var out []*attempt
	for _, level := range []Level{Wild, Eager, Likely, Exact} {
		k := Reduce(ctx, p, capacity, level)
		if n := len(out); n > 0 {
			if last := out[n-1].kernel; last.Exact || len(k.Problem.Rects) == len(last.Problem.Rects) && !k.Exact {
				continue
			}
		}
		back := newSweep(k.Problem)
		back.back = true
		out = append(out, &attempt{k, []*sweep{newSweep(k.Problem), back}})
	}
	return out
}
