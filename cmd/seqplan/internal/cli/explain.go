package cli

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/report"
)

func runExplain(args []string, s streams) error {
	fs := newFlags("explain")
	var in input
	in.flags(fs)
	asJSON := fs.Bool("json", false, "print the explanation as JSON")
	operands, err := parse(fs, args, s)
	if err != nil {
		return err
	}
	if len(operands) != 2 {
		return usagef("want a sequence file and the name of a buffer, got %d arguments", len(operands))
	}
	_, plan, err := in.plan(operands[0], s)
	if err != nil {
		return err
	}
	e, err := report.NewExplanation(plan, operands[1])
	switch {
	case err == nil && *asJSON:
		return e.JSON(s.out)
	case err == nil:
		return e.Text(s.out)
	case !errors.Is(err, report.ErrNoBuffer):
		return err
	}
	hint := "optional buffers that nothing uses are not part of a plan"
	names := make([]string, len(plan.Buffers))
	for i := range plan.Buffers {
		names[i] = plan.Buffers[i].Name
	}
	if near := diag.Nearest(operands[1], names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Errorf("%s has no buffer %q (%s)", operands[0], operands[1], hint)
}
