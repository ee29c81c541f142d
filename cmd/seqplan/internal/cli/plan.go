package cli

import (
	"bytes"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/planner/report"
)

func runPlan(args []string, s streams) error {
	fs := newFlags("plan")
	var in input
	in.flags(fs)
	asJSON := fs.Bool("json", false, "print the plan as JSON")
	output := fs.String("o", "", "write the plan as JSON to `FILE`")
	path, err := operand(fs, args, s)
	if err != nil {
		return err
	}
	if err := distinct(path, *output); err != nil {
		return err
	}
	_, plan, err := in.plan(path, s)
	if err != nil {
		return err
	}
	if *output != "" {
		var text bytes.Buffer
		if err := plan.WriteJSON(&text); err != nil {
			return err
		}
		if _, err := gen.WriteIfChanged(*output, text.Bytes()); err != nil {
			return err
		}
	}
	if *asJSON {
		return plan.WriteJSON(s.out)
	}
	return report.Summary(s.out, plan)
}
