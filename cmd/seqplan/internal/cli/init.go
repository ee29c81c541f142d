package cli

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

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
	text := starter(path)
	if path == "-" {
		_, err := s.out.Write(text)
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) && !*force {
		if err != nil {
			return err
		}
		return fmt.Errorf("%s exists; -f overwrites it", path)
	}
	if _, err := gen.WriteIfChanged(path, text); err != nil {
		return err
	}
	fmt.Fprintf(s.err, "wrote %s; next: seqplan plan %s\n", path, path)
	return nil
}

// starter is the file to start from, with the name of the sequence taken from the
// file name where that is an identifier.
func starter(path string) []byte {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if !token.IsIdentifier(name) || utf8.RuneCountInString(name) != len(name) {
		return sequences.Starter()
	}
	return bytes.Replace(sequences.Starter(), []byte("name: starter"), []byte("name: "+name), 1)
}
