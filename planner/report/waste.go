package report

import (
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Waste is what of the height of a pool is of no use.
type Waste struct {
	// At the peak: Used, Padding and Holes add up to the height. Padding is what alignment
	// adds to the buffers of Pool.AtPeak, holes are the bytes that none of them needs.
	Used    sequences.Bytes `json:"used"`
	Padding sequences.Bytes `json:"padding"`
	Holes   sequences.Bytes `json:"holes"`
	// Over the whole sequence, in bytes times steps: these add up to the height times the
	// number of steps.
	UsedSteps    sequences.Bytes `json:"used_steps"`
	PaddingSteps sequences.Bytes `json:"padding_steps"`
	HolesSteps   sequences.Bytes `json:"holes_steps"`
}

func waste(p *planner.Plan, pool *planner.Pool) Waste {
	var w Waste
	w.Padding = pool.Padding
	w.Used = less(atPeak(pool), w.Padding)
	w.Holes = less(pool.Height, atPeak(pool))
	u := newUsage(p, pool.Scope)
	live := u.live()
	used := u.sum(func(b int, t part) sequences.Bytes { return t.exact(&p.Buffers[b]) })
	for s := range live {
		w.UsedSteps = add(w.UsedSteps, used[s])
		w.PaddingSteps = add(w.PaddingSteps, less(live[s], used[s]))
		w.HolesSteps = add(w.HolesSteps, less(pool.Height, live[s]))
	}
	return w
}

// less is a - b, or 0 where b is larger.
func less(a, b sequences.Bytes) sequences.Bytes { return a - min(a, b) }

// steps are the bytes times steps of the whole pool.
func (w *Waste) steps() sequences.Bytes {
	return add(w.UsedSteps, add(w.PaddingSteps, w.HolesSteps))
}

func (w *Waste) text(t *printer) {
	t.line("  padding\t%s at the peak", Bytes(w.Padding))
	t.line("  holes\t%s at the peak", Bytes(w.Holes))
	if all := w.steps(); all > 0 {
		t.line("  over all steps\t%.1f %% of the height used, %.1f %% padding, %.1f %% holes",
			percent(w.UsedSteps, all), percent(w.PaddingSteps, all), percent(w.HolesSteps, all))
	}
}

// peakOf is the first step at which the most bytes are in use, and how many.
func peakOf(live []sequences.Bytes) (step int, most sequences.Bytes) {
	most = slices.Max(live)
	return slices.Index(live, most), most
}
