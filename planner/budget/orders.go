package budget

import (
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// looser is a sequence in which more buffers of a scope may share bytes.
type looser struct {
	Way
	seq *sequences.Sequence
}

// orders looks for a reuse policy, or for edges between steps, with which the budget of a
// pool holds. It takes the first of those that it tries, which changes least.
func (c *checker) orders(b *sequences.Budget, r *Result) []Way {
	if !packed(b) {
		return nil
	}
	for _, l := range c.looser(b) {
		if c.left == 0 {
			r.Cut = true
			return nil
		}
		p := newPoint(l.seq)
		t, plan, err := c.planned(b, p)
		if err != nil || !t.fits {
			continue
		}
		if l.Kind == WayReuse {
			l.Edges = c.edges(slices.DeleteFunc(slices.Clone(plan.Added), func(e planner.AddedEdge) bool {
				return slices.ContainsFunc(c.plan.Added, func(o planner.AddedEdge) bool { return o.From == e.From && o.To == e.To })
			}))
		}
		l.Used, l.Limit = sequences.Bytes(t.used), sequences.Bytes(t.limit)
		return []Way{l.Way}
	}
	return nil
}

// looser are the sequences to try for a budget of a pool.
func (c *checker) looser(b *sequences.Budget) []looser {
	reuse, streams := c.seq.Scope(b.Scope).Reuse, len(c.seq.Streams)
	policy := func(to sequences.Reuse) looser {
		seq := *c.seq
		options := &seq.Device
		if b.Scope == sequences.Host {
			options = &seq.Host
		}
		options.Reuse = to
		return looser{Way{Kind: WayReuse, Name: b.Scope.String(), Formula: to.String(), Now: reuse.String()}, &seq}
	}
	switch {
	case reuse == sequences.ReuseOff && streams <= 1:
		return []looser{policy(sequences.ReuseEvent)}
	case streams <= 1 || reuse == sequences.ReuseInternal:
		return nil
	case reuse != sequences.ReuseEvent:
		return []looser{policy(sequences.ReuseEvent), policy(sequences.ReuseInternal)}
	}
	could := c.plan.Pools[b.Scope].Could
	if len(could) == 0 || !c.orderHelps(b) {
		return nil
	}
	after := looser{Way{Kind: WayAfter, Name: b.Scope.String(), Edges: c.edges(could)}, c.after(could)}
	after.Place = after.Edges[0].Place
	return []looser{after, policy(sequences.ReuseInternal)}
}

// orderHelps reports whether a budget could hold if all steps were in the order of the file.
func (c *checker) orderHelps(b *sequences.Budget) bool {
	storage, err := c.storage(c.here, b.Scope)
	if err != nil {
		return false
	}
	live, err := c.live(storage, len(c.seq.Steps))
	if err != nil {
		return false
	}
	t, err := c.compare(b, c.here, add(live, uint64(c.plan.Pools[b.Scope].Reserved)))
	return err == nil && t.fits
}

// after is the sequence with more edges.
func (c *checker) after(edges []planner.AddedEdge) *sequences.Sequence {
	seq := *c.seq
	seq.Steps = slices.Clone(seq.Steps)
	for _, e := range edges {
		s := &seq.Steps[e.To]
		s.After = append(slices.Clone(s.After), e.From)
		slices.Sort(s.After)
	}
	return &seq
}

// edges names edges.
func (c *checker) edges(list []planner.AddedEdge) []Edge {
	var out []Edge
	for _, e := range list {
		to := &c.seq.Steps[e.To]
		edge := Edge{From: c.seq.Steps[e.From].Name, To: to.Name, Template: to.Template, Place: placeOf(to.Pos)}
		for i := range c.seq.Steps {
			if to.Template != "" && c.seq.Steps[i].Template == to.Template {
				edge.Instances++
			}
		}
		edge.Instances = several(edge.Instances)
		out = append(out, edge)
	}
	return out
}
