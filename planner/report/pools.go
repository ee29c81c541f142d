package report

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// Pool is the static region of one scope.
type Pool struct {
	planner.Pool
	GapPercent float64         `json:"gap_percent"` // (height - lower bound) / lower bound
	AllWorkers sequences.Bytes `json:"all_workers"` // Size times the number of workers
	Buffers    int             `json:"buffers"`
	Sum        sequences.Bytes `json:"sum"`       // of the sizes: the need without reuse, but for alignment
	PeakName   string          `json:"peak_name"` // of PeakStep
	Waste      Waste           `json:"waste"`

	Live []sequences.Bytes `json:"live"` // see Live

	BoundOf    string  `json:"bound_of,omitempty"`    // the buffer at a fixed offset whose end is the lower bound
	CouldNames []Edge  `json:"could_names,omitempty"` // Could with the names of the steps
	ApartPairs []Apart `json:"apart_pairs,omitempty"` // of the pairs that Apart counts, those that cost most
}

// apartPairs is how many pairs that are kept apart a report names.
const apartPairs = 5

func newPool(p *planner.Plan, pool planner.Pool) Pool {
	out := Pool{
		Pool: pool, AllWorkers: times(pool.Size, uint64(p.Workers)),
		GapPercent: percent(pool.Height-min(pool.Height, pool.LowerBound), pool.LowerBound),
		PeakName:   stepName(p, pool.PeakStep), Waste: waste(p, &pool), Live: Live(p, pool.Scope),
	}
	end := pool.Reserved + pool.LowerBound
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Class != planner.Static || b.Scope != pool.Scope {
			continue
		}
		out.Buffers++
		out.Sum = add(out.Sum, b.Max)
		if b.FixedOffset != nil && pool.BoundBy == pack.Placed.String() && b.Offset+b.Max <= end && end-b.Offset-b.Max < pool.Align {
			out.BoundOf = b.Name
		}
	}
	if len(pool.Could) > 0 {
		out.CouldNames = newEdges(p, pool.Could)
	}
	out.ApartPairs = newPacking(p, pool.Scope).apart(apartPairs)
	return out
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
