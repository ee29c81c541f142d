package cli

import (
	"bytes"

	"github.com/seqplan/seqplan/planner/report"
)

func runPlan(args []string, s streams) error {
	fs := newFlags("plan")
	var in input
	in.flags(fs)
	asJSON := fs.Bool("json", false, "print the plan as JSON")
	output := fs.String("o", "", "write the plan as JSON to `FILE`; - is stdout, and nothing else goes there")
	path, err := operand(fs, args, s)
	if err != nil {
		return err
	}
	if err := newOutput(*output, []string{path}, s); err != nil {
		return err
	}
	_, plan, err := in.plan(path, s)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := plan.WriteJSON(&text); err != nil {
		return err
	}
	if *output != "" {
		if err := writeOutput(*output, text.Bytes(), s); err != nil {
			return err
		}
	}
	switch {
	case *output == "-": // all of stdout
		return nil
	case *asJSON:
		return writeOutput("-", text.Bytes(), s)
	}
	return report.Summary(s.out, plan)
}
