package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/seqplan/seqplan/internal/tally"
)

// Text prints the result for people.
func (r *Result) Text(w io.Writer) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "device\t%s\n", r.Device)
	fmt.Fprintf(t, "sequence\t%s: %d steps, %d dynamic buffers, %d events in a batch\n", r.Sequence, r.Steps, r.Slots, r.Events)
	fmt.Fprintf(t, "work\t%s: %s\n", r.Work, r.Work.describe())
	fmt.Fprintf(t, "batches\t%d of each way, in turns, after %d that are not timed; arena mode bump in both\n", r.Batches, WarmUp)
	fmt.Fprintf(t, "slots\tequal in both ways after each batch\n")
	t.Flush()
	b.WriteByte('\n')
	t = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "One batch\treadback\tplanned\n")
	row := func(name string, value func(*Way) string, note string) {
		fmt.Fprintf(t, "  %s\t%s\t%s%s\n", name, value(&r.Readback), value(&r.Planned), note)
	}
	number := func(of func(*tally.Tally) uint64) func(*Way) string {
		return func(w *Way) string { return strconv.FormatUint(of(&w.Tally), 10) }
	}
	row("time, median", func(w *Way) string { return milli(w.Median) + " ms" }, fmt.Sprintf("\tratio %.2f", r.Ratio()))
	row("time, middle half", func(w *Way) string { return milli(w.Low) + " to " + milli(w.High) + " ms" }, "")
	row("synchronizations", number(func(t *tally.Tally) uint64 { return t.Waits }), "")
	row("launches", number(func(t *tally.Tally) uint64 { return t.Launches }), "")
	row("copies to the host", number(func(t *tally.Tally) uint64 { return t.CopiesToHost }), "")
	row("bytes of them", number(func(t *tally.Tally) uint64 { return t.BytesToHost }), "")
	row("copies to the device", number(func(t *tally.Tally) uint64 { return t.CopiesToDevice }), "")
	row("bytes of them", number(func(t *tally.Tally) uint64 { return t.BytesToDevice }), "")
	t.Flush()
	_, err := io.WriteString(w, b.String())
	return err
}

// milli is a duration in milliseconds.
func milli(d time.Duration) string { return strconv.FormatFloat(float64(d)/1e6, 'f', 3, 64) }

// JSON prints the result for programs.
func (r *Result) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		*Result
		Ratio float64 `json:"ratio"`
	}{r, r.Ratio()})
}
