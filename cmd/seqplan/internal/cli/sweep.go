package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/sweep"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	diagnostics
	ranges         []sweep.Range
	output, format string
	cache          string
	opts           sweep.Options
	merge          bool
}

func runSweep(args []string, s streams) error {
	fs := newFlags("sweep")
	var f sweepFlags
	f.flags(fs)
	operands, err := parse(fs, args, s)
	if err != nil {
		return err
	}
	if f.merge {
		return f.mergeShards(fs, operands, s)
	}
	if err := f.settle(operands, s); err != nil {
		return err
	}
	work, err := f.work(operands, s)
	if err != nil {
		return err
	}
	check := func(old sweep.File) error { return work.CheckOutput(old, f.opts.Shard) }
	if err := f.mayReplace(check); err != nil {
		return err
	}
	return f.run(work, check, s)
}

func (f *sweepFlags) flags(fs *flag.FlagSet) {
	f.diagnostics.flags(fs)
	fs.Func("param", "make plans for the parameter up to each value of `NAME=MIN:MAX:STEP`, NAME=MIN:MAX or NAME=VALUE, several with commas; several parameters make a grid, several ranges of one are united", func(text string) error {
		ranges, err := sweep.ParseRanges(text)
		f.ranges = append(f.ranges, ranges...)
		return err
	})
	fs.StringVar(&f.output, "o", "-", "write to `FILE`, and finished rows to FILE.part until all are, so that a run can go on where it was stopped; - is stdout")
	fs.StringVar(&f.format, "format", "", "`FORMAT` of the rows: jsonl (lines of JSON) or csv (default: by the name of the output, else jsonl)")
	fs.IntVar(&f.opts.Jobs, "jobs", 0, "make `N` plans at a time (default: one for each core)")
	fs.StringVar(&f.cache, "cache", "", "keep results in the `DIR`, and take from there what has been planned before")
	fs.Func("shard", "make every N-th row from row I on, of `I/N`; auto takes I and N from the environment of an array job", func(text string) (err error) {
		if text == "auto" {
			f.opts.Shard, err = sweep.AutoShard(os.Getenv)
			return err
		}
		f.opts.Shard, err = sweep.ParseShard(text)
		return err
	})
	fs.BoolVar(&f.opts.Anew, "f", false, "overwrite an output, and a FILE.part, with other rows than those that are made")
	fs.BoolVar(&f.merge, "merge", false, "instead put the outputs of all shards together")
}

// settle checks the flags against each other.
func (f *sweepFlags) settle(paths []string, s streams) error {
	if len(paths) == 0 {
		return usagef("want at least one sequence file")
	}
	if f.opts.Jobs < 0 || f.opts.Jobs > maxWorkers {
		return usagef("-jobs must be between 1 and %d", maxWorkers)
	}
	if f.format == "" {
		f.format = "jsonl"
		if filepath.Ext(f.output) == ".csv" {
			f.format = "csv"
		}
	}
	if f.format != "jsonl" && f.format != "csv" {
		return usagef("unknown format %q: want jsonl or csv", f.format)
	}
	if f.output != "-" {
		if info, err := os.Stat(f.output); err == nil && !info.Mode().IsRegular() {
			return usagef("-o %s is no file that can be replaced when all rows are there", f.output)
		}
		f.opts.Part = f.output + ".part"
	}
	sorted := slices.Sorted(slices.Values(paths))
	if len(slices.Compact(sorted)) < len(paths) {
		return usagef("a file is there twice")
	}
	for _, output := range []string{f.output, f.opts.Part} {
		if err := newOutput(output, paths, s); err != nil {
			return err
		}
	}
	return nil
}

// run makes the rows and writes them, if the output may still be replaced by then.
func (f *sweepFlags) run(work *sweep.Work, check func(old sweep.File) error, s streams) error {
	if f.cache != "" {
		var err error
		if f.opts.Cache, err = sweep.OpenCache(f.cache); err != nil {
			return err
		}
	}
	line := newSweepLine(f.opts.Part, s)
	f.opts.Progress = line.show
	ctx, stop := interruptible()
	rows, done, err := work.Run(ctx, f.opts)
	interrupted := ctx.Err() != nil
	stop()
	line.clear()
	if err != nil && interrupted {
		message := fmt.Sprintf("interrupted with %d of %d rows done", done.Done, done.Rows)
		if f.opts.Part != "" {
			message += "; the same command goes on from there"
		}
		s.tell(diag.Diagnostic{Severity: diag.Error, Message: message})
		return errReported
	}
	if err != nil {
		return overwritable(err)
	}
	text := sweep.JSON(rows)
	if f.format == "csv" {
		text = work.CSV(rows)
	}
	if err := f.mayReplace(check); err != nil {
		return err
	}
	if err := f.write(text, s); err != nil {
		return err
	}
	return sumUp(rows, done, s)
}

// sumUp says what did not come out well. Rows that are errors make the exit code; where a
// budget breaks is what a sweep is to find.
func sumUp(rows []sweep.Row, done sweep.Progress, s streams) error {
	if done.Uncached != nil {
		s.tell(diag.Diagnostic{Severity: diag.Warning, Message: fmt.Sprintf("results are not in the cache: %v", done.Uncached)})
	}
	if done.Exceeded > 0 {
		first := &rows[slices.IndexFunc(rows, func(r sweep.Row) bool { return !r.Budgets.Hold() })]
		s.tell(diag.Diagnostic{Severity: diag.Warning, Message: fmt.Sprintf("in %d of %d rows a budget does not hold, first in row %d (%s): %s",
			done.Exceeded, done.Rows, first.Row, first.Point(), first.Budgets)})
	}
	if done.Errors == 0 {
		return nil
	}
	first := &rows[slices.IndexFunc(rows, func(r sweep.Row) bool { return r.Error != "" })]
	s.tell(diag.Diagnostic{Severity: diag.Error, Message: fmt.Sprintf("%d of %d rows are errors, the first is row %d (%s): %s",
		done.Errors, done.Rows, first.Row, first.Point(), first.Error)})
	return errReported
}
