package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/sweep"
	"github.com/seqplan/seqplan/sequences"
)

// work reads the files and says what there is to be said about them, once.
func (f *sweepFlags) work(paths []string, s streams) (*sweep.Work, error) {
	files := sweepInputs(paths, s)
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	work, err := sweep.NewWork(version, files, f.ranges)
	var size *sweep.SizeError
	if errors.As(err, &size) || errors.Is(err, sweep.ErrNoParam) {
		return nil, usagef("-param: %s", err)
	}
	if err != nil {
		return nil, err
	}
	for i, file := range files {
		err := f.report(work.Found(i), file.Path, file.Data, s)
		if err != nil && !errors.Is(err, errReported) { // the rows of the others are made
			return nil, err
		}
	}
	return work, nil
}

func sweepInputs(paths []string, s streams) []sweep.File {
	var files []sweep.File
	for _, path := range paths {
		data, err := readInput(path, sequences.MaxFileSize+1, s.in)
		if err != nil { // a diagnostic, as every other command says it
			err = diag.List{unreadable(path, err)}
		}
		files = append(files, sweep.File{Path: path, Data: data, Err: err})
	}
	return files
}

// mayReplace refuses an output that has something else in it, by what a check says, unless
// it is to be overwritten.
func (f *sweepFlags) mayReplace(check func(old sweep.File) error) error {
	info, err := os.Stat(f.output)
	if f.output == "-" || f.opts.Anew || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := os.ReadFile(f.output)
	if err != nil {
		return err
	}
	return overwritable(check(sweep.File{Path: f.output, Data: data}))
}

// overwritable says what to do about a file that is not to be replaced.
func overwritable(err error) error {
	if errors.As(err, new(*sweep.OtherError)) {
		return fmt.Errorf("%w; -f overwrites it", err)
	}
	return err
}

// write writes the output, and removes the part file, whose rows are in it.
func (f *sweepFlags) write(text []byte, s streams) error {
	if err := writeOutput(f.output, text, s); err != nil || f.opts.Part == "" {
		return err
	}
	if err := os.Remove(f.opts.Part); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil // another run of the same has removed it
}
