package cli

import (
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/budget/text"
	"github.com/seqplan/seqplan/sequences"
)

func runCheck(args []string, s streams) error {
	fs := newFlags("check")
	var in input
	in.flags(fs)
	operands, err := parse(fs, args, s)
	if err != nil {
		return err
	}
	if len(operands) == 0 {
		return usagef("want at least one sequence file")
	}
	failed := false
	for _, path := range operands {
		f, err := in.load(path, s)
		if err == nil {
			err = f.check(s)
		}
		if err != nil && err != errReported {
			return err
		}
		failed = failed || err != nil
	}
	if failed {
		return errReported
	}
	return nil
}

// check plans the sequence and compares it with its budgets and the declared capacities.
func (f *file) check(s streams) error {
	plan, err := f.plan(s)
	if err != nil {
		return err
	}
	results, err := budget.Evaluate(f.seq, plan, budget.Options{Ways: true})
	if err != nil {
		return err
	}
	var diags sequences.Diagnostics
	for i := range results {
		if d, ok := text.Diagnostic(&results[i]); ok {
			diags = append(diags, d)
		}
	}
	return f.report(f.seq.File, diags, s)
}
