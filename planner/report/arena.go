package report

import (
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Arena is the dynamic part.
type Arena struct {
	planner.Arena
	WorstAllWorkers sequences.Bytes `json:"worst_all_workers,omitempty"` // Worst.Sum times the number of workers
	Counts          []Count         `json:"counts"`
}

// Count is a count and what it drives.
type Count struct {
	planner.Count
	Buffers int             `json:"buffers"` // how many sizes depend on it
	Bytes   sequences.Bytes `json:"bytes"`   // and their bytes, typical if known, else worst
}

func arena(p *planner.Plan) Arena {
	out := Arena{Arena: p.Arena}
	if p.Arena.Worst != nil {
		out.WorstAllWorkers = times(p.Arena.Worst.Sum, uint64(p.Workers))
	}
	index := map[string]int{}
	for i, c := range p.Counts {
		index[c.Name] = i
		out.Counts = append(out.Counts, Count{Count: c})
	}
	for i := range p.Buffers {
		size, _ := sizeOf(&p.Buffers[i])
		for _, name := range p.Buffers[i].DrivenBy {
			if at, ok := index[name]; ok {
				out.Counts[at].Buffers++
				out.Counts[at].Bytes = add(out.Counts[at].Bytes, size)
			}
		}
	}
	return out
}
