package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/seqplan/seqplan/internal/play"
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
	fs.IntVar(&opts.Workers, "workers", 1, "let `N` workers play at the same time, each with pools and streams of its own")
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
	if opts.Workers < 1 || opts.Workers > maxWorkers {
		return usagef("-workers must be between 1 and %d", maxWorkers)
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
		fmt.Fprintf(s.err, "seqplan run: %s\n", err)
		f.suggest(sequences.Bytes(opts.Capacity), s)
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
	var errs []error
	for i := range c.Ways {
		errs = append(errs, verdict(c.Ways[i].Result, s))
	}
	return errors.Join(errs...)
}

// verdict names the corruptions of a run, and is an error if it was no success.
func verdict(r *play.Result, s streams) error {
	of, memory := "", "arena"
	if r.Dynamic != play.Arena {
		memory = r.Dynamic.String() + " pool"
		of = memory + ": "
	}
	for _, c := range r.Corrupted {
		fmt.Fprintf(s.err, "seqplan run: %s%s\n", of, c)
	}
	if !r.Sound() {
		return errors.New("the run is not sound: see above")
	}
	if r.Stats.Events == 0 && len(r.Stats.Unfit) > 0 {
		return fmt.Errorf("no event fits the %s even alone: %w", memory, r.Stats.Unfit[0].Err)
	}
	return nil
}

// suggest says which batch would fit a device pool.
func (f *file) suggest(capacity sequences.Bytes, s streams) {
	for _, basis := range []planner.Basis{planner.BasisStatic, planner.BasisTypical, planner.BasisWorst} {
		r, err := planner.Fit(f.seq, capacity, basis, planner.Options{})
		switch {
		case err != nil:
			fmt.Fprintf(s.err, "  largest batch that fits (%s): unknown: %s\n", basis, err)
		case !r.Fits:
			fmt.Fprintf(s.err, "  largest batch that fits (%s): none; %s = %d already needs %d bytes\n", basis, r.Param, r.Value, r.Need)
		default:
			fmt.Fprintf(s.err, "  largest batch that fits (%s): %s = %d, with %d bytes\n", basis, r.Param, r.Value, r.Need)
		}
	}
}
