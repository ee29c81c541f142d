package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
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
		return usagef("want a sequence file, or a plan, and the name of a buffer, got %d arguments", len(operands))
	}
	of, err := in.side(operands[0], s)
	if err != nil {
		return err
	}
	if of.seq == nil && len(in.params) > 0 {
		return usagef("-param needs a sequence file, not a plan")
	}
	e, err := report.NewExplanation(of.plan, operands[1])
	if err == nil {
		e.Repack()
	}
	switch {
	case err == nil && *asJSON:
		return e.JSON(s.out)
	case err == nil:
		return e.Text(s.out)
	case !errors.Is(err, report.ErrNoBuffer):
		return err
	}
	hint := "optional buffers that nothing uses are not part of a plan"
	if near := report.Near(of.plan, operands[1]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("%s has no buffer %q (%s)", operands[0], prose.Shorten(operands[1], 100), hint)
}
