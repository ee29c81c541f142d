package report

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Pool is the static region of one scope.
type Pool struct {
	planner.Pool
	GapPercent float64         `json:"gap_percent"` // (height - lower bound) / lower bound
	AllWorkers sequences.Bytes `json:"all_workers"` // Size times the number of workers
	Buffers    int             `json:"buffers"`
	Sum        sequences.Bytes `json:"sum"`     // of the sizes: the need without reuse, but for alignment
	Padding    sequences.Bytes `json:"padding"` // bytes lost to alignment at the peak step
	PeakName   string          `json:"peak_name"`
	AtPeak     []Alive         `json:"at_peak"` // largest first

	CouldNames []Edge `json:"could_names,omitempty"` // Could with the names of the steps
}

// Alive is a buffer that is alive at the peak.
type Alive struct {
	Name  string          `json:"name"`
	Bytes sequences.Bytes `json:"bytes"`
}

func newPool(p *planner.Plan, pool planner.Pool) Pool {
	out := Pool{
		Pool: pool, AllWorkers: times(pool.Size, uint64(p.Workers)),
		GapPercent: percent(pool.Height-min(pool.Height, pool.LowerBound), pool.LowerBound),
		PeakName:   stepName(p, pool.PeakStep),
	}
	var atPeak sequences.Bytes
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Class != planner.Static || b.Scope != pool.Scope {
			continue
		}
		out.Buffers++
		out.Sum = add(out.Sum, b.Max)
		if b.Lifetime.First <= pool.PeakStep && pool.PeakStep < b.Lifetime.End && b.InPlaceOf == "" {
			// What takes over its storage counts with it; it lives as long.
			size := inUse(b, storage(p, b), pool.PeakStep)
			out.AtPeak = append(out.AtPeak, Alive{b.Name, size})
			atPeak = add(atPeak, size)
		}
	}
	if len(pool.Could) > 0 {
		out.CouldNames = newEdges(p, pool.Could)
	}
	slices.SortStableFunc(out.AtPeak, func(a, b Alive) int { return cmp.Compare(b.Bytes, a.Bytes) })
	if pool.BoundBy == "" { // else the bound is not what is alive at the peak
		out.Padding = pool.LowerBound - min(pool.LowerBound, atPeak)
	}
	return out
}

// storage is the largest size of the buffers that use the storage of b in turn.
func storage(p *planner.Plan, b *planner.Buffer) sequences.Bytes {
	size := b.Max
	name := b.Name
	for i := range p.Buffers { // takers come later in file order
		if t := &p.Buffers[i]; t.InPlaceOf == name {
			size, name = max(size, t.Max), t.Name
		}
	}
	return size
}

// inUse is what a buffer of some size has in use at a step.
func inUse(b *planner.Buffer, size sequences.Bytes, at sequences.StepID) sequences.Bytes {
	for _, l := range b.Lent {
		if l.First <= at && at < l.End {
			return min(size, l.High) - min(size, l.Low)
		}
	}
	return size
}

// Buffer is one of the largest buffers.
type Buffer struct {
	Name     string           `json:"name"`
	Class    planner.Class    `json:"class"`
	Scope    sequences.Scope  `json:"scope"`
	Bytes    sequences.Bytes  `json:"bytes"`
	Lifetime planner.Interval `json:"lifetime"`
	Formula  string           `json:"formula"` // bytes of an element and their number
	First    string           `json:"first"`   // name of the first step of the lifetime
	Last     string           `json:"last"`    // and of the last
}

func top(p *planner.Plan, n int) []Buffer {
	all := make([]*planner.Buffer, len(p.Buffers))
	for i := range p.Buffers {
		all[i] = &p.Buffers[i]
	}
	slices.SortStableFunc(all, func(a, b *planner.Buffer) int {
		sizeA, _ := sizeOf(a)
		sizeB, _ := sizeOf(b)
		return cmp.Compare(sizeB, sizeA)
	})
	var out []Buffer
	for _, b := range all[:min(n, len(all))] {
		size, _ := sizeOf(b)
		out = append(out, Buffer{
			Name: b.Name, Class: b.Class, Scope: b.Scope, Bytes: size, Lifetime: b.Lifetime,
			Formula: formula(b), First: stepName(p, b.Lifetime.First), Last: stepName(p, b.Lifetime.End-1),
		})
	}
	return out
}
