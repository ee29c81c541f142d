package cli

import (
	"io"
	"os"
	"path/filepath"

	"github.com/seqplan/seqplan/gen"
)

// distinct refuses files of one command that are the same file, so that an output
// never replaces the sequence file or another output. Empty names are no files.
func distinct(paths ...string) error {
	for i, p := range paths {
		for _, q := range paths[:i] {
			if p != "" && q != "" && sameFile(p, q) {
				return usagef("%s and %s are one file, and nothing may replace what it is made from; choose another name", q, p)
			}
		}
	}
	return nil
}

// newOutput refuses an output that is one of the operands, of which - is stdin. An output
// that is - is stdout and replaces nothing.
func newOutput(path string, operands []string, s streams) error {
	if path == "-" {
		return nil
	}
	for _, operand := range operands {
		if operand == "-" {
			if err := distinctFromStdin(path, s.in); err != nil {
				return err
			}
		} else if err := distinct(operand, path); err != nil {
			return err
		}
	}
	return nil
}

// writeOutput writes an output of a command; - is stdout.
func writeOutput(path string, text []byte, s streams) error {
	if path == "-" {
		_, err := s.out.Write(text)
		return err
	}
	_, err := gen.WriteIfChanged(path, text)
	return err
}

// distinctFromStdin refuses an output that stdin comes from.
func distinctFromStdin(path string, in io.Reader) error {
	file, ok := in.(*os.File)
	if !ok {
		return nil
	}
	a, errA := file.Stat()
	b, errB := os.Stat(path)
	if errA == nil && errB == nil && os.SameFile(a, b) {
		return usagef("stdin and %s are one file, and nothing may replace what it is made from; choose another name", path)
	}
	return nil
}

func sameFile(p, q string) bool {
	a, errA := os.Stat(p)
	b, errB := os.Stat(q)
	if errA == nil && errB == nil {
		return os.SameFile(a, b)
	}
	return filepath.Clean(p) == filepath.Clean(q)
}
