package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// genFlags are the flags of gen.
type genFlags struct {
	input
	lang, output, pkg, prefix, depfile string
	kernels                            string
	check, diff                        bool
}

func runGen(args []string, s streams) error {
	fs := newFlags("gen")
	var g genFlags
	g.flags(fs)
	fs.StringVar(&g.lang, "lang", "", "`LANG` of the output: go, or c (for C, C++ and CUDA); default: by the name of the output (.go, .h, .hpp, .cuh)")
	fs.StringVar(&g.output, "o", "", "write to `FILE`; - is stdout")
	fs.StringVar(&g.pkg, "package", os.Getenv("GOPACKAGE"), "`NAME` of the Go package; default: $GOPACKAGE, as go generate sets it, else that of the Go files beside the output, else the name of the sequence")
	fs.StringVar(&g.prefix, "prefix", "", "`PREFIX` of C names; default: the name of the sequence")
	fs.StringVar(&g.depfile, "depfile", "", "write the dependencies of the output to `FILE`, for make")
	fs.BoolVar(&g.check, "check", false, "write nothing; exit 3 if the file is not up to date")
	fs.BoolVar(&g.diff, "diff", false, "write nothing; print what would change")
	fs.StringVar(&g.kernels, "kernels", "", "instead write the sources of the kernels and their headers to the `DIR`; takes no sequence file")
	operands, err := parse(fs, args, s)
	if err != nil {
		return err
	}
	if g.kernels != "" {
		if len(operands) > 0 || g.output != "" || g.depfile != "" || g.lang != "" || g.prefix != "" || g.check && g.diff {
			return usagef("-kernels takes a directory and at most one of -check and -diff, and no other flags")
		}
		return g.writeKernels(s)
	}
	path, err := single(operands)
	if err != nil {
		return err
	}
	if err := g.settle(); err != nil {
		return err
	}
	if path == "-" && g.depfile != "" {
		return usagef("-depfile needs a sequence file: make cannot watch stdin")
	}
	if err := newOutput(g.output, []string{path}, s); err != nil {
		return err
	}
	if err := newOutput(g.depfile, []string{path, g.output}, s); err != nil {
		return err
	}
	f, plan, err := g.plan(path, s)
	if err != nil {
		return err
	}
	text, err := g.generate(f.seq, plan)
	if diags, ok := err.(sequences.Diagnostics); ok {
		return f.report(path, diags, s)
	}
	if err != nil {
		return err
	}
	return g.deliver(path, text, s)
}

// settle checks the flags against each other and fills the language in.
func (g *genFlags) settle() error {
	if g.output == "" {
		return usagef("-o is missing")
	}
	if g.check && g.diff {
		return usagef("-check and -diff exclude each other")
	}
	if g.output == "-" && (g.check || g.diff || g.depfile != "") {
		return usagef("-check, -diff and -depfile need an output file")
	}
	if g.lang == "" {
		switch strings.ToLower(filepath.Ext(g.output)) {
		case ".go":
			g.lang = "go"
		case ".h", ".hpp", ".cuh":
			g.lang = "c"
		default:
			return usagef("-lang is missing, and %q does not tell", g.output)
		}
	}
	if g.lang != "go" && g.lang != "c" {
		return usagef("unknown language %q: want go or c", g.lang)
	}
	return nil
}

func (g *genFlags) generate(seq *sequences.Sequence, plan *planner.Plan) ([]byte, error) {
	var text bytes.Buffer
	var err error
	if g.lang == "c" {
		err = gen.C(&text, seq, plan, gen.COptions{Prefix: g.prefix})
	} else {
		dir := ""
		if g.output != "-" {
			dir = filepath.Dir(g.output)
			if g.pkg == "" {
				g.pkg = gen.PackageOf(dir)
			}
		}
		err = gen.Go(&text, seq, plan, gen.GoOptions{Package: g.pkg, Dir: dir})
	}
	return text.Bytes(), err
}

// deliver writes, compares or prints the generated text.
func (g *genFlags) deliver(source string, text []byte, s streams) error {
	switch {
	case g.output == "-":
		_, err := s.out.Write(text)
		return err
	case g.check:
		return gen.Check(g.output, text)
	case g.diff:
		diff, err := gen.Diff(g.output, text)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(s.out, diff)
		return err
	}
	if _, err := gen.WriteIfChanged(g.output, text); err != nil {
		return err
	}
	if g.depfile == "" {
		return nil
	}
	var deps bytes.Buffer
	if err := gen.Depfile(&deps, g.output, []string{source}); err != nil {
		return err
	}
	_, err := gen.WriteIfChanged(g.depfile, deps.Bytes())
	return err
}
