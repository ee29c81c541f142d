package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
)

// verdicts are what people act on: budgets, how large a batch fits, and what changed.
func (r *Report) verdicts(t *printer) {
	if len(r.Budgets) > 0 {
		r.Budgets.text(t)
	}
	if f := r.Fit; f != nil {
		t.section("Capacity %s, %s", Bytes(f.Capacity), BasisText(f.Basis))
		t.line("  %s", fitText(f, short(f.Param)))
		if over := r.batchOver(short(f.Param)); over != "" {
			t.line("  %s", phrase(over))
		}
		t.line("  workers that fit at the largest declared %s: %d", f.Param, f.Workers)
	}
	for _, over := range r.overCapacity() {
		t.section("%s", phrase(over))
	}
	if r.FitUnknown != "" {
		t.section("Capacity")
		t.line("  how large a batch fits is unknown: %s", whole(r.FitUnknown))
	}
	if r.Baseline != nil {
		t.section("Since the baseline")
		for _, line := range r.Baseline.Lines(diff.Options{}) {
			if line != "" {
				line = "  " + line
			}
			t.line("%s", phrase(line))
		}
	}
}

// batchOver says that the largest declared batch, which is the one of the plan, does not fit,
// where a smaller one does.
func (r *Report) batchOver(param string) string {
	f := r.Fit
	if !f.Fits || f.Limited {
		return ""
	}
	need := r.Pools[sequences.Device].Size
	if f.Basis != planner.BasisStatic && r.Arena.Slots > 0 {
		i := slices.IndexFunc(r.Needs, func(n Need) bool { return n.Basis == f.Basis })
		if i < 0 || r.Needs[i].Bytes == nil {
			return ""
		}
		need = *r.Needs[i].Bytes
	}
	return fmt.Sprintf("the largest declared %s does not fit: it needs %s, %s too much", param, Bytes(need), Bytes(less(need, f.Capacity)))
}

// overCapacity names pools that do not fit, where neither a budget nor Fit says so.
func (r *Report) overCapacity() (list []string) {
	for i := range r.Pools {
		p := &r.Pools[i]
		if p.Capacity > 0 && p.Size > p.Capacity && len(r.Budgets) == 0 && r.Fit == nil {
			list = append(list, fmt.Sprintf("The static %s pool is over its capacity of %s by %s", p.Scope, Bytes(p.Capacity), Bytes(p.Size-p.Capacity)))
		}
	}
	return list
}

// markdownVerdicts are the same in Markdown.
func (r *Report) markdownVerdicts(w io.Writer, line func(string, ...any)) error {
	if len(r.Budgets) > 0 {
		r.Budgets.markdown(line)
	}
	if f := r.Fit; f != nil {
		over := r.batchOver(code(f.Param))
		if over != "" {
			over = "; " + over
		}
		line("Capacity %s, %s: %s%s.\n", Bytes(f.Capacity), BasisText(f.Basis), fitText(f, code(f.Param)), over)
	}
	for _, over := range r.overCapacity() {
		line("**%s.**\n", over)
	}
	if r.FitUnknown != "" {
		line("How large a batch fits is unknown: %s.\n", code(r.FitUnknown))
	}
	if r.Baseline == nil {
		return nil
	}
	if err := r.Baseline.Markdown(w, diff.Options{}); err != nil {
		return err
	}
	line("\n### Where the memory goes now\n") // the headings above are of the comparison
	return nil
}

// fitText says how large a batch fits.
func fitText(f *planner.FitResult, param string) phrase {
	switch {
	case !f.Fits:
		return phrase(fmt.Sprintf("not even %s = %d fits: it needs %s, %s too much", param, f.Value, Bytes(f.Need), Bytes(less(f.Need, f.Capacity))))
	case f.Limited:
		return phrase(fmt.Sprintf("%s = %d fits with %s; limited by the declared range", param, f.Value, Bytes(f.Need)))
	}
	return phrase(fmt.Sprintf("largest %s that fits: %d with %s; %d would need %s", param, f.Value, Bytes(f.Need), f.Value+1, Bytes(f.Next)))
}

// BasisText is what of the arena counts by a basis, in words.
func BasisText(b planner.Basis) string {
	switch b {
	case planner.BasisPeak:
		return "static region and what is live at once in a typical arena"
	case planner.BasisTypical:
		return "static region and typical arena without reuse"
	case planner.BasisWorst:
		return "static region and worst-case arena without reuse"
	}
	return "static region only"
}
