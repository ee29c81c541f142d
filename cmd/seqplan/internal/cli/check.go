package cli

import (
	"github.com/seqplan/seqplan/internal/diag"
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
	if err := oneStdin(operands); err != nil {
		return err
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

// told are the diagnostics of results; an annotation shows but a few lines.
func told(results []budget.Result, format diag.Format) sequences.Diagnostics {
	if format == diag.GitHub {
		return text.Annotations(results)
	}
	var diags sequences.Diagnostics
	for i := range results {
		if d, ok := text.Diagnostic(&results[i]); ok {
			diags = append(diags, d)
		}
	}
	return diags
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
	return f.report(f.seq.File, told(results, s.found.format), s)
}
