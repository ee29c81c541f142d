package cli

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// anySize is no limit for a file.
const anySize = math.MaxInt64

// read reads at most so many bytes of a file, of which - is stdin. That it cannot be read
// is a diagnostic.
func (d *diagnostics) read(path string, most int64, s streams) ([]byte, error) {
	data, err := readInput(path, most, s.in)
	if err != nil {
		return nil, d.report(diag.List{unreadable(path, err)}, path, nil, s)
	}
	return data, nil
}

func unreadable(path string, err error) diag.Diagnostic {
	var in *fs.PathError
	if errors.As(err, &in) {
		err = in.Err // the position has the path
	}
	return diag.Diagnostic{
		Pos: diag.Pos{File: path}, Code: sequences.CodeRead, Severity: diag.Error, Message: "cannot read the file: " + err.Error(),
	}
}

func readInput(path string, most int64, in io.Reader) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(in, most))
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

// oneStdin refuses stdin that is there twice: it can be read once.
func oneStdin(paths []string) error {
	n := 0
	for _, path := range paths {
		if path == "-" {
			n++
		}
	}
	if n > 1 {
		return usagef("only one of the files can be stdin")
	}
	return nil
}
