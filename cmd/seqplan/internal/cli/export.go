package cli

import (
	"bytes"
	"context"
	"fmt"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
	"github.com/seqplan/seqplan/sequences"
)

func runExport(args []string, s streams) error {
	fs := newFlags("export")
	var in input
	in.flags(fs)
	format := fs.String("format", "minimalloc", "`FORMAT` of the output: minimalloc (CSV: the static buffers of one pool as a packing problem)")
	output := fs.String("o", "-", "write to `FILE`; - is stdout")
	scope := sequences.Device
	fs.TextVar(&scope, "scope", scope, "`POOL` to export: device or host")
	path, err := operand(fs, args, s)
	if err != nil {
		return err
	}
	if *format != "minimalloc" {
		return usagef("unknown format %q: want minimalloc", *format)
	}
	if err := newOutput(*output, []string{path}, s); err != nil {
		return err
	}
	f, err := in.load(path, s)
	if err != nil {
		return err
	}
	table, err := f.export(scope, s)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := csvfile.Write(&text, table); err != nil {
		return err
	}
	return writeOutput(*output, text.Bytes(), s)
}

// recorder is a packer that keeps the problems, of the device pool and of the host
// pool, and packs them as another one does.
type recorder struct {
	pack.Packer
	problems []pack.Problem
}

// Pack implements pack.Packer.
func (r *recorder) Pack(ctx context.Context, p pack.Problem) (pack.Result, error) {
	r.problems = append(r.problems, p)
	return r.Packer.Pack(ctx, p)
}

// export returns the packing problem of one pool, just as the planner packs it: a
// sequence that cannot be planned is not exported.
func (f *file) export(scope sequences.Scope, s streams) (*csvfile.File, error) {
	if len(f.seq.Streams) > 1 {
		return nil, fmt.Errorf("%s has %d streams: which of its buffers are in use together is no matter of lifetimes, which is all that the CSV knows; seqplan plan and report pack it", f.seq.File, len(f.seq.Streams))
	}
	r := &recorder{Packer: pack.Engine{Effort: pack.Quick}}
	plan, err := f.planBy(planner.Options{Packer: r}, s)
	if err != nil {
		return nil, err
	}
	if len(r.problems) != 2 {
		return nil, fmt.Errorf("internal error: the planner has packed %d pools", len(r.problems))
	}
	p := r.problems[scope]
	names := heads(plan, scope)
	if len(names) != len(p.Buffers) || len(p.Excluded) > 0 {
		return nil, fmt.Errorf("internal error: %d rows for %d buffers and %d exclusions", len(names), len(p.Buffers), len(p.Excluded))
	}
	aligned := needsAlign(p)
	table := &csvfile.File{}
	for i, b := range p.Buffers {
		if !aligned {
			b.Align = 1
		}
		table.Buffers = append(table.Buffers, row(names[i], b))
	}
	return table, nil
}

// heads are the names of the static buffers of a pool that take over no storage. With
// those that do they are one buffer of the packing.
func heads(plan *planner.Plan, scope sequences.Scope) []string {
	var names []string
	for i := range plan.Buffers {
		b := &plan.Buffers[i]
		if b.Scope == scope && b.Class == planner.Static && b.InPlaceOf == "" {
			names = append(names, b.Name)
		}
	}
	return names
}

// needsAlign tells whether an alignment does not divide all sizes, windows and
// places. If they all do, every packing that leaves no byte free below a buffer
// without need is aligned by itself.
func needsAlign(p pack.Problem) bool {
	var align, all uint64
	for i := range p.Buffers {
		b := &p.Buffers[i]
		align = max(align, b.Align)
		all |= b.Size
		for _, g := range b.Gaps {
			all |= g.Low | g.High
		}
		for _, at := range []*uint64{b.Offset, b.Hint} {
			if at != nil {
				all |= *at
			}
		}
	}
	return align > 1 && all%align != 0 // alignments are powers of two
}
