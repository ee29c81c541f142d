package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
)

func runDiff(args []string, s streams) error {
	fs := newFlags("diff")
	var in input
	in.flags(fs)
	format := fs.String("format", "text", "`FORMAT` of the comparison: text, json or md")
	top := fs.Int("top", 10, "print the first `N` of each list, in text and md")
	output := fs.String("o", "-", "write to `FILE`; - is stdout")
	exitCode := fs.Bool("exit-code", false, "exit with 1 if the plans need other memory")
	var most growth
	fs.Var(&most, "max-growth", "exit with 1 if a pool or the typical arena grew by more than `PERCENT|SIZE`, as 2% or 64MiB")
	operands, err := parse(fs, args, s)
	switch {
	case err != nil:
		return err
	case len(operands) != 2:
		return usagef("want two sequence files or plans, the old one and the new one, got %d", len(operands))
	case operands[0] == "-" && operands[1] == "-":
		return usagef("only one of the two can be stdin")
	case *top < 1:
		return usagef("-top must be at least 1")
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
	if most.set {
		if err := most.check(d); err != nil {
			return err
		}
	}
	if *exitCode && d.NeedChanged {
		return errReported
	}
	return nil
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
	seq  *sequences.Sequence
	plan *planner.Plan
}

// side reads a plan, or reads and plans a sequence file. Which of them it is the content
// says. The file is read once, because a pipe can be.
func (in *input) side(path string, s streams) (side, error) {
	data, err := readAll(path, s.in)
	if err != nil {
		// A diagnostic, as every other command says it.
		if path != "-" {
			if _, e := in.load(path, s); e != nil {
				err = e
			}
		}
		return side{}, err
	}
	if isPlan(data) {
		plan, err := planner.ReadPlan(bytes.NewReader(data))
		if err != nil {
			return side{}, fmt.Errorf("%s: %w", path, err)
		}
		return side{nil, plan}, nil
	}
	seq, diags := sequences.Read(path, data)
	f := &file{in: in, seq: seq, source: data}
	if err := f.report(path, diags, s); err != nil {
		return side{}, err
	}
	for _, p := range in.params {
		if err := f.apply(p); err != nil {
			return side{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	plan, err := f.plan(s)
	return side{f.seq, plan}, err
}

// isPlan tells whether the text is the JSON form of a plan: an object with the key of its
// version. It may be cut off behind that.
func isPlan(data []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(data))
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

// growth is a flag of how much a pool may grow: percent, with a fraction, or a size.
type growth struct {
	set   bool
	text  string
	limit diff.Limit
}

func (g *growth) String() string { return g.text }

var percentage = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,9})?$`)

func (g *growth) Set(text string) error {
	number, isPercent := strings.CutSuffix(text, "%")
	number = strings.TrimSpace(number)
	switch {
	case isPercent:
		percent, ok := new(big.Rat).SetString(number)
		if !percentage.MatchString(number) || !ok {
			return errors.New("want a percentage as 2.5%")
		}
		g.limit = diff.LimitPercent(percent)
	case number == "0":
		g.limit = diff.LimitBytes(0)
	default:
		var bytes size
		if err := bytes.Set(number); err != nil {
			return err
		}
		g.limit = diff.LimitBytes(uint64(bytes))
	}
	g.set, g.text = true, strings.TrimSpace(text)
	if _, err := strconv.ParseUint(g.text, 10, 64); err == nil {
		g.text += " B (a percentage ends in %)"
	}
	return nil
}

// check names what grew by more than the limit.
func (g *growth) check(d *diff.Diff) error {
	over := d.Over(g.limit)
	if len(over) == 0 {
		return nil
	}
	lines := make([]string, len(over))
	for i, o := range over {
		lines[i] = o.String()
	}
	return fmt.Errorf("growth above %s:\n  %s", g.text, strings.Join(lines, "\n  "))
}
