package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/sequences"
)

// packFlags are the flags of pack.
type packFlags struct {
	diagnostics
	capacity              size
	output                string
	engine                pack.Engine
	proof, asJSON, verify bool
}

func runPack(args []string, s streams) error {
	fs := newFlags("pack")
	var f packFlags
	f.flags(fs)
	fs.Var(&f.capacity, "capacity", "find a packing of at most `SIZE` bytes, or say that there is none (default: find the lowest)")
	fs.StringVar(&f.output, "o", "", "write the packing as CSV to `FILE`; - prints it, and nothing else")
	fs.Func("effort", "how much `WORK` to spend: quick, normal or max (default normal)", func(text string) (err error) {
		f.engine.Effort, err = pack.ParseEffort(text)
		return err
	})
	fs.Func("seed", "`SEED` of the random choices, a whole number (default 0)", func(text string) (err error) {
		if f.engine.Seed, err = sequences.ParseInteger(text); err != nil {
			return fmt.Errorf("want a whole number from 0 to %d", uint64(math.MaxUint64))
		}
		return nil
	})
	fs.BoolVar(&f.proof, "proof", false, "also print why no packing is lower, or why there is none")
	fs.BoolVar(&f.asJSON, "json", false, "print JSON")
	fs.BoolVar(&f.verify, "verify", false, "instead check the packing that the column offset gives")
	operands, err := parse(fs, args, s)
	if err != nil {
		return err
	}
	if len(operands) != 1 {
		return usagef("want one CSV file, got %d", len(operands))
	}
	if err := f.settle(fs, operands[0], s); err != nil {
		return err
	}
	table, err := f.read(operands[0], s)
	if err != nil {
		return err
	}
	if f.verify {
		return f.verifyPacking(table, s)
	}
	return f.pack(table, s)
}

// settle checks the flags against each other.
func (f *packFlags) settle(fs *flag.FlagSet, path string, s streams) error {
	if f.verify {
		var other string
		fs.Visit(func(g *flag.Flag) {
			if !slices.Contains([]string{"verify", "capacity", "all", "error-format", "json"}, g.Name) {
				other = g.Name
			}
		})
		if other != "" {
			return usagef("-verify packs nothing and takes no -%s", other)
		}
	}
	if f.output == "-" && (f.proof || f.asJSON) {
		return usagef("-o - prints the CSV alone, without -proof and -json")
	}
	return newOutput(f.output, []string{path}, s)
}

// pack packs a table and reports. A result with a packing is a success, whether it
// is proven the lowest or not.
func (f *packFlags) pack(table *table, s streams) error {
	problem := table.problem()
	if f.capacity > 0 {
		problem.Capacity = (*uint64)(&f.capacity)
	}
	progress := newProgress(s.err)
	f.engine.Progress = progress.tell()
	ctx, stop := interruptible()
	result, err := checkedPack(ctx, f.engine, problem)
	stop()
	progress.clear()
	var size *pack.SizeError
	if errors.As(err, &size) {
		return fmt.Errorf("%s: with the buffers before it, %s does not lie below 2^60 bytes, which is the most that can be packed", table.at(size.Buffer), table.Buffers[size.Buffer].ID)
	}
	if err != nil {
		return err
	}
	if result.Interrupted {
		s.tell(diag.Diagnostic{Severity: diag.Warning, Message: "interrupted: this is what was known so far"})
	}
	r := &packReport{table, problem, result, f.engine}
	fits := result.Status == pack.Feasible || result.Status == pack.Optimal
	if fits && f.output != "" {
		if err := f.write(table, result.Offsets, s); err != nil {
			return err
		}
	}
	if f.output != "-" || !fits {
		if err := f.print(r, s); err != nil {
			return err
		}
	}
	if fits {
		return nil
	}
	switch result.Status {
	case pack.Infeasible:
		r.reportNoPacking(s)
	case pack.Unknown:
		s.tell(diag.Diagnostic{Severity: diag.Error, Message: "found no packing that fits and no proof that there is none; -effort max or another -seed may find one"})
	}
	if f.output != "" {
		s.tell(diag.Diagnostic{Severity: diag.Error, Message: "there is nothing to write with -o"})
	}
	return errReported
}

// write writes the table with the offsets of a packing.
func (f *packFlags) write(table *table, offsets []uint64, s streams) error {
	var text bytes.Buffer
	if err := table.write(&text, offsets); err != nil {
		return err
	}
	return writeOutput(f.output, text.Bytes(), s)
}

// print prints a report. With -o - stdout is for the CSV, which there is none of.
func (f *packFlags) print(r *packReport, s streams) error {
	switch {
	case f.output == "-" && s.forMachines():
		return nil // the diagnostics say it
	case f.output == "-":
		return r.text(s.err, false)
	case f.asJSON:
		return r.json(s.out, f.proof)
	}
	return r.text(s.out, f.proof)
}

// interruptible returns a context that the first interrupt ends. The second one ends
// the process, as it does without this.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// checkedPack packs, and checks the result before anybody sees it.
func checkedPack(ctx context.Context, packer pack.Packer, p pack.Problem) (pack.Result, error) {
	r, err := packer.Pack(ctx, p)
	if err != nil {
		return pack.Result{}, err
	}
	if err := audit.Check(p, r); err != nil {
		return pack.Result{}, fmt.Errorf("internal error: %w", err)
	}
	return r, nil
}
