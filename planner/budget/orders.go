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
	out := []looser{policy(sequences.ReuseInternal)}
	if after, ok := c.after(could); ok {
		after.Kind, after.Name, after.Place = WayAfter, b.Scope.String(), after.Edges[0].Place
		out = slices.Insert(out, 0, after)
	}
	return out
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

// after is the sequence with more edges, and false if they cannot be written: one in a
// template is one of all of its instances, each of which has to come behind its start.
func (c *checker) after(list []planner.AddedEdge) (looser, bool) {
	seq := *c.seq
	seq.Steps = slices.Clone(seq.Steps)
	edges := c.edges(list)
	for i, e := range list {
		steps := []sequences.StepID{e.To}
		if edges[i].Template = seq.Steps[e.To].Template; edges[i].Template != "" {
			steps = c.instances(edges[i].Template)
		}
		edges[i].Added = len(c.seq.Steps[e.To].After) > 0
		edges[i].Instances = several(len(steps))
		for _, to := range steps {
			s := &seq.Steps[to]
			if to <= e.From || slices.Contains(s.After, e.From) {
				return looser{}, false
			}
			s.After = append(slices.Clone(s.After), e.From)
			slices.Sort(s.After)
		}
	}
	return looser{Way{Edges: edges}, &seq}, true
}

// instances are the steps that a template makes.
func (c *checker) instances(template string) []sequences.StepID {
	var out []sequences.StepID
	for i := range c.seq.Steps {
		if c.seq.Steps[i].Template == template {
			out = append(out, sequences.StepID(i))
		}
	}
	return out
}

// edges names edges.
func (c *checker) edges(list []planner.AddedEdge) []Edge {
	var out []Edge
	for _, e := range list {
		to := &c.seq.Steps[e.To]
		out = append(out, Edge{From: c.seq.Steps[e.From].Name, To: to.Name, Place: placeOf(to.Pos)})
	}
	return out
}
