package report

import (
	"fmt"

	"github.com/seqplan/seqplan/internal/prose"
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

func (a *Arena) text(t *printer, streams bool) {
	if a.Slots == 0 {
		return
	}
	t.section("Dynamic buffers, one worker: %s, alignment %s", prose.Plural(a.Slots, "slot"), Bytes(a.Align))
	t.line("  counts\tsum (no reuse)\tpeak (reuse)\thost")
	for _, d := range []struct {
		name   string
		demand *planner.Demand
	}{{"worst", a.Worst}, {"typical", a.Typical}} {
		if d.demand == nil {
			t.line("  %s\tunknown: a count has no %s value", d.name, d.name)
			continue
		}
		t.line("  %s\t%s\t%s\t%s", d.name, Bytes(d.demand.Sum), Bytes(d.demand.Peak), Bytes(d.demand.HostSum))
	}
	a.modeText(t, streams)
	t.section("  count\tmax\ttypical\tbuffers\tbytes")
	for _, c := range a.Counts {
		t.line("  %s\t%s\t%s\t%d\t%s", c.Name, known(c.Max), known(c.Typical), c.Buffers, Bytes(c.Bytes))
	}
}

// modeText prints the chosen mode and the simulation that it was chosen from.
func (a *Arena) modeText(t *printer, streams bool) {
	mode := "bump"
	if a.Reuse {
		mode = "reuse"
	}
	s := a.Simulated
	if s == nil && streams {
		t.section("  arena mode bump: with several streams nothing is given back before the end of the batch")
		return
	}
	if s == nil {
		t.section("  arena mode %s: a count has neither a typical value nor a max to simulate with", mode)
		return
	}
	t.section("  arena mode %s, from %d draws of the counts around their typical values, each by up to 30 %%;", mode, s.Draws)
	t.line("  reuse where it saves more than a sixteenth of what bump needs on average")
	t.line("  high-water / live peak\tmean\tworst")
	for _, m := range []struct {
		name  string
		ratio planner.Ratio
	}{{"bump (the sum)", s.Bump}, {"best fit", s.BestFit}, {"reuse", s.Reuse}} {
		t.line("  %s\t%s\t%s", m.name, decimal(m.ratio.Mean), decimal(m.ratio.Worst))
	}
	t.line("  mean live peak\t%s", Bytes(s.Live))
}

// decimal prints a ratio with three digits, rounded up.
func decimal(v uint64) string {
	v = (v + 9) / 10
	return fmt.Sprintf("%d.%03d", v/1000, v%1000)
}

func known(v *uint64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}
