package report

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// ArenaPeak is the step at which most bytes of dynamic device buffers live, and these.
type ArenaPeak struct {
	Step sequences.StepID `json:"step"`
	Name string           `json:"name"` // of the step
	// Buffers are those that live then, the largest first. Their bytes and Padding, which is
	// what rounding adds to them, are the peak. Each stands for those that take over its
	// storage too.
	Buffers []planner.Alive `json:"buffers"`
	Padding sequences.Bytes `json:"padding"`
}

// arenaPeak is the peak of a demand; nil if nothing is known of it.
func arenaPeak(p *planner.Plan, d *planner.Demand, basis Basis) *ArenaPeak {
	if d == nil || len(p.Steps) == 0 {
		return nil
	}
	out := &ArenaPeak{Step: d.PeakStep, Name: stepName(p, d.PeakStep), Buffers: []planner.Alive{}}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		bytes, ok := inArena(b, basis)
		if !ok || bytes == 0 || d.PeakStep < b.Lifetime.First || b.Lifetime.End <= d.PeakStep {
			continue
		}
		out.Buffers = append(out.Buffers, planner.Alive{Name: b.Name, Bytes: bytes})
		out.Padding = add(out.Padding, less(roundUp(bytes, p.Arena.Align), bytes))
	}
	slices.SortStableFunc(out.Buffers, func(a, b planner.Alive) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return out
}

// inArena is the size of a buffer that has memory of its own in the arena, and false for all
// other buffers.
func inArena(b *planner.Buffer, basis Basis) (sequences.Bytes, bool) {
	if b.Class != planner.Dynamic || b.Scope != sequences.Device || b.InPlaceOf != "" {
		return 0, false
	}
	return sizeBy(b, basis)
}

// sizeBy is the size of a dynamic buffer by a basis, and false where it is not known.
func sizeBy(b *planner.Buffer, basis Basis) (sequences.Bytes, bool) {
	switch {
	case basis == Worst:
		return b.Max, b.Proof != planner.ProofNone
	case b.Typical == nil:
		return 0, false
	}
	return *b.Typical, true
}

// arenaLive is what lives of the arena in each step, without one of the buffers.
func arenaLive(p *planner.Plan, basis Basis, without int) []sequences.Bytes {
	out := make([]sequences.Bytes, len(p.Steps))
	for i := range p.Buffers {
		b := &p.Buffers[i]
		bytes, ok := inArena(b, basis)
		if !ok || i == without {
			continue
		}
		bytes = roundUp(bytes, p.Arena.Align)
		for s := max(0, b.Lifetime.First); s < min(b.Lifetime.End, sequences.StepID(len(p.Steps))); s++ {
			out[s] = add(out[s], bytes)
		}
	}
	return out
}
