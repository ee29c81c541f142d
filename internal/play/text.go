package play

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// unfitListed is how many events that fit no arena are named.
const unfitListed = 10

// Sound reports whether the run showed no fault: no byte was lost to another
// buffer, and every event was played once or reported.
func (r *Result) Sound() bool { return r.Mismatches == 0 && r.Lost == 0 && r.Twice == 0 }

// Text prints the result for people.
func (r *Result) Text(w io.Writer) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	line("batches", "%d, played in %d passes", r.Batches, r.Stats.Runs)
	line("events", "%d played once, %d did not fit, %d lost, %d played twice", r.Stats.Events, len(r.Stats.Unfit), r.Lost, r.Twice)
	line("splits", "%d", r.Stats.Splits)
	line("device pool", "%d B, of which arena %d B", r.Capacity, r.Arena)
	line("high-water", "%d B of the arena, %d B of dynamic host memory", r.HighWater, r.HostHigh)
	line("checks", "%d, %d B compared, %d failed", r.Checks, r.Checked, r.Mismatches)
	for i, u := range r.Stats.Unfit {
		if i == unfitListed {
			line("", "and %d more events that did not fit", len(r.Stats.Unfit)-i)
			break
		}
		line("did not fit", "event %d: %s", u.Event, u.Err)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}
