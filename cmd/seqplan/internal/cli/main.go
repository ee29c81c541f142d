package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/sequences"
)

// The exit codes.
const (
	exitOK    = 0
	exitFault = 1 // invalid input, infeasible, or over budget
	exitUsage = 2
	exitStale = 3 // generated files are stale
)

// streams are the standard streams of one run.
type streams struct {
	in       io.Reader
	out, err io.Writer
	found    *findings // for the end of the run
	command  command   // that runs
}

// command is one subcommand.
type command struct {
	name  string
	args  string // synopsis of flags and operands
	short string
	run   func(args []string, s streams) error
}

func commands() []command {
	return []command{
		{"plan", "[-json] [-o FILE] [-error-format FORMAT] FILE", "plan a sequence and say what it needs", runPlan},
		{"gen", "-lang go|c -o FILE [-check|-diff] [-error-format FORMAT] FILE | -kernels DIR [-check|-diff] [-error-format FORMAT]", "generate offset tables", runGen},
		{"check", "[-error-format FORMAT] FILE...", "report every fault of sequence files, and what is over its capacity or budget", runCheck},
		{"report", "[-format FORMAT] [-o FILE] [-capacity SIZE] [-baseline OLD] [-error-format FORMAT] FILE", "report where the memory goes", runReport},
		{"run", "[-device DEVICE] [-batches N] [-events N] [-workers N] [-fail PERCENT] [-dynamic WAYS] [-error-format FORMAT] FILE", "play a sequence on a device and check every buffer", runRun},
		{"bench", "[-device DEVICE] [-batches N] [-events N] [-work WORK] [-json] [-error-format FORMAT] FILE", "compare the planned sequence with one that reads sizes back", runBench},
		{"pack", "[-capacity SIZE] [-o FILE] [-effort WORK] [-seed N] [-proof] [-json] [-all] [-error-format FORMAT] CSV | -verify [-capacity SIZE] [-json] [-all] [-error-format FORMAT] CSV", "pack buffers from a CSV file, or check a packing", runPack},
		{"export", "[-format minimalloc] [-scope POOL] [-o FILE] [-error-format FORMAT] FILE", "print the packing problem of a static pool as CSV", runExport},
		{"fit", "[-capacity SIZE,...] [-workers N,...] [-basis WHAT] [-format FORMAT] [-error-format FORMAT] FILE", "find the largest batch that fits a capacity", runFit},
		{"sweep", "[-param NAME=MIN:MAX:STEP]... [-o FILE] [-f] [-format FORMAT] [-jobs N] [-shard I/N|auto] [-cache DIR] [-error-format FORMAT] FILE... | -merge [-o FILE] [-f] [-error-format FORMAT] SHARD...", "make many plans, over a grid of parameters", runSweep},
		{"diff", "[-param NAME=VALUE]... [-format text|json|md] [-top N] [-o FILE] [-exit-code] [-max-growth PERCENT|SIZE [-basis WHAT]] [-error-format FORMAT] OLD NEW", "compare two sequence files or plans", runDiff},
		{"explain", "[-json] [-error-format FORMAT] FILE BUFFER", "explain one buffer", runExplain},
		{"fmt", "[-w|-d] [-error-format FORMAT] [FILE...]", "format sequence files", runFmt},
		{"schema", "", "print the JSON Schema of sequence files", runSchema},
		{"init", "[FILE]", "write a small sequence file to start from", runInit},
		{"version", "[-devices]", "print the version, and what devices there are", runVersion},
	}
}

// errReported is the error of a command that has already said what is wrong.
var errReported = errors.New("faults were reported")

// usageError is a mistake on the command line.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// Main runs the command with the arguments after its name and returns the exit
// code.
func Main(args []string, in io.Reader, out, err io.Writer) int {
	if len(args) == 0 {
		usage(err)
		return exitUsage
	}
	name := args[0]
	if name == "help" && len(args) == 2 {
		name, args = args[1], []string{args[1], "-h"}
	}
	if slices.Contains([]string{"help", "-h", "-help", "--help"}, name) {
		usage(out)
		return exitOK
	}
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i < 0 {
		fmt.Fprintf(err, "seqplan: unknown command %q\n", name)
		usage(err)
		return exitUsage
	}
	s := streams{in, out, err, &findings{}, all[i]}
	return s.finish(all[i].run(args[1:], s))
}

func exitCode(e error) int {
	var usage usageError
	switch {
	case e == nil:
		return exitOK
	case errors.As(e, &usage):
		return exitUsage
	case errors.Is(e, gen.ErrStale):
		return exitStale
	}
	return exitFault
}

func usage(w io.Writer) {
	fmt.Fprint(w, "seqplan plans the device memory of a reconstruction sequence.\n\nusage: seqplan COMMAND [flags] [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.short)
	}
	fmt.Fprint(w, "\n\"seqplan COMMAND -h\" describes the flags of a command.\n"+
		"A file named - is stdin, or stdout where a command writes it.\n"+
		"Exit codes: 0 fine; 1 invalid input, infeasible or over budget; 2 usage; 3 generated files are stale.\n")
}

// newFlags makes the flag set of a subcommand. Its own messages are dropped:
// parse reports them.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// parse parses the flags, which may stand before and after the operands, and
// returns the operands. From here on the run prints diagnostics as -error-format says,
// also where a flag behind it is a mistake.
func parse(fs *flag.FlagSet, args []string, s streams) ([]string, error) {
	fs.VisitAll(func(f *flag.Flag) {
		if g, ok := f.Value.(flag.Getter); ok {
			switch g.Get().(type) {
			case int, uint64:
				f.Value = integer{f.Value}
			}
		}
	})
	var operands []string
	for {
		err := fs.Parse(args)
		s.found.setFormat(fs)
		if errors.Is(err, flag.ErrHelp) {
			help(fs, s)
			return nil, err
		}
		if err == nil {
			err = empty(fs)
		}
		if err != nil {
			return nil, usagef("%s", err)
		}
		rest := fs.Args()
		if len(rest) == 0 {
			return operands, nil
		}
		if consumed := len(args) - len(rest); consumed > 0 && args[consumed-1] == "--" {
			return append(operands, rest...), nil
		}
		operands, args = append(operands, rest[0]), rest[1:]
	}
}

// empty refuses flags of a text that were given without one.
func empty(fs *flag.FlagSet) (err error) {
	fs.Visit(func(f *flag.Flag) {
		if g, ok := f.Value.(flag.Getter); ok && g.Get() == any("") {
			err = fmt.Errorf("-%s is empty", f.Name)
		}
	})
	return err
}

// integer is a flag of an integer, which is written as in sequence files.
type integer struct{ flag.Value }

// String is asked of the zero value too, to see which defaults need no words.
func (v integer) String() string {
	if v.Value == nil {
		return "0"
	}
	return v.Value.String()
}

func (v integer) Set(text string) error {
	if _, err := sequences.ParseInteger(text); err != nil {
		return err
	}
	return v.Value.Set(text)
}

func help(fs *flag.FlagSet, s streams) {
	c := s.command
	fmt.Fprintf(s.out, "usage: %s\n%s\n\n", strings.TrimSpace("seqplan "+c.name+" "+c.args), c.short)
	fs.SetOutput(s.out)
	fs.PrintDefaults()
}
