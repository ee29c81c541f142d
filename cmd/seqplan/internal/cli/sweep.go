package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/planner/sweep"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
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
	return f.run(work, s)
}

func (f *sweepFlags) flags(fs *flag.FlagSet) {
	fs.Func("param", "make plans for the parameter up to each value of `NAME=MIN:MAX:STEP`, NAME=MIN:MAX or NAME=VALUE; several parameters make a grid, several ranges of one are united", func(text string) error {
		r, err := sweep.ParseRange(text)
		f.ranges = append(f.ranges, r)
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

// work reads the files.
func (f *sweepFlags) work(paths []string, s streams) (*sweep.Work, error) {
	files, err := sweepInputs(paths, s)
	if err != nil {
		return nil, err
	}
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	work, err := sweep.NewWork(version, files, f.ranges)
	var size *sweep.SizeError
	if errors.As(err, &size) || errors.Is(err, sweep.ErrNoParam) {
		return nil, usagef("-param: %s", err)
	}
	return work, err
}

func sweepInputs(paths []string, s streams) ([]sweep.File, error) {
	var files []sweep.File
	for _, path := range paths {
		data, err := readInput(path, s.in)
		if err != nil {
			return nil, err
		}
		files = append(files, sweep.File{Path: path, Data: data})
	}
	return files, nil
}

func (f *sweepFlags) run(work *sweep.Work, s streams) error {
	if f.cache != "" {
		var err error
		if f.opts.Cache, err = sweep.OpenCache(f.cache); err != nil {
			return err
		}
	}
	line := newSweepLine(s.err)
	f.opts.Progress = line.tell()
	ctx, stop := interruptible()
	rows, done, err := work.Run(ctx, f.opts)
	interrupted := ctx.Err() != nil
	stop()
	line.clear()
	if err != nil && interrupted {
		fmt.Fprintf(s.err, "seqplan sweep: interrupted with %d of %d rows done", done.Done, done.Rows)
		if f.opts.Part != "" {
			fmt.Fprint(s.err, "; the same command goes on from there")
		}
		fmt.Fprintln(s.err)
		return errReported
	}
	if err != nil {
		return err
	}
	text := sweep.JSON(rows)
	if f.format == "csv" {
		text = work.CSV(rows)
	}
	if err := f.write(text, s); err != nil {
		return err
	}
	if done.Errors > 0 {
		fmt.Fprintf(s.err, "seqplan sweep: %d of %d rows are errors\n", done.Errors, done.Rows)
	}
	if done.Errors == done.Rows && done.Rows > 0 {
		return errReported
	}
	return nil
}

// write writes the output, and removes the part file, whose rows are in it.
func (f *sweepFlags) write(text []byte, s streams) error {
	if err := writeOutput(f.output, text, s); err != nil || f.opts.Part == "" {
		return err
	}
	if err := os.Remove(f.opts.Part); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil // another run of the same has removed it
}

func (f *sweepFlags) mergeShards(fs *flag.FlagSet, paths []string, s streams) error {
	var other string
	fs.Visit(func(g *flag.Flag) {
		if g.Name != "merge" && g.Name != "o" {
			other = g.Name
		}
	})
	if other != "" {
		return usagef("-merge plans nothing and takes no -%s", other)
	}
	if len(paths) == 0 {
		return usagef("want the outputs of all shards")
	}
	if err := newOutput(f.output, paths, s); err != nil {
		return err
	}
	shards, err := readShards(paths)
	if err != nil {
		return err
	}
	text, err := sweep.Merge(shards)
	if err != nil {
		return err
	}
	if lines := strings.HasPrefix(string(text), "{"); lines && filepath.Ext(f.output) == ".csv" || !lines && filepath.Ext(f.output) == ".jsonl" {
		return usagef("-o %s: the shards have another format than that name says", f.output)
	}
	return f.write(text, s)
}

func readShards(paths []string) ([]sweep.File, error) {
	var files []sweep.File
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, sweep.File{Path: path, Data: data})
	}
	return files, nil
}
