package diff

import "github.com/seqplan/seqplan/planner"

// none is the partner of what is in one plan only.
const none = -1

// pairing says which of two lists are the same.
type pairing struct {
	toNew, toOld []int // none: only here
}

// pairNames pairs equal names; of a name that is there several times the first with the
// first, the second with the second.
func pairNames(from, to []string) pairing {
	p := pairing{make([]int, len(from)), make([]int, len(to))}
	places := map[string][]int{}
	for j, name := range to {
		p.toOld[j] = none
		places[name] = append(places[name], j)
	}
	for i, name := range from {
		p.toNew[i] = none
		if list := places[name]; len(list) > 0 {
			p.pair(i, list[0])
			places[name] = list[1:]
		}
	}
	return p
}

func (p *pairing) pair(i, j int) { p.toNew[i], p.toOld[j] = j, i }

func names[T any](list []T, name func(*T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = name(&list[i])
	}
	return out
}

// traits are what makes a renamed buffer the same for certain.
type traits struct {
	step     int // in the new plan; none for an input
	kind     string
	place    string
	typ      string
	elemSize uint64
	count    string
}

// pairRenamed pairs the buffers without a partner that have the same step, formula, type,
// class and scope as one other, and as no more than one.
func (c *comparison) pairRenamed() {
	from, to := map[traits][]int{}, map[traits][]int{}
	for i, j := range c.buffers.toNew {
		b := &c.old.Buffers[i]
		if step, ok := c.steps.newStep(int(b.Step)); j == none && ok {
			t := traitsOf(b, step)
			from[t] = append(from[t], i)
		}
	}
	for j, i := range c.buffers.toOld {
		b := &c.new.Buffers[j]
		if i == none {
			t := traitsOf(b, c.steps.clamp(int(b.Step)))
			to[t] = append(to[t], j)
		}
	}
	for t, olds := range from {
		if news := to[t]; len(olds) == 1 && len(news) == 1 {
			c.buffers.pair(olds[0], news[0])
			c.renamed[c.old.Buffers[olds[0]].Name] = c.new.Buffers[news[0]].Name
		}
	}
}

// newStep is the number of a step of the old plan in the new one. What is before the first
// step stays there, and what is behind the last one.
func (p *pairing) newStep(s int) (int, bool) {
	switch {
	case s < 0:
		return none, true
	case s >= len(p.toNew):
		return len(p.toOld), true
	}
	return p.toNew[s], p.toNew[s] != none
}

// clamp is a number of a step of the new plan as newStep returns it.
func (p *pairing) clamp(s int) int { return min(max(none, s), len(p.toOld)) }

func traitsOf(b *planner.Buffer, step int) traits {
	return traits{step, b.Kind.String(), b.Class.String() + " " + b.Scope.String(), b.Type, uint64(b.ElemSize), b.Count}
}
