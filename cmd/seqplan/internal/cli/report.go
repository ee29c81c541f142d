package cli

import (
	"bytes"
	"cmp"
	"errors"
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
	seq    *sequences.Sequence
	plan   *planner.Plan
	report *report.Report
	by     report.Coloring
	lines  report.MapOptions
}

// reportFormat is one format of a report.
type reportFormat struct {
	name   string
	suffix []string // of files that have it
	fit    bool     // it tells how large a batch fits
	since  bool     // it tells what changed since a baseline
	write  func(w io.Writer, r *reporting) error
}

func reportFormats() []reportFormat {
	return []reportFormat{
		{"text", []string{".txt"}, true, true, func(w io.Writer, r *reporting) error { return report.Text(w, r.plan, r.report, r.lines) }},
		{"json", []string{".json"}, true, true, func(w io.Writer, r *reporting) error { return r.report.JSON(w) }},
		{"md", []string{".md"}, true, true, func(w io.Writer, r *reporting) error { return r.report.Markdown(w) }},
		{"html", []string{".html", ".htm"}, true, false, func(w io.Writer, r *reporting) error { return page.Write(w, r.seq, r.plan, r.report) }},
		{"svg", []string{".svg"}, false, false, func(w io.Writer, r *reporting) error {
			return report.SVG(w, r.plan, report.SVGOptions{Color: r.by})
		}},
		{"csv", []string{".csv"}, false, false, func(w io.Writer, r *reporting) error { return report.CSV(w, r.plan) }},
		{"trace", []string{".trace"}, false, false, func(w io.Writer, r *reporting) error { return report.Trace(w, r.plan) }},
		{"dot", []string{".dot", ".gv"}, false, false, func(w io.Writer, r *reporting) error { return report.Dot(w, r.plan) }},
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

func runReport(args []string, s streams) error {
	fs := newFlags("report")
	var in input
	in.flags(fs)
	format := fs.String("format", "", "`FORMAT` of the report: text, json, md, html, svg, csv, trace or dot (default: by the name of the output, else text)")
	output := fs.String("o", "-", "write to `FILE`; - is stdout")
	top := fs.Int("top", 10, "list the `N` largest buffers")
	by := fs.String("by", string(report.ByAlgorithm), "`WHAT` the colours of svg tell: algorithm or class")
	basis := planner.BasisTypical
	fs.TextVar(&basis, "basis", basis, "`WHAT` of the arena counts against the capacity: static (none of it), typical or worst")
	var capacity size
	fs.Var(&capacity, "capacity", "ask how large a batch fits a device pool of `SIZE` bytes (default: the capacity declared in the file)")
	baseline := fs.String("baseline", "", "in text, json and md, tell what changed since the older plan or sequence file `OLD`")
	path, err := operand(fs, args, s)
	if err != nil {
		return err
	}
	if *top < 1 {
		return usagef("-top must be at least 1")
	}
	if *by != string(report.ByAlgorithm) && *by != string(report.ByClass) {
		return usagef("unknown colours %q: want algorithm or class", *by)
	}
	as, err := findFormat(*format, *output)
	if err != nil {
		return err
	}
	if *baseline != "" && !as.since {
		return usagef("-baseline is for text, json and md; seqplan diff compares too")
	}
	if err := newOutput(*output, []string{path, *baseline}, s); err != nil {
		return err
	}
	f, plan, err := in.plan(path, s)
	if err != nil {
		return err
	}
	opts := report.Options{Top: *top}
	if limit := cmp.Or(sequences.Bytes(capacity), f.seq.Device.Capacity); limit > 0 && as.fit {
		fit, err := planner.Fit(f.seq, limit, basis, planner.Options{})
		switch {
		case errors.Is(err, planner.ErrNoBatch), errors.Is(err, planner.ErrNoDemand):
			opts.FitUnknown = err.Error() // the rest of the report stands
		case err != nil:
			return err
		default:
			opts.Fit = &fit
		}
	}
	if opts.Budgets, err = budget.Evaluate(f.seq, plan, budget.Options{}); err != nil {
		return err
	}
	if *baseline != "" {
		old, err := in.side(*baseline, s)
		if err != nil {
			return err
		}
		opts.Baseline = diff.New(old.plan, plan)
		opts.Baseline.Locate(old.seq, f.seq)
	}
	r := &reporting{seq: f.seq, plan: plan, report: report.New(plan, opts), by: report.Coloring(*by)}
	if *output == "-" {
		r.lines = lines(s.out)
		return as.write(s.out, r)
	}
	var text bytes.Buffer
	if err := as.write(&text, r); err != nil {
		return err
	}
	return writeOutput(*output, text.Bytes(), s)
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
