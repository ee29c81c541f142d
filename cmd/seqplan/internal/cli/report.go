package cli

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/planner/report/page"
	"github.com/seqplan/seqplan/sequences"
)

// reporting is what a format of a report is made from.
type reporting struct {
	side
	report *report.Report
	svg    report.SVGOptions
	lines  report.MapOptions
	dot    int // how many buffers
}

// reportFormat is one format of a report.
type reportFormat struct {
	name   string
	suffix []string // of files that have it
	facts
	write func(w io.Writer, r *reporting) error
}

// facts are what a format tells, or needs, besides the plan.
type facts struct {
	fit      bool // how large a batch fits
	since    bool // what changed since a baseline
	formulas bool // those of the sequence file
}

func reportFormats() []reportFormat {
	all, none := facts{fit: true, since: true}, facts{}
	return []reportFormat{
		{"text", []string{".txt"}, all, func(w io.Writer, r *reporting) error { return report.Text(w, r.plan, r.report, r.lines) }},
		{"json", []string{".json"}, all, func(w io.Writer, r *reporting) error { return r.report.JSON(w) }},
		{"md", []string{".md"}, all, func(w io.Writer, r *reporting) error { return r.report.Markdown(w) }},
		{"html", []string{".html", ".htm"}, facts{true, true, true}, func(w io.Writer, r *reporting) error { return page.Write(w, r.seq, r.plan, r.report) }},
		{"svg", []string{".svg"}, none, func(w io.Writer, r *reporting) error { return report.SVG(w, r.plan, r.svg) }},
		{"csv", []string{".csv"}, none, func(w io.Writer, r *reporting) error { return report.CSV(w, r.plan) }},
		{"trace", []string{".trace"}, none, func(w io.Writer, r *reporting) error { return report.Trace(w, r.plan) }},
		{"dot", []string{".dot", ".gv"}, none, func(w io.Writer, r *reporting) error { return report.Dot(w, r.plan, r.dot) }},
	}
}

// findFormat finds a format by its name, or, where none is given, by the name of the output.
func findFormat(name, output string) (reportFormat, error) {
	all := reportFormats()
	suffix := strings.ToLower(filepath.Ext(output))
	if output == "-" || suffix == "" {
		suffix = ".txt"
	}
	var names []string
	for _, f := range all {
		if f.name == name || name == "" && slices.Contains(f.suffix, suffix) {
			return f, nil
		}
		names = append(names, f.name)
	}
	want := strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
	if name == "" {
		return reportFormat{}, usagef("-format is missing, and %q does not tell: want %s", output, want)
	}
	return reportFormat{}, usagef("unknown format %q: want %s", name, want)
}

// reportFlags are the flags of report.
type reportFlags struct {
	input
	format, output, by, baseline string
	top                          int
	basis                        planner.Basis
	capacity                     size
}

func (r *reportFlags) flags(fs *flag.FlagSet) {
	r.input.flags(fs)
	fs.StringVar(&r.format, "format", "", "`FORMAT` of the report: text, json, md, html, svg, csv, trace or dot (default: by the name of the output, else text)")
	fs.StringVar(&r.output, "o", "-", "write to `FILE`; - is stdout")
	fs.IntVar(&r.top, "top", 10, "list the `N` largest buffers; in dot, draw them (default in dot: all, or the largest 100)")
	fs.StringVar(&r.by, "by", string(report.ByAlgorithm), "`WHAT` the colours of svg tell: algorithm or kind")
	fs.TextVar(&r.basis, "basis", planner.BasisTypical, "`WHAT` of the arena counts against the capacity: "+bases)
	fs.Var(&r.capacity, "capacity", "ask how large a batch fits a device pool of `SIZE` bytes, and draw it in svg and html (default: the capacity declared in the file)")
	fs.StringVar(&r.baseline, "baseline", "", "in text, json, md and html, tell what changed since the older plan or sequence file `OLD`; - is stdin")
}

