package cli

import (
	"cmp"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

func runReport(args []string, s streams) error {
	fs := newFlags("report")
	var in input
	in.flags(fs)
	format := fs.String("format", "text", "`FORMAT` of the report: text or json")
	top := fs.Int("top", 10, "list the `N` largest buffers")
	basis := planner.BasisTypical
	fs.TextVar(&basis, "basis", basis, "`WHAT` of the arena counts against the capacity: static (none of it), typical or worst")
	var capacity size
	fs.Var(&capacity, "capacity", "ask how large a batch fits a device pool of `SIZE` bytes (default: the capacity declared in the file)")
	path, err := operand(fs, args, s)
	if err != nil {
		return err
	}
	if *top < 1 {
		return usagef("-top must be at least 1")
	}
	if *format != "text" && *format != "json" {
		return usagef("unknown format %q: want text or json", *format)
	}
	f, plan, err := in.plan(path, s)
	if err != nil {
		return err
	}
	opts := report.Options{Top: *top}
	if limit := cmp.Or(sequences.Bytes(capacity), f.seq.Device.Capacity); limit > 0 {
		fit, err := planner.Fit(f.seq, limit, basis, planner.Options{})
		if err != nil {
			return err
		}
		opts.Fit = &fit
	}
	r := report.New(plan, opts)
	if *format == "json" {
		return r.JSON(s.out)
	}
	return r.Text(s.out)
}
