package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
)

func runDiff(args []string, s streams) error {
	flags := newFlags("diff")
	var in input
	in.flags(flags)
	format := flags.String("format", "text", "`FORMAT` of the comparison: text, json or md")
	top := flags.Int("top", 10, "print the first `N` of each list, in text and md")
	output := flags.String("o", "-", "write to `FILE`; - is stdout")
	exitCode := flags.Bool("exit-code", false, "exit with 1 if the plans need other memory")
	var most growth
	most.flags(flags)
	operands, err := parse(flags, args, s)
	switch {
	case err != nil:
		return err
	case len(operands) != 2:
		return usagef("want two sequence files or plans, the old one and the new one, got %d", len(operands))
	case operands[0] == "-" && operands[1] == "-":
		return usagef("only one of the two can be stdin")
	case *top < 1:
		return usagef("-top must be at least 1")
	case most.idle(flags):
		return usagef("-basis says what counts for -max-growth, which is not there")
	case !slices.Contains([]string{"text", "json", "md"}, *format):
		return usagef("unknown format %q: want text, json or md", *format)
	}
	if err := newOutput(*output, operands, s); err != nil {
		return err
	}
	old, err := in.side(operands[0], s)
	young, errNew := in.side(operands[1], s)
	if err == nil || errors.Is(err, errReported) && errNew != nil {
		err = errNew // the faults of the other are printed
	}
	if err != nil {
		return err
	}
	if old.seq == nil && young.seq == nil && len(in.params) > 0 {
		return usagef("-param needs a sequence file: both files are plans")
	}
	d := diff.New(old.plan, young.plan)
	d.Locate(old.seq, young.seq)
	if err := writeDiff(d, *format, *output, *top, s); err != nil {
		return err
	}
	found := most.findings(d, operands[1])
	if *exitCode && d.NeedChanged && !found.HasErrors() {
		found = append(found, diag.Diagnostic{
			Pos: cmp.Or(d.At(), diag.Pos{File: operands[1]}), Code: diff.CodeNeed, Severity: diag.Error,
			Message: "the plans need other memory: " + d.Verdict,
		})
	}
	return in.report(found, operands[1], young.source, s)
}

func writeDiff(d *diff.Diff, format, output string, top int, s streams) error {
	var text bytes.Buffer
	write := func(w io.Writer) error { return d.Text(w, diff.Options{Top: top}) }
	switch format {
	case "json":
		write = d.JSON
	case "md":
		write = func(w io.Writer) error { return d.Markdown(w, diff.Options{Top: top}) }
	}
	if err := write(&text); err != nil {
		return err
	}
	return writeOutput(output, text.Bytes(), s)
}

// side is one side of a comparison; seq is nil if it is a plan that was made before.
type side struct {
	seq    *sequences.Sequence
	source []byte // of seq
	plan   *planner.Plan
}

// side reads a plan, or reads and plans a sequence file, and reports its faults. Which of
// them it is the content says. The file is read once, because a pipe can be.
func (in *input) side(path string, s streams) (side, error) {
	data, err := in.read(path, anySize, s)
	if err != nil {
		return side{}, err
	}
	if isPlan(data) {
		plan, err := planner.ReadPlan(bytes.NewReader(data))
		if err != nil {
			d := diag.Diagnostic{Pos: diag.Pos{File: path, Line: lineOf(err)}, Code: diff.CodePlan, Severity: diag.Error, Message: err.Error()}
			err = in.report(diag.List{d}, path, data, s)
		}
		return side{plan: plan}, err
	}
	seq, diags := sequences.Read(path, data)
	f, err := in.accept(path, seq, data, diags, s)
	if err != nil {
		return side{}, err
	}
	plan, err := f.plan(s)
	return side{f.seq, data, plan}, err
}

// lineOf is the line of a plan file that an error is about, 0 if it is not known.
func lineOf(err error) int {
	var at *planner.FieldError
	if errors.As(err, &at) {
		return at.Line
	}
	return 0
}

// isPlan tells whether the text is the JSON form of a plan: an object with the key of its
// version. It may be cut off behind that. A byte order mark is for the reader to judge.
func isPlan(data []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return false
		}
		if key == "seqplan_plan" {
			return true
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return false
		}
	}
	return false
}
