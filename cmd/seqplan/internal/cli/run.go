package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels/host"
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
	fs.Uint64Var(&opts.Seed, "seed", 1, "`SEED` of the drawn counts and the patterns")
	fs.Func("overload", "multiply the drawn counts by `FACTOR`, up to their declared max (default 1)", func(text string) (err error) {
		opts.Overload, err = thousandths(text)
		return err
	})
	var capacity size
	fs.Var(&capacity, "capacity", "`SIZE` of the device pool, static region and arena (default: the capacity declared in the file, else what the worst case needs)")
	device := fs.String("device", "host", "`DEVICE` to play on: host")
	path, err := operand(fs, args, s)
	if err != nil {
		return err
	}
	if *device != "host" {
		return usagef("unknown device %q: want host", *device)
	}
	if opts.Batches < 1 {
		return usagef("-batches must be at least 1")
	}
	f, plan, err := in.plan(path, s)
	if err != nil {
		return err
	}
	opts.Capacity = cmp.Or(uint64(capacity), uint64(f.seq.Device.Capacity))
	return f.play(plan, opts, s)
}

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

func (f *file) play(plan *planner.Plan, opts play.Options, s streams) error {
	dev := host.New(host.Options{})
	result, err := play.Run(f.seq, plan, dev, opts)
	var small *staticpool.CapacityError
	if errors.As(err, &small) {
		fmt.Fprintf(s.err, "seqplan run: %s\n", err)
		f.suggest(sequences.Bytes(opts.Capacity), s)
		return errReported
	}
	if err = errors.Join(err, dev.Close()); err != nil {
		return err
	}
	if err := result.Text(s.out); err != nil {
		return err
	}
	if err := report.ClassTable(s.out, plan); err != nil {
		return err
	}
	for _, c := range result.Corrupted {
		fmt.Fprintf(s.err, "seqplan run: %s\n", c)
	}
	if !result.Sound() {
		return errors.New("the run is not sound: see above")
	}
	return nil
}
