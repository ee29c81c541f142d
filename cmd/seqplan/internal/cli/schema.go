package cli

import "github.com/seqplan/seqplan/sequences"

func runSchema(args []string, s streams) error {
	fs := newFlags("schema")
	operands, err := parse(fs, args, s)
	if err != nil {
		return err
	}
	if len(operands) > 0 {
		return usagef("want no arguments")
	}
	text, err := sequences.Schema()
	if err != nil {
		return err
	}
	_, err = s.out.Write(text)
	return err
}
