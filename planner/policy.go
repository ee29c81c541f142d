package planner

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/verify"
	"github.com/seqplan/seqplan/sequences"
)

// packScopes packs the static buffers of both scopes, each by its reuse policy, and
// returns the edges that the planner added for that.
func (f *facts) packScopes(in *layoutInput, opts Options) ([]AddedEdge, error) {
	a := findAccesses(f.seq, f.classes, f.flights)
	var added []AddedEdge
	for _, scope := range []sequences.Scope{sequences.Device, sequences.Host} {
		s := &edgeSearch{facts: f, accesses: a, scope: scope, lives: in.lives, packer: opts.Packer}
		var err error
		switch reuse := f.seq.Scope(scope).Reuse; {
		case len(f.seq.Streams) <= 1 || reuse == sequences.ReuseOff || reuse == sequences.ReuseStream:
			in.pools[scope], err = f.packOrdered(scope, newFrontier(a, f.order(scope)), in.lives, opts.Packer)
		case reuse == sequences.ReuseInternal:
			in.pools[scope], added, err = s.add(added)
		default:
			in.pools[scope], err = s.suggest()
		}
		if err != nil {
			return nil, f.tooLarge(scope, in.lives, err)
		}
	}
	return added, nil
}

// tooLarge gives an error that a pool is too large the place of the first buffer, in the
// order of the file, with which it is.
func (f *facts) tooLarge(scope sequences.Scope, lives []Interval, err error) error {
	if !errors.Is(err, checked.ErrOverflow) {
		return err
	}
	var b *sequences.Buffer
	var size *pack.SizeError
	if errors.As(err, &size) {
		if u, err := f.findUnits(scope, lives, false); err == nil {
			b = &f.seq.Buffers[u.list[size.Buffer].buffers[0]]
		}
	}
	for i := range f.seq.Buffers {
		if c := &f.seq.Buffers[i]; b == nil && c.Scope == scope && f.classes[i].class == Static {
			if _, err := checked.AlignUp(f.bounds.sizes[i].max, uint64(f.seq.Scope(scope).Align)); err != nil {
				b = c
			}
		}
	}
	if b == nil {
		return err
	}
	at := ""
	if b.Offset != nil {
		at = fmt.Sprintf(" at the offset %d", *b.Offset)
	}
	message := fmt.Sprintf("the %s pool is too large: up to %q, of %d bytes%s, the buffers behind each other do not lie below 2^60 bytes",
		scope, b.Name, f.bounds.sizes[b.ID].max, at)
	return sequences.Diagnostic{Pos: b.Pos, Code: CodePoolSize, Severity: diag.Error, Message: message}
}

// problem makes the packing problem of a scope.
func (f *facts) problem(scope sequences.Scope, lives []Interval, fr *frontier, whole bool) (*units, error) {
	u, err := f.findUnits(scope, lives, whole)
	if err != nil {
		return nil, err
	}
	f.split(u, fr, lives)
	u.exclude(fr, maxExcluded)
	return u, nil
}

// packOrdered packs a scope in some order. With one stream it first takes storage that is taken over
// for as large as its largest buffer, which is the simpler problem, and stays with that
// unless the sizes of its parts give less.
func (f *facts) packOrdered(scope sequences.Scope, fr *frontier, lives []Interval, packer pack.Packer) (packed, error) {
	u, err := f.problem(scope, lives, fr, false)
	if err != nil {
		return packed{}, err
	}
	switch {
	case len(f.seq.Streams) > 1:
		return f.packStreams(u, fr, packer)
	case len(u.InPlace) == 0:
		return f.packUnits(u, packer)
	}
	w, err := f.problem(scope, lives, fr, true)
	if err != nil {
		return packed{}, err
	}
	whole, wholeErr := f.packUnits(w, packer)
	if bound, err := pack.LowerBound(u.Problem); wholeErr == nil && err == nil && whole.Height <= bound.Bytes {
		return whole, nil
	}
	parts, err := f.packUnits(u, packer)
	if wholeErr != nil || err != nil || parts.Height < whole.Height {
		return parts, err
	}
	// What is known of the parts holds for the whole, and not the other way round.
	whole.Bound, whole.Status, whole.Nodes = parts.Bound, parts.Status, whole.Nodes+parts.Nodes
	whole.bounded = u
	if whole.Height < parts.Height && whole.Height > whole.Bound.Bytes {
		whole.Status = pack.Feasible
	}
	return whole, nil
}

// order is the order of steps along which buffers of a scope may share bytes, without
// edges that are added.
func (f *facts) order(scope sequences.Scope) *sequences.HappensBefore {
	if f.seq.Scope(scope).Reuse == sequences.ReuseStream {
		return sequences.NewStreamOrder(f.seq)
	}
	return sequences.NewHappensBefore(f.seq)
}

// verify checks the plan against its sequence.
func (p *Plan) verify(seq *sequences.Sequence) error {
	edges := edgesOf(p.Added)
	if err := verify.Check(seq, p.Layout, edges...); err != nil {
		return err
	}
	queues := make([]verify.Queue, len(p.Steps))
	for i, s := range p.Steps {
		queues[i] = verify.Queue{Stream: s.Stream, After: s.After}
	}
	return verify.Waits(seq, p.Layout.Steps, edges, queues)
}
