package cli

import (
	"cmp"

	"github.com/seqplan/seqplan/internal/bench"
	"github.com/seqplan/seqplan/kernels"
)

func runBench(args []string, s streams) error {
	fs := newFlags("bench")
	var in input
	in.flags(fs)
	opts := bench.Options{Batches: 20}
	fs.IntVar(&opts.Batches, "batches", opts.Batches, "time `N` batches of each way")
	fs.Uint64Var(&opts.Events, "events", 0, "`N` events per batch (default: the largest batch of the plan)")
	fs.Uint64Var(&opts.Seed, "seed", 1, "`SEED` of the drawn counts")
	fs.TextVar(&opts.Work, "work", bench.None, "`WORK` of the kernels besides storing the counts: none, touch (a byte of each device buffer) or full (all bytes)")
	var capacity size
	fs.Var(&capacity, "capacity", "`SIZE` of the device pool, static region and arena (default: the capacity declared in the file, else what the worst case needs)")
	asJSON := fs.Bool("json", false, "print JSON")
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
	f, plan, err := in.plan(path, s)
	if err != nil {
		return err
	}
	opts.Capacity = cmp.Or(uint64(capacity), uint64(f.seq.Device.Capacity))
	return withDevice(*device, func(dev kernels.Device) error {
		result, err := bench.Run(f.seq, plan, dev, opts)
		switch {
		case err != nil:
			return err
		case *asJSON:
			return result.JSON(s.out)
		}
		return result.Text(s.out)
	})
}
