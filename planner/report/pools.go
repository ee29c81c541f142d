package report

import (
	"cmp"
	"fmt"

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
	Peak       Peak            `json:"peak"`
	Waste      Waste           `json:"waste"`

	Live []sequences.Bytes `json:"live"` // see Live

	BoundOf    string  `json:"bound_of,omitempty"`    // the buffer at a fixed offset whose end is the lower bound
	CouldNames []Edge  `json:"could_names,omitempty"` // Could with the names of the steps
	ApartPairs []Apart `json:"apart_pairs,omitempty"` // of the pairs that Apart counts, those that cost most
}

// gapPercent is how far a pool is above its lower bound, in percent of that.
func gapPercent(p *planner.Pool) float64 {
	return percent(less(p.Height, p.LowerBound), p.LowerBound)
}

// gap says how good a packing is.
func gap(p *planner.Pool) string {
	switch {
	case !p.Optimal:
		return fmt.Sprintf("%.2f %% above the lower bound", gapPercent(p))
	case p.Height > p.LowerBound:
		return fmt.Sprintf("%.2f %% above the lower bound, proven optimal", gapPercent(p))
	}
	return "0 %, proven optimal"
}

// boundBy says where a lower bound comes from that is above the max-live bytes.
func boundBy(p *planner.Pool) string {
	if p.BoundBy == "" {
		return ""
	}
	return ", by " + p.BoundBy
}

// capacity is that of a pool: for the device what is asked for, if anything is, else what
// the file declares.
func capacity(p *planner.Pool, asked sequences.Bytes) sequences.Bytes {
	if p.Scope == sequences.Device {
		return cmp.Or(asked, p.Capacity)
	}
	return p.Capacity
}

// apartPairs is how many pairs that are kept apart a report names.
const apartPairs = 5

func newPool(p *planner.Plan, pool planner.Pool, asked sequences.Bytes) Pool {
	pool.Capacity = capacity(&pool, asked)
	out := Pool{
		Pool: pool, AllWorkers: times(pool.Size, uint64(p.Workers)), GapPercent: gapPercent(&pool),
		PeakName: stepName(p, pool.PeakStep), Waste: waste(p, &pool), Live: Live(p, pool.Scope),
	}
	out.Peak = newPeak(p, &pool, out.Live)
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Class != planner.Static || b.Scope != pool.Scope {
			continue
		}
		out.Buffers++
		out.Sum = add(out.Sum, b.Max)
	}
	out.BoundOf = boundOf(p, &pool)
	if len(pool.Could) > 0 {
		out.CouldNames = newEdges(p, pool.Could)
	}
	out.ApartPairs = newPacking(p, pool.Scope).apart(apartPairs)
	return out
}

// boundOf names the buffer at a fixed offset whose end is the lower bound, if that is the bound.
func boundOf(p *planner.Plan, pool *planner.Pool) (name string) {
	end := pool.Reserved + pool.LowerBound
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Class == planner.Static && b.Scope == pool.Scope && b.FixedOffset != nil && pool.BoundBy == pack.Placed.String() &&
			b.Offset+b.Max <= end && end-b.Offset-b.Max < pool.Align {
			name = b.Name
		}
	}
	return name
}
