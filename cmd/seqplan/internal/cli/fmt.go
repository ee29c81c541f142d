package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/sequences"
)

// fmtFlags say what fmt does with the formatted text.
type fmtFlags struct {
	diagnostics
	write, list, diff bool
}

func runFmt(args []string, s streams) error {
	fs := newFlags("fmt")
	var f fmtFlags
	f.flags(fs)
	fs.BoolVar(&f.write, "w", false, "write the result to the file instead of stdout")
	fs.BoolVar(&f.list, "l", false, "list files whose format differs")
	fs.BoolVar(&f.diff, "d", false, "print a diff instead of the result")
	operands, err := parse(fs, args, s)
	if err != nil {
		return err
	}
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	if (f.write || f.diff) && slices.Contains(operands, "-") {
		return usagef("-w and -d need a file")
	}
	if err := oneStdin(operands); err != nil {
		return err
	}
	failed := false
	for _, path := range operands {
		err := f.formatFile(path, s)
		if err != nil && !errors.Is(err, errReported) {
			return err
		}
		failed = failed || err != nil
	}
	if failed {
		return errReported
	}
	return nil
}

func (f *fmtFlags) formatFile(path string, s streams) error {
	data, err := f.read(path, sequences.MaxFileSize+1, s)
	if err != nil {
		return err
	}
	formatted, err := sequences.Format(data)
	var faults sequences.Diagnostics
	if errors.As(err, &faults) {
		for i := range faults {
			faults[i].Pos.File = path
		}
		return f.report(faults, path, data, s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	changed := !bytes.Equal(data, formatted)
	if f.list && changed {
		if _, err := fmt.Fprintln(s.out, path); err != nil {
			return err
		}
	}
	if f.diff {
		diff, err := gen.Diff(path, formatted)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(s.out, diff); err != nil {
			return err
		}
	}
	if f.write {
		_, err := gen.WriteIfChanged(path, formatted)
		return err
	}
	if f.list || f.diff {
		return nil
	}
	_, err = s.out.Write(formatted)
	return err
}
