package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/kernels/ascendc"
	"github.com/seqplan/seqplan/kernels/csrc"
)

// sources are the trees of device sources that a project may compile.
func sources() []fs.FS { return []fs.FS{csrc.Files(), ascendc.Files()} }

// writeKernels writes the device sources to a directory, or compares them. It names
// the files that it wrote, or that are stale.
func (g *genFlags) writeKernels(s streams) error {
	var stale error
	if !g.check && !g.diff {
		if err := os.MkdirAll(g.kernels, 0o777); err != nil {
			return err
		}
	}
	for _, tree := range sources() {
		err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(tree, name)
			if err != nil {
				return err
			}
			path := filepath.Join(g.kernels, filepath.Base(name))
			if err = g.writeKernel(path, text, s); errors.Is(err, gen.ErrStale) {
				s.tell(diag.Diagnostic{Pos: diag.Pos{File: path}, Severity: diag.Error, Message: path + " is stale"})
				stale, err = errors.Join(errReported, err), nil
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return stale
}

func (g *genFlags) writeKernel(path string, text []byte, s streams) error {
	switch {
	case g.check:
		return gen.Check(path, text)
	case g.diff:
		diff, err := gen.Diff(path, text)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(s.out, diff)
		return err
	}
	changed, err := gen.WriteIfChanged(path, text)
	if err == nil && changed {
		s.note("%s", path)
	}
	return err
}
