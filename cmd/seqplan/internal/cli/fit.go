package cli

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

func runFit(args []string, s streams) error {
	fs := newFlags("fit")
	var in input
	in.flags(fs)
	t := fitTable{Format: fitFormat, Basis: planner.BasisTypical, Rows: []fitRow{}}
	fs.TextVar(&t.Basis, "basis", t.Basis, "`WHAT` of the arena counts: "+bases)
	format := fs.String("format", "text", "`FORMAT` of the table: text, json or csv")
	var capacities []sequences.Bytes
	fs.Func("capacity", "`SIZE` of the device memory for all workers, several with commas (default: what the file declares for the pool of each worker)", func(text string) error {
		for word := range strings.SplitSeq(text, ",") {
			var v size
			if err := v.Set(word); err != nil {
				return err
			}
			capacities = append(capacities, sequences.Bytes(v))
		}
		return nil
	})
	var workers []uint64
	fs.Func("workers", "share each capacity between `N` workers, each with pools of its own; several numbers with commas (default: those of the file)", func(text string) (err error) {
		workers, err = workerCounts(text)
		return err
	})
	path, err := operand(fs, args, s)
	if err != nil {
		return err
	}
	write, ok := map[string]func(*fitTable, io.Writer) error{"text": (*fitTable).text, "json": (*fitTable).json, "csv": (*fitTable).csv}[*format]
	if !ok {
		return usagef("unknown format %q: want text, json or csv", *format)
	}
	f, err := in.load(path, s)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(f.seq.Params, func(p sequences.Param) bool { return p.Name == f.batch }); i >= 0 && i != int(f.seq.Batch) {
		return usagef("-param leaves one value of %s, and fit looks for the largest: give it a range", f.batch)
	}
	if len(workers) == 0 {
		workers = []uint64{uint64(f.seq.Workers)}
	}
	if declared := f.seq.Device.Capacity; len(capacities) == 0 && declared > 0 {
		if len(workers) > 1 {
			return usagef("the capacity that %s declares is that of the pool of each worker: give the one of the device with -capacity", path)
		}
		total, err := checked.Mul(uint64(declared), workers[0])
		if err != nil {
			return fmt.Errorf("the declared capacity for %d workers: %w", workers[0], err)
		}
		capacities = append(capacities, sequences.Bytes(total))
	}
	if len(capacities) == 0 {
		return usagef("%s declares no capacity: give one with -capacity", path)
	}
	if err := t.fill(f, capacities, workers, s); err != nil {
		return err
	}
	if t.Basis == planner.BasisPeak && *format == "text" {
		if t.note, err = aboveThePeak(f.seq); err != nil {
			return err
		}
	}
	if err := write(&t, s.out); err != nil {
		return err
	}
	for _, r := range t.Rows {
		if r.Fits {
			return nil
		}
	}
	return fmt.Errorf("not even %s = %d fits", t.Param, t.Min)
}

// aboveThePeak says what of its peak the arena takes on a device.
func aboveThePeak(seq *sequences.Sequence) (string, error) {
	plan, err := planner.Make(seq, planner.Options{})
	if err != nil {
		return "", err
	}
	sim := plan.Arena.Simulated
	switch {
	case sim == nil:
		return "", nil
	case !plan.Arena.Reuse:
		return "the peak is the least that an arena needs; this one, in the mode bump, takes all of its sum: see -basis typical", nil
	}
	return fmt.Sprintf("the peak is the least that an arena needs; this one, in the mode reuse, took %s times that on average in %d simulated batches, and up to %s: leave room for it",
		report.Decimal(sim.Reuse.Mean), sim.Draws, report.Decimal(sim.Reuse.Worst)), nil
}

func workerCounts(text string) (counts []uint64, err error) {
	for word := range strings.SplitSeq(text, ",") {
		n, err := workerCount(word)
		if err != nil {
			return nil, err
		}
		counts = append(counts, uint64(n))
	}
	return counts, nil
}

