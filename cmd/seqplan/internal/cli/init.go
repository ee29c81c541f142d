package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/sequences"
)

func runInit(args []string, s streams) error {
	flags := newFlags("init")
	force := flags.Bool("f", false, "overwrite an existing file")
	operands, err := parse(flags, args, s)
	if err != nil {
		return err
	}
	if len(operands) == 0 {
		operands = []string{"sequence.yaml"}
	}
	if len(operands) > 1 {
		return usagef("want one file name, got %d", len(operands))
	}
	path := operands[0]
	if path == "-" {
		_, err := s.out.Write(sequences.Starter())
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) && !*force {
		if err != nil {
			return err
		}
		return fmt.Errorf("%s exists; -f overwrites it", path)
	}
	if _, err := gen.WriteIfChanged(path, sequences.Starter()); err != nil {
		return err
	}
	fmt.Fprintf(s.err, "wrote %s; next: seqplan report %s\n", path, path)
	return nil
}