// check returns the format, or a mistake of usage.
func (r *reportFlags) check(path string, s streams) (reportFormat, error) {
	as, err := findFormat(r.format, r.output)
	switch {
	case err != nil:
		return as, err
	case r.top < 1:
		return as, usagef("-top must be at least 1")
	case r.by != string(report.ByAlgorithm) && r.by != string(report.ByKind):
		return as, usagef("unknown colours %q: want algorithm or kind", r.by)
	case r.baseline != "" && !as.since:
		return as, usagef("-baseline is for text, json, md and html; seqplan diff compares too")
	case r.baseline == "-" && path == "-":
		return as, usagef("only one of the two can be stdin")
	}
	return as, newOutput(r.output, []string{path, r.baseline}, s)
}

func runReport(args []string, s streams) error {
	fs := newFlags("report")
	var r reportFlags
	r.flags(fs)
	path, err := operand(fs, args, s)
	if err != nil {
		return err
	}
	as, err := r.check(path, s)
	if err != nil {
		return err
	}
	now, err := r.side(path, s)
	if err != nil {
		return err
	}
	if now.seq == nil && as.formulas {
		return usagef("%s needs the sequence file, which has the formulas: %s is a plan", as.name, path)
	}
	opts, err := r.options(as, now, s)
	if err != nil {
		return err
	}
	of := &reporting{side: now, report: report.New(now.plan, opts), svg: report.SVGOptions{Color: report.Coloring(r.by), Capacity: opts.Capacity}}
	fs.Visit(func(f *flag.Flag) {
		if f.Name == "top" {
			of.dot = r.top
		}
	})
	if r.output == "-" {
		of.lines = lines(s.out)
		return as.write(s.out, of)
	}
	var text bytes.Buffer
	if err := as.write(&text, of); err != nil {
		return err
	}
	return writeOutput(r.output, text.Bytes(), s)
}

// options finds what a format tells besides the plan.
func (r *reportFlags) options(as reportFormat, now side, s streams) (report.Options, error) {
	opts := report.Options{Top: r.top, Capacity: sequences.Bytes(r.capacity)}
	limit := cmp.Or(opts.Capacity, now.plan.Pools[sequences.Device].Capacity)
	switch {
	case limit == 0 || !as.fit:
	case now.seq == nil:
		opts.FitUnknown = "a plan has no formulas, the sequence file has"
	default:
		fit, err := planner.Fit(now.seq, limit, r.basis, planner.Options{})
		switch {
		case errors.Is(err, planner.ErrNoBatch), errors.Is(err, planner.ErrNoDemand):
			opts.FitUnknown = err.Error() // the rest of the report stands
		case err != nil:
			return opts, err
		default:
			opts.Fit = &fit
		}
	}
	if now.seq != nil {
		budgets, err := budget.Evaluate(now.seq, now.plan, budget.Options{Ways: as.fit})
		if err != nil {
			return opts, err
		}
		opts.Budgets = budgets
	}
	older := now
	if r.baseline != "" {
		var err error
		if older, err = r.side(r.baseline, s); err != nil {
			return opts, err
		}
		opts.Baseline = diff.New(older.plan, now.plan)
		opts.Baseline.Locate(older.seq, now.seq)
	}
	if len(r.params) > 0 && now.seq == nil && older.seq == nil {
		return opts, usagef("-param needs a sequence file, not a plan")
	}
	return opts, nil
}

// lines says how wide the lines of a terminal are, and whether it has colours. What is no
// terminal has lines of $COLUMNS, or of 80, and no colours. NO_COLOR takes them away.
func lines(w io.Writer) report.MapOptions {
	var opts report.MapOptions
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		opts.Width = min(n, maxColumns)
	}
	if !terminal(w) {
		return opts
	}
	if opts.Width == 0 {
		opts.Width = min(columns(w.(*os.File)), maxColumns)
	}
	opts.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return opts
}

// maxColumns is more than a terminal has.
const maxColumns = 1000
