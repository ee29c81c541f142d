package planner

import (
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
			return nil, err
		}
	}
	return added, nil
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
		return f.packSet(u, fr, packer)
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
