package cli

import (
	"errors"
	"flag"
	"fmt"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
	"github.com/seqplan/seqplan/sequences"
)

// diagnostics is how a command prints diagnostics.
type diagnostics struct {
	all    bool
	format diag.Format
}

func (d *diagnostics) flags(fs *flag.FlagSet) {
	fs.BoolVar(&d.all, "all", false, "print every diagnostic, not only the first ten")
	fs.TextVar(&d.format, "error-format", diag.Text, "`FORMAT` of diagnostics: text; or, all of them at the end, json, github (workflow commands) or sarif")
}

// findings are the diagnostics of one run of the command that are for machines. They
// are printed together when it ends, since a document holds all of them. Where the format
// is text they are never printed.
type findings struct {
	format  diag.Format
	list    diag.List
	sources map[string][]byte
}

// begin says how the run prints diagnostics. Until then, as text.
func (d *diagnostics) begin(s streams) { s.found.format = d.format }

// report prints diagnostics of a file, with its lines, or keeps them for the end. It
// returns errReported if one of them is an error.
func (d *diagnostics) report(l diag.List, path string, source []byte, s streams) error {
	d.begin(s)
	if d.format == diag.Text {
		if err := diag.Render(s.err, l, map[string][]byte{path: source}, diag.RenderOptions{All: d.all}); err != nil {
			return err
		}
	} else {
		s.found.add(l, path, source)
	}
	if l.HasErrors() {
		return errReported
	}
	return nil
}

// tell says something that is about no place in a file: a line of text, or a diagnostic
// without a code.
func (d *diagnostics) tell(severity diag.Severity, command, message string, s streams) {
	if d.format == diag.Text {
		fmt.Fprintf(s.err, "seqplan %s: %s\n", command, message)
		return
	}
	d.begin(s)
	s.found.add(diag.List{{Severity: severity, Message: message}}, "", nil)
}

// add keeps diagnostics, and the text of the file that they are about.
func (f *findings) add(l diag.List, path string, source []byte) {
	f.list = append(f.list, l...)
	if f.sources == nil {
		f.sources = make(map[string][]byte)
	}
	f.sources[path] = source
}

// finish ends a run: it prints the diagnostics that are for machines, and with them the
// error of the run, so that nothing else stands between. It returns what the exit code
// is to be made of. A mistake of usage stays text, whatever the format.
func (s streams) finish(e error) error {
	f := s.found
	var usage usageError
	if f.format == diag.Text || errors.As(e, &usage) || errors.Is(e, flag.ErrHelp) {
		return e
	}
	if e != nil && !errors.Is(e, errReported) {
		f.list = append(f.list, diag.Diagnostic{Severity: diag.Error, Message: e.Error()})
		if !errors.Is(e, gen.ErrStale) { // that has an exit code of its own
			e = errReported
		}
	}
	if err := diag.Render(s.err, f.list, f.sources, diag.RenderOptions{Format: f.format, Title: title}); err != nil {
		return err
	}
	return e
}

// title says in a few words what a code means.
func title(code diag.Code) string {
	for _, title := range []func(diag.Code) string{sequences.Title, planner.Title, budget.Title, gen.Title, csvfile.Title, packTitle} {
		if t := title(code); t != "" {
			return t
		}
	}
	return ""
}
