package play

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/seqplan/seqplan/internal/prose"
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
	each := ""
	if r.Workers > 1 {
		each = ", for each worker"
	}
	line := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	placed, arena, high := "arena mode "+r.Mode.String(), "arena %d B%s", "the arena"
	if r.Dynamic != Arena {
		placed, arena = "dynamic buffers in a "+r.Dynamic.String()+" pool", "at most %d B for that pool%s"
		high = fmt.Sprintf("the %d B that the pool held", r.Reserved)
	}
	line("device", "%s, %s, %s", r.Device, prose.Plural(r.Workers, "worker"), placed)
	if len(r.Streams) > 1 {
		line("streams", "%d of each worker: %s; %s in a pass", len(r.Streams), strings.Join(r.Streams, ", "), prose.Plural(r.Edges, "stream wait"))
	}
	line("batches", "%d, played in %s with %s", r.Batches, prose.Plural(r.Stats.Runs, "pass"), prose.Plural(r.Waits, "host wait"))
	line("events", "%d played once, %d did not fit, %d lost, %d played twice", r.Stats.Events, len(r.Stats.Unfit), r.Lost, r.Twice)
	line("splits", "%d", r.Stats.Splits)
	if r.Fail > 0 {
		line("injected", "%s that failed on purpose", prose.Plural(r.Injected, "pass"))
	}
	line("device pool", "%d B, of which "+arena, r.Capacity, r.Arena, each)
	line("high-water", "%d B of %s, %d B of dynamic host memory", r.HighWater, high, r.HostHigh)
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
