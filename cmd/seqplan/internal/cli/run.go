package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/staticpool"
)

func runRun(args []string, s streams) error {
	fs := newFlags("run")
	var in input
	in.flags(fs)
	opts := play.Options{Batches: 10, Overload: play.Thousand}
	fs.IntVar(&opts.Batches, "batches", opts.Batches, "play `N` batches")
	fs.Uint64Var(&opts.Events, "events", 0, "`N` events per batch (default: the largest batch of the plan)")
	fs.Uint64Var(&opts.Seed, "seed", 1, "`SEED` of the drawn counts, the patterns and the injected failures")
	fs.Func("overload", "multiply the drawn counts by `FACTOR`, up to their declared max (default 1)", func(text string) (err error) {
		opts.Overload, err = thousandths(text)
		return err
	})
	fs.Func("fail", "make `PERCENT` of the batches fail, as if a buffer had no room, such as 5% (default 0%)", func(text string) (err error) {
		opts.Fail, err = share(text)
		return err
	})
	fs.Func("workers", "let `N` workers play at the same time, each with pools and streams of its own (default: those of the file)", func(text string) (err error) {
		opts.Workers, err = workerCount(text)
		return err
	})
	fs.TextVar(&opts.Mode, "mode", play.Planned, "`MODE` of the arena: plan (the one that the plan has chosen), bump or reuse")
	ways := dynamics{play.Arena}
	fs.Var(&ways, "dynamic", "place the dynamic buffers in these `WAYS`: arena (the device does), stream or block (the host does, in a stream-ordered or a block pool); several with commas, or all, are compared")
	var capacity size
	fs.Var(&capacity, "capacity", "`SIZE` of the device pool of a worker, static region and arena (default: the capacity declared in the file, else what the worst case needs)")
	device := deviceFlag(fs)
	path, err := operand(fs, args, s)
	if err != nil {
		return err
	}
	if err := checkDevice(*device); err != nil {
		return err
	}
	if opts.Batches < 1 {
		return usagef("-batches must be at least 1")
	}
	if len(ways) > 1 || ways[0] != play.Arena {
		if opts.Fail > 0 || opts.Mode != play.Planned {
			return usagef("-fail and -mode work in the arena alone, not with -dynamic %s", &ways)
		}
	}
	f, plan, err := in.plan(path, s)
	if err != nil {
		return err
	}
	opts.Capacity = cmp.Or(uint64(capacity), uint64(f.seq.Device.Capacity))
	opts.Workers = cmp.Or(opts.Workers, f.seq.Workers)
	if opts.Workers > maxWorkers {
		return usagef("%s has %d workers, and at most %d play at the same time: choose with -workers", path, opts.Workers, maxWorkers)
	}
	return withDevice(*device, func(dev kernels.Device) error { return f.play(plan, dev, opts, ways, s) })
}

// maxWorkers is more than any device has use for.
const maxWorkers = 1024

// thousandths reads a decimal factor.
func thousandths(text string) (uint64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 1e6) {
		return 0, errors.New("want a factor between 0 and 1000000")
	}
	n := uint64(math.Round(v * play.Thousand))
	if n == 0 {
		return 0, errors.New("want a factor of at least 0.001")
	}
	return n, nil
}

// play plays the sequence in one way and reports, or in several and compares them too.
func (f *file) play(plan *planner.Plan, dev kernels.Device, opts play.Options, ways dynamics, s streams) error {
	c, err := play.Compare(f.seq, plan, dev, opts, ways)
	var small *staticpool.CapacityError
	if errors.As(err, &small) {
		s.tell(f.fault(err.Error(), f.suggest(sequences.Bytes(opts.Capacity))))
		return errReported
	}
	if err != nil {
		return err
	}
	if err := c.Ways[0].Result.Text(s.out); err != nil {
		return err
	}
	if err := report.ClassTable(s.out, plan); err != nil {
		return err
	}
	if len(ways) > 1 {
		fmt.Fprintln(s.out)
		if err := c.Text(s.out); err != nil {
			return err
		}
	}
	sound := true
	for i := range c.Ways {
		for _, message := range faults(c.Ways[i].Result) {
			s.tell(f.fault(message, ""))
			sound = false
		}
	}
	if !sound {
		return errReported
	}
	return nil
}

// fault is a diagnostic of playing the sequence.
func (f *file) fault(message, hint string) diag.Diagnostic {
	return diag.Diagnostic{Pos: diag.Pos{File: f.seq.File}, Severity: diag.Error, Message: message, Hint: hint}
}

// faults are the corruptions of a run, and why it was no success; none if it was one.
func faults(r *play.Result) []string {
	of, memory := "", "arena"
	if r.Dynamic != play.Arena {
		memory = r.Dynamic.String() + " pool"
		of = memory + ": "
	}
	var out []string
	for _, c := range r.Corrupted {
		out = append(out, of+c.String())
	}
	if !r.Sound() {
		out = append(out, fmt.Sprintf("%sthe run is not sound: %s failed, %s lost, %d played twice", of, prose.Plural(r.Mismatches, "check"), prose.Plural(r.Lost, "event"), r.Twice))
	} else if r.Stats.Events == 0 && len(r.Stats.Unfit) > 0 {
		out = append(out, fmt.Sprintf("no event fits the %s even alone: %s", memory, r.Stats.Unfit[0].Err))
	}
	return out
}

// suggest says which batch would fit a device pool, a line for each basis.
func (f *file) suggest(capacity sequences.Bytes) string {
	var lines []string
	for _, basis := range planner.Bases() {
		line := fmt.Sprintf("largest batch that fits (%s): ", basis)
		r, err := planner.Fit(f.seq, capacity, basis, planner.Options{})
		switch {
		case err != nil:
			line += fmt.Sprintf("unknown: %s", err)
		case !r.Fits:
			line += fmt.Sprintf("none; %s = %d already needs %d bytes", r.Param, r.Value, r.Need)
		default:
			line += fmt.Sprintf("%s = %d, with %d bytes", r.Param, r.Value, r.Need)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
