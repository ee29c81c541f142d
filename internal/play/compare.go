package play

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Comparison is the same batches, played with several ways to place dynamic buffers.
type Comparison struct {
	Ways []Way `json:"ways"`
}

// Way is one of them.
type Way struct {
	*Result
	// Batch is the median time of a batch, with all its passes and checks.
	Batch time.Duration `json:"batch_ns"`
}

// Compare plays a sequence once for each way, as Run does with the other options. It
// stops at the first error.
func Compare(seq *sequences.Sequence, plan *planner.Plan, dev kernels.Device, opts Options, ways []Dynamic) (*Comparison, error) {
	for _, d := range ways {
		if err := d.check(&opts); err != nil {
			return nil, err
		}
	}
	c := new(Comparison)
	for _, d := range ways {
		opts.Dynamic = d
		result, times, err := run(seq, plan, dev, opts)
		switch {
		case err != nil && len(ways) > 1:
			return nil, fmt.Errorf("dynamic buffers by %s: %w", d, err)
		case err != nil:
			return nil, err
		}
		c.Ways = append(c.Ways, Way{result, median(times)})
	}
	return c, nil
}

func median(times []time.Duration) time.Duration {
	n := len(times)
	if n == 0 {
		return 0
	}
	slices.Sort(times)
	return (times[(n-1)/2] + times[n/2]) / 2
}

// Text prints a line for each way, for people.
func (c *Comparison) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "The same batches, by what places the dynamic buffers\n")
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  dynamic\tpasses\tevents\tunfit\tsynchronizations\treserved\tused\tdriver allocations\ttime\tsound\n")
	for i := range c.Ways {
		way := &c.Ways[i]
		sound := "yes"
		if !way.Sound() {
			sound = "no"
		}
		fmt.Fprintf(t, "  %s\t%d\t%d\t%d\t%s\t%d B\t%d B\t%d\t%s ms\t%s\n", way.Dynamic, way.Stats.Runs, way.Stats.Events, len(way.Stats.Unfit), way.perBatch(),
			way.Reserved, way.HighWater, way.Allocations, strconv.FormatFloat(float64(way.Batch)/1e6, 'f', 3, 64), sound)
	}
	t.Flush()
	b.WriteString("Events are those that were played, unfit those that did not fit even alone. Synchronizations and\n" +
		"time are of one batch with all its passes; the time is a median, and most of it goes into filling\n" +
		"and checking every byte: `seqplan bench` times placing alone. Reserved and used are peaks of one\n" +
		"worker; the arena reserves its capacity when it is opened, used is its high-water mark.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// perBatch is how often a batch waits for the device.
func (w *Way) perBatch() string {
	if w.Batches == 0 || w.Waits%uint64(w.Batches) == 0 {
		return strconv.FormatUint(w.Waits/uint64(max(w.Batches, 1)), 10)
	}
	return strconv.FormatFloat(float64(w.Waits)/float64(w.Batches), 'f', 1, 64)
}
