package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
)

// growth is what -max-growth and -basis say: how much of which memory may grow.
type growth struct {
	limit maxGrowth
	basis planner.Basis
}

func (g *growth) flags(fs *flag.FlagSet) {
	g.basis = planner.BasisTypical
	fs.Var(&g.limit, "max-growth", "exit with 1 if the need by -basis grew by more than `PERCENT|SIZE`, as 2.5% or 64MiB")
	fs.TextVar(&g.basis, "basis", g.basis, "`WHAT` of the arena counts for -max-growth: "+bases)
}

// idle tells whether there is a basis of nothing.
func (g *growth) idle(fs *flag.FlagSet) (idle bool) {
	fs.Visit(func(f *flag.Flag) { idle = idle || f.Name == "basis" && g.limit.text == "" })
	return idle
}

// maxGrowth is a flag of how much may grow: percent, with a fraction, or a size.
type maxGrowth struct {
	text  string // "" if it was not given
	limit diff.Limit
}

func (g *maxGrowth) String() string { return g.text }

var percentage = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,9})?$`)

func (g *maxGrowth) Set(text string) error {
	text = strings.TrimSpace(text)
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
		g.limit, text = diff.LimitBytes(0), "0 B"
	default:
		var bytes size
		if err := bytes.Set(number); err != nil {
			return fmt.Errorf("want a percentage as 2.5%%, or a size in whole units as 64MiB, 2560KiB for 2.5 MiB: %w", err)
		}
		g.limit = diff.LimitBytes(uint64(bytes))
		if _, err := strconv.ParseUint(text, 10, 64); err == nil {
			text += " B (a percentage ends in %)"
		}
	}
	g.text = text
	return nil
}

// findings are what grew by more than the limit, each at the buffer of the new file that
// made it grow most, and what of it nobody can tell.
func (g *growth) findings(d *diff.Diff, path string) diag.List {
	if g.limit.text == "" {
		return nil
	}
	var list diag.List
	for _, o := range d.Over(g.limit.limit, g.basis) {
		list = append(list, diag.Diagnostic{
			Pos: cmp.Or(o.At(), diag.Pos{File: path}), Code: diff.CodeGrowth, Severity: diag.Error,
			Message: fmt.Sprintf("growth above %s: %s", g.limit.text, o),
		})
	}
	if !d.Known(g.basis) {
		list = append(list, diag.Diagnostic{
			Pos: diag.Pos{File: path}, Code: diff.CodeUnknown, Severity: diag.Warning,
			Message: "the growth of the dynamic buffers is not known, only the pools are compared: the old plan does not tell what they need",
			Hint:    "a count without max has no worst case; -basis static asks for the pools alone",
		})
	}
	return list
}