// workerCount reads a number of workers.
func workerCount(text string) (int, error) {
	n, err := sequences.ParseInteger(text)
	if err != nil || n < 1 || n > maxWorkers {
		return 0, fmt.Errorf("want a number from 1 to %d", maxWorkers)
	}
	return int(n), nil
}

// fitFormat is the version of the JSON form of a fitTable.
const fitFormat = 1

// fitTable is the largest batch for several capacities.
type fitTable struct {
	Format int           `json:"seqplan_fit"`
	Name   string        `json:"name"`
	Param  string        `json:"param"` // the batch-size parameter
	Min    uint64        `json:"min"`   // its declared range
	Max    uint64        `json:"max"`
	Basis  planner.Basis `json:"basis"`
	Rows   []fitRow      `json:"rows"`
	note   string        // below the rows, in text
}

// fitRow is planner.FitResult for one capacity and number of workers.
type fitRow struct {
	Capacity sequences.Bytes `json:"capacity"` // of all workers
	Workers  uint64          `json:"workers"`
	Share    sequences.Bytes `json:"share"` // of one worker
	Fits     bool            `json:"fits"`
	Value    uint64          `json:"value"`
	Need     sequences.Bytes `json:"need"` // of one worker
	Limited  bool            `json:"limited"`
	Next     sequences.Bytes `json:"next"`
}

// fill plans the sequence, for its faults, and asks for each row.
func (t *fitTable) fill(f *file, capacities []sequences.Bytes, workers []uint64, s streams) error {
	plan, err := f.plan(s)
	if err != nil {
		return err
	}
	fitter, err := planner.NewFitter(f.seq, t.Basis, planner.Options{})
	if err != nil {
		return err
	}
	param := fitter.Param()
	t.Name, t.Param, t.Min, t.Max = plan.Name, param.Name, param.Min, param.Max
	for _, capacity := range capacities {
		for _, n := range workers {
			share := capacity / sequences.Bytes(n)
			r, err := fitter.Fit(share)
			if errors.Is(err, planner.ErrNoDemand) {
				return fmt.Errorf("%w; -basis static leaves the arena out", err)
			}
			if err != nil {
				return err
			}
			t.Rows = append(t.Rows, fitRow{capacity, n, share, r.Fits, r.Value, r.Need, r.Limited, r.Next})
		}
	}
	return nil
}

func (t *fitTable) json(w io.Writer) error { return writeJSON(w, t) }

func (t *fitTable) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"param", "basis", "capacity", "workers", "share", "fits", "value", "need", "limited", "next"})
	number := func(v uint64) string { return strconv.FormatUint(v, 10) }
	for _, r := range t.Rows {
		_ = out.Write([]string{
			t.Param, t.Basis.String(), number(uint64(r.Capacity)), number(r.Workers), number(uint64(r.Share)), strconv.FormatBool(r.Fits),
			number(r.Value), number(uint64(r.Need)), strconv.FormatBool(r.Limited), number(uint64(r.Next)),
		})
	}
	out.Flush()
	return out.Error() // the first one
}

func (t *fitTable) text(w io.Writer) error {
	fmt.Fprintf(w, "%s: largest %s in %d ... %d that fits: %s\n", t.Name, t.Param, t.Min, t.Max, report.BasisText(t.Basis))
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "  capacity\tworkers\tone worker has\t%s\tit needs\tand for the next %s\n", t.Param, t.Param)
	for _, r := range t.Rows {
		value, next := strconv.FormatUint(r.Value, 10), report.Bytes(r.Next)
		switch {
		case !r.Fits:
			value, next = "none", fmt.Sprintf("(at %s = %d)", t.Param, r.Value)
		case r.Limited:
			next = "(largest of the declared range)"
		}
		fmt.Fprintf(out, "  %s\t%d\t%s\t%s\t%s\t%s\n", report.Bytes(r.Capacity), r.Workers, report.Bytes(r.Share), value, report.Bytes(r.Need), next)
	}
	if t.note != "" {
		fmt.Fprintf(out, "  %s\n", t.note)
	}
	return out.Flush()
}
