package cli

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
	"github.com/seqplan/seqplan/sequences"
)

// diagnostics is how a command prints diagnostics.
type diagnostics struct{ all bool }

func (d *diagnostics) flags(fs *flag.FlagSet) {
	fs.BoolVar(&d.all, "all", false, "print every diagnostic, not only the first ten")
	fs.TextVar(new(diag.Format), "error-format", diag.Text, "`FORMAT` of diagnostics: text; or, all of them at the end, json, github (workflow commands) or sarif")
}

// findings are the diagnostics of one run of the command that are for machines. They
// are printed together when it ends, since a document holds all of them. Where the format
// is text they never are.
type findings struct {
	format  diag.Format // as -error-format says it: parse sets it, for every command
	list    diag.List
	sources map[string][]byte
}

// setFormat takes the format from the flags of a command, if it has the flag.
func (f *findings) setFormat(fs *flag.FlagSet) {
	if set := fs.Lookup("error-format"); set != nil {
		_ = f.format.UnmarshalText([]byte(set.Value.String())) // it is a format: the flag was read
	}
}

// add keeps diagnostics, and the text of the file that they are about.
func (f *findings) add(l diag.List, path string, source []byte) {
	f.list = append(f.list, l...)
	if f.sources == nil {
		f.sources = make(map[string][]byte)
	}
	f.sources[path] = source
}

// forMachines tells whether stderr is for a document, and so for nothing else.
func (s streams) forMachines() bool { return s.found.format != diag.Text }

// report prints diagnostics of a file, with its lines, or keeps them for the end. It
// returns errReported if one of them is an error.
func (d *diagnostics) report(l diag.List, path string, source []byte, s streams) error {
	if s.forMachines() {
		s.found.add(l, path, source)
	} else if err := diag.Render(s.err, l, map[string][]byte{path: source}, diag.RenderOptions{All: d.all}); err != nil {
		return err
	}
	if l.HasErrors() {
		return errReported
	}
	return nil
}

// tell says what is about no line of a file: as lines of text, those of the hint indented,
// or as a diagnostic for the end.
func (s streams) tell(d diag.Diagnostic) {
	if s.forMachines() {
		s.found.add(diag.List{d}, "", nil)
		return
	}
	s.note("seqplan %s: %s", s.command.name, d.Message)
	if d.Hint != "" {
		s.note("  %s", strings.ReplaceAll(d.Hint, "\n", "\n  "))
	}
}

// note prints what is no diagnostic, such as the files that were written, and nothing to
// machines.
func (s streams) note(format string, args ...any) {
	if s.forMachines() {
		return
	}
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		fmt.Fprintln(s.err, prose.PlainTabbed(line))
	}
}

// finish ends a run and returns its exit code: it tells the error that ended it and prints
// the document of what is for machines.
func (s streams) finish(e error) int {
	if errors.Is(e, flag.ErrHelp) {
		return exitOK
	}
	code := exitCode(e)
	quiet := code == exitStale && !s.forMachines() // the exit code says it
	if e != nil && !errors.Is(e, errReported) && !quiet {
		d := diag.Diagnostic{Severity: diag.Error, Message: e.Error()}
		if code == exitUsage {
			d.Hint = fmt.Sprintf("usage: seqplan %s %s", s.command.name, s.command.args)
		}
		s.tell(d)
	}
	if !s.forMachines() {
		return code
	}
	err := diag.Render(s.err, s.found.list, s.found.sources, diag.RenderOptions{Format: s.found.format, Title: title})
	if err != nil && code == exitOK {
		code = exitFault
	}
	return code
}

// title says in a few words what a code means.
func title(code diag.Code) string {
	for _, title := range []func(diag.Code) string{sequences.Title, planner.Title, budget.Title, diff.Title, gen.Title, csvfile.Title, packTitle} {
		if t := title(code); t != "" {
			return t
		}
	}
	return ""
}
