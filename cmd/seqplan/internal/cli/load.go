package cli

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// input is how the subcommands that work on one sequence file read it.
type input struct {
	diagnostics
	params []paramRange
}

type paramRange struct {
	name     string
	min, max *uint64 // min nil: as in the file
}

func (in *input) flags(fs *flag.FlagSet) {
	in.diagnostics.flags(fs)
	fs.Func("param", "`NAME=VALUE` plans for the parameter up to VALUE, NAME=MIN:MAX for a range; may be repeated", in.param)
}

func (in *input) param(text string) error {
	name, values, ok := strings.Cut(text, "=")
	low, high, ranged := strings.Cut(values, ":")
	switch {
	case !ok || name == "" || values == "" || ranged && low == "":
		return errors.New("want NAME=VALUE or NAME=MIN:MAX")
	case !ranged:
		low, high = "", values
	}
	p := paramRange{name: name}
	for _, v := range []struct {
		text string
		to   **uint64
	}{{low, &p.min}, {high, &p.max}} {
		if v.text == "" {
			continue
		}
		n, err := sequences.ParseInteger(v.text)
		if err != nil {
			return fmt.Errorf("want NAME=VALUE or NAME=MIN:MAX: %w", err)
		}
		*v.to = &n
	}
	if p.max == nil {
		return errors.New("want NAME=VALUE or NAME=MIN:MAX")
	}
	in.params = append(in.params, p)
	return nil
}

// file is one sequence file that was read without an error.
type file struct {
	in     *input
	seq    *sequences.Sequence
	source []byte
	batch  string // the batch-size parameter of the file; -param may leave it without a range
}

// load reads a sequence file, of which - is stdin, reports its diagnostics and applies
// -param.
func (in *input) load(path string, s streams) (*file, error) {
	source, err := in.read(path, sequences.MaxFileSize+1, s)
	if err != nil {
		return nil, err
	}
	seq, diags := sequences.Read(path, source)
	return in.accept(path, seq, source, diags, s)
}

// accept reports the diagnostics of a sequence file that was read and applies -param.
func (in *input) accept(path string, seq *sequences.Sequence, source []byte, diags sequences.Diagnostics, s streams) (*file, error) {
	f := &file{in: in, seq: seq, source: source}
	if err := f.report(path, diags, s); err != nil {
		return nil, err
	}
	if seq.Batch != sequences.None {
		f.batch = seq.Params[seq.Batch].Name
	}
	for _, p := range in.params {
		if err := f.apply(p); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return f, nil
}

func (f *file) apply(p paramRange) error {
	for _, q := range f.seq.Params {
		if q.Name != p.name {
			continue
		}
		low := q.Min
		if q.Fixed() {
			low = *p.max
		}
		if p.min != nil {
			low = *p.min
		}
		seq, err := planner.WithParam(f.seq, p.name, low, *p.max)
		if err != nil {
			return usagef("-param %s", err)
		}
		f.seq = seq
		return nil
	}
	return usagef("-param: the sequence has no parameter %q", p.name)
}

// report prints diagnostics of the file. It returns errReported if one of them is an
// error.
func (f *file) report(path string, diags sequences.Diagnostics, s streams) error {
	return f.in.report(diags, path, f.source, s)
}

// plan plans the sequence and reports its faults and warnings.
func (f *file) plan(s streams) (*planner.Plan, error) { return f.planBy(planner.Options{}, s) }

func (f *file) planBy(opts planner.Options, s streams) (*planner.Plan, error) {
	var diags sequences.Diagnostics
	opts.Warn = func(d sequences.Diagnostic) { diags = append(diags, d) }
	plan, err := planner.Make(f.seq, opts)
	var faults sequences.Diagnostics
	if errors.As(err, &faults) {
		diags, err = append(diags, faults...), errReported
	}
	if e := f.report(f.seq.File, diags, s); e != nil {
		return nil, e
	}
	return plan, err
}

// plan reads and plans a sequence file.
func (in *input) plan(path string, s streams) (*file, *planner.Plan, error) {
	f, err := in.load(path, s)
	if err != nil {
		return nil, nil, err
	}
	plan, err := f.plan(s)
	return f, plan, err
}

// operand parses the flags and returns the only operand, a sequence file.
func operand(fs *flag.FlagSet, args []string, s streams) (string, error) {
	operands, err := parse(fs, args, s)
	if err != nil {
		return "", err
	}
	return single(operands)
}

// single is the only one of the operands.
func single(operands []string) (string, error) {
	if len(operands) != 1 {
		return "", usagef("want one sequence file, got %d", len(operands))
	}
	return operands[0], nil
}

// bases says what the flag -basis may be.
const bases = "static (none of it), peak (what is live at once, typical), typical or worst (all of it, as without reuse)"

// size is a flag of bytes: an integer or a size expression of constants, as in
// the sequence file ("700MiB"). Zero means that it was not given.
type size uint64

func (v *size) String() string {
	if *v == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(*v), 10)
}

func (v *size) Set(text string) error {
	n, err := expr.Parse(text, diag.Pos{})
	var syntax *expr.SyntaxError
	if errors.As(err, &syntax) {
		if syntax.Hint != "" {
			return fmt.Errorf("%s; %s", syntax.Msg, syntax.Hint)
		}
		return errors.New(syntax.Msg)
	}
	if err != nil {
		return err
	}
	bytes, err := expr.Eval(n, nil)
	if err != nil {
		return err
	}
	if bytes == 0 {
		return errors.New("must not be 0")
	}
	*v = size(bytes)
	return nil
}
