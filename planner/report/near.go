package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
)

// nearNamed is how many names are suggested at most.
const nearNamed = 3

// nearLongest is the length of the longest name of a sequence file. To find what is near a
// longer one would take long.
const nearLongest = 255

// Near returns the names of the buffers that a wrong name may mean, in quotes: those that
// end in it behind a dot, else the nearest one, else those that are like it behind their
// last dots, where a name has no step.
func Near(p *planner.Plan, name string) []string {
	var all, lasts []string
	for i := range p.Buffers {
		all, lasts = append(all, p.Buffers[i].Name), append(lasts, last(p.Buffers[i].Name))
	}
	which := func(is func(string) bool) []string {
		return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !is(s) })
	}
	out := which(func(s string) bool { return strings.HasSuffix(s, "."+name) })
	known := len(name) <= nearLongest
	if len(out) == 0 && known {
		if near := diag.Nearest(name, all); near != "" {
			out = []string{near}
		}
	}
	if len(out) == 0 && known {
		end := last(name)
		if !slices.Contains(lasts, end) {
			end = diag.Nearest(end, lasts)
		}
		out = which(func(s string) bool { return end != "" && last(s) == end })
	}
	out = out[:min(nearNamed, len(out))]
	for i := range out {
		out[i] = strconv.Quote(short(out[i]))
	}
	return out
}
