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
	TypicalPeak     *ArenaPeak      `json:"typical_peak,omitempty"`      // that of Typical
	WorstPeak       *ArenaPeak      `json:"worst_peak,omitempty"`
	Counts          []Count         `json:"counts"`
	// Shared is how many buffers depend on several counts: each of these has all of their bytes.
	Shared int `json:"shared,omitempty"`
}

// Count is a count and what it drives.
type Count struct {
	planner.Count
	Buffers int             `json:"buffers"` // how many sizes depend on it
	Bytes   sequences.Bytes `json:"bytes"`   // and their bytes, typical if known, else worst
}

func arena(p *planner.Plan) Arena {
	out := Arena{Arena: p.Arena, TypicalPeak: arenaPeak(p, p.Arena.Typical, Typical), WorstPeak: arenaPeak(p, p.Arena.Worst, Worst)}
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
		if len(p.Buffers[i].DrivenBy) > 1 {
			out.Shared++
		}
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
	a.peakText(t)
	a.modeText(t, streams)
	t.section("  count\tmax\ttypical\tbuffers\tbytes")
	for _, c := range a.Counts {
		t.line("  %s\t%s\t%s\t%d\t%s", c.Name, known(c.Max), known(c.Typical), c.Buffers, Bytes(c.Bytes))
	}
	if note := a.sharedText(); note != "" {
		t.section("  %s", note)
	}
}

// sharedText says why the rows of the counts may add up to more than there is.
func (a *Arena) sharedText() string {
	if a.Shared == 0 {
		return ""
	}
	return prose.Plural(a.Shared, "buffer") + " with several counts in the size, in the row of each: the rows add up to more than there is"
}

// peakText names the steps with most bytes, and the buffers that live then.
func (a *Arena) peakText(t *printer) {
	line := t.section
	for _, of := range []struct {
		basis  Basis
		demand *planner.Demand
		peak   *ArenaPeak
	}{{Typical, a.Typical, a.TypicalPeak}, {Worst, a.Worst, a.WorstPeak}} {
		if of.peak == nil {
			continue
		}
		line("  peak, %s\tstep %d %s, %s alive: %s", of.basis, of.peak.Step, of.peak.Name, prose.Plural(len(of.peak.Buffers), "buffer"), Bytes(of.demand.Peak))
		largest(t, of.peak.Buffers)
		line = t.line
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
	t.line("  reuse where it saves more than a sixteenth of what bump needs on average.")
	t.line("  What a mode takes, as a multiple of what is live at once (1.000 is the best there can be):")
	t.section("  mode\tmean\tworst")
	for _, m := range []struct {
		name  string
		ratio planner.Ratio
	}{{"bump: nothing is given back", s.Bump}, {"reuse, each buffer in the smallest gap", s.BestFit}, {"reuse, with the rules of this plan", s.Reuse}} {
		t.line("  %s\t%s\t%s", m.name, Decimal(m.ratio.Mean), Decimal(m.ratio.Worst))
	}
	t.line("  live at once, mean of the draws: %s", Bytes(s.Live))
}

// Decimal prints a ratio with three digits, rounded up.
func Decimal(v uint64) string {
	v = (v + 9) / 10
	return fmt.Sprintf("%d.%03d", v/1000, v%1000)
}

func known(v *uint64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}
