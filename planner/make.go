package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// Options choose how to plan. The zero value is the normal way.
type Options struct {
	Packer pack.Packer                // nil means pack.Engine{}
	Warn   func(sequences.Diagnostic) // is told the warnings; may be nil

	// Context ends the planning early, with its error; nil means that nothing does. What a
	// search has found by then is not a plan, since it is not the same each time.
	Context context.Context

	// SizesOnly leaves out the search for the rules of the dynamic buffers and the
	// simulation of the arena modes, which take most of the time of a plan with many of
	// them: every size is that of the whole plan, the arena mode and the hash are not.
	SizesOnly bool

	// For tests of the checks only. MutateLifetimes may change the lifetimes, by
	// BufferID, before the packing; SkipVerify returns the plan unchecked.
	MutateLifetimes func([]Interval)
	SkipVerify      bool
}

// Make plans a sequence. A fault of the sequence is an error of the type
// sequences.Diagnostics, with all that were found. An error of the type
// verify.Faults is a fault of the planner: the plan failed its verification.
func Make(seq *sequences.Sequence, opts Options) (*Plan, error) {
	if opts.Packer == nil {
		opts.Packer = pack.Engine{}
	}
	ctx := opts.Context
	if ctx == nil {
		ctx = context.Background()
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	f := findFacts(seq)
	f.ctx = ctx
	for _, d := range f.diags.Sorted() {
		if d.Severity == diag.Warning && opts.Warn != nil {
			opts.Warn(d)
		}
	}
	if err := f.diags.Err(); err != nil {
		return nil, f.diags.Sorted()
	}
	p, err := f.plan(opts)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if d := (sequences.Diagnostic{}); errors.As(err, &d) {
		return nil, sequences.Diagnostics{d}
	}
	if err != nil {
		return nil, err
	}
	if !opts.SkipVerify {
		if err := p.verify(seq); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Check returns every finding of the planner in a sequence, warnings too,
// without packing it.
func Check(seq *sequences.Sequence) sequences.Diagnostics { return findFacts(seq).diags.Sorted() }

// facts are the results of the passes before the packing.
type facts struct {
	ctx     context.Context // ends the passes behind these
	seq     *sequences.Sequence
	classes []classified
	waits   []Wait
	lives   []life
	flights []sequences.StepID // see findFlights
	bounds  *bounder
	diags   sequences.Diagnostics
}

func findFacts(seq *sequences.Sequence) *facts {
	f := &facts{ctx: context.Background(), seq: seq, classes: classify(seq)}
	f.waits = findWaits(seq, f.classes)
	f.lives = findLifetimes(seq, f.classes, f.waits)
	f.flights = findFlights(seq, f.waits)
	f.bounds = findBounds(seq, f.classes)
	f.diags = slices.Concat(
		f.bounds.diags, checkInPlace(seq, f.classes, f.bounds), checkInputs(seq, f.classes), checkPlaced(seq, f.classes, f.waits),
		checkWindows(seq, f.bounds), checkDynamicOrder(seq, f.classes),
	)
	return f
}

// checkInputs refuses dynamic inputs: they are filled before the device program
// could place them.
func checkInputs(seq *sequences.Sequence, classes []classified) sequences.Diagnostics {
	var diags sequences.Diagnostics
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		if b.Kind != sequences.Input || classes[i].class == Static {
			continue
		}
		diags = append(diags, sequences.Diagnostic{
			Pos: b.Pos, Code: CodeDynamicInput, Severity: diag.Error,
			Message: fmt.Sprintf("the size of the input %q depends on the count %q, but inputs are filled before the device can place them",
				b.Name, seq.Counts[classes[i].drivenBy[0]].Name),
			Hint: "give it the largest size that it can need, as an expression of parameters",
		})
	}
	return diags
}

// plan packs the static buffers and puts the plan together.
func (f *facts) plan(opts Options) (*Plan, error) {
	lives := make([]Interval, len(f.lives))
	for i := range f.lives {
		lives[i] = f.lives[i].interval
	}
	if opts.MutateLifetimes != nil {
		opts.MutateLifetimes(lives)
	}
	in := layoutInput{seq: f.seq, classes: f.classes, lives: lives, waits: f.waits, sizes: make([]uint64, len(f.seq.Buffers))}
	for i := range in.sizes {
		in.sizes[i] = f.bounds.sizes[i].max
	}
	added, err := f.packScopes(&in, opts)
	if err != nil {
		return nil, f.fault(CodePoolSize, err)
	}
	place := placement{rules: make([]uint64, len(f.seq.Buffers))}
	if !opts.SizesOnly {
		place = f.place(lives, in.arenaAlign())
	}
	in.rules, in.reuse = place.rules, place.reuse
	layout, start, err := makeLayout(in)
	if err != nil {
		return nil, f.fault(CodePoolSize, err)
	}
	arena, err := f.arena(lives, layout.ArenaAlign)
	if err != nil {
		return nil, f.fault(CodeArenaSize, fmt.Errorf("sum of the dynamic buffers: %w", err))
	}
	arena.Reuse, arena.Simulated = place.reuse, place.sim
	p := &Plan{Format: PlanFormat, Arena: arena, Layout: layout, Added: added}
	f.describe(p, in, start)
	p.Hash = hashLayout(layout, p.Steps)
	layout.PlanHash = uint64(p.Hash)
	return p, nil
}

// fault makes an error that is about no single line a diagnostic of the file. A
// diagnostic stays what it is.
func (f *facts) fault(code diag.Code, err error) error {
	if errors.As(err, &sequences.Diagnostic{}) || errors.Is(err, pack.ErrInvalid) {
		return err
	}
	return sequences.Diagnostic{Pos: sequences.Pos{File: f.seq.File}, Code: code, Severity: diag.Error, Message: err.Error()}
}

// arena sums up the demand of the dynamic buffers.
func (f *facts) arena(lives []Interval, align uint64) (Arena, error) {
	a := Arena{Align: sequences.Bytes(align)}
	for _, c := range f.classes {
		if c.class == Dynamic {
			a.Slots++
		}
	}
	var err error
	a.Worst, err = demand(f.seq, f.classes, lives, align, func(b sequences.BufferID) (uint64, bool) {
		s := f.bounds.sizes[b]
		return s.max, s.proof != ProofNone
	})
	if err != nil {
		return a, err
	}
	a.Typical, err = demand(f.seq, f.classes, lives, align, func(b sequences.BufferID) (uint64, bool) {
		if t := f.bounds.sizes[b].typical; t != nil {
			return *t, true
		}
		return 0, false
	})
	return a, err
}
