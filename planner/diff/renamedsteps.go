package diff

import (
	"slices"
	"strings"

	"github.com/seqplan/seqplan/planner"
)

// maxGap is how many pairs of steps that may be the same are tried at one place. Above it,
// only as many steps as were there before are paired, in their order.
const maxGap = 1 << 14

// ownName is the name of a buffer behind the name of its step.
type ownName struct {
	step int
	name string
}

// renaming pairs steps that are gone with steps that are new.
type renaming struct {
	*comparison
	written, newWritten [][]int         // by step: the buffers that it declares
	own                 map[ownName]int // buffers of the new plan
}

func (c *comparison) newRenaming() *renaming {
	r := &renaming{c, written(c.old), written(c.new), map[ownName]int{}}
	for step, list := range r.newWritten {
		for _, j := range list {
			if name, ok := behind(c.new.Steps[step].Name, c.new.Buffers[j].Name); ok && c.buffers.young(j) {
				r.own[ownName{step, name}] = j
			}
		}
	}
	return r
}

func written(p *planner.Plan) [][]int {
	out := make([][]int, len(p.Steps))
	for i := range p.Buffers {
		if s := int(p.Buffers[i].Step); s >= 0 && s < len(out) {
			out[s] = append(out[s], i)
		}
	}
	return out
}

// behind is what the name of a buffer has behind the name of its step; false if it does not
// start with that.
func behind(step, buffer string) (string, bool) {
	name, ok := strings.CutPrefix(buffer, step)
	return name, ok && name != "" && strings.ContainsRune("._", rune(name[0]))
}

// gap is the steps between two neighbours that are paired, by their numbers in the new plan,
// of which only one plan knows the names.
type gap struct{ after, before int }

func gaps(paired []int, free func(int) bool, number func(i, partner int) int, end int) (order []gap, steps map[gap][]int) {
	steps = map[gap][]int{}
	var run []int
	after := none
	add := func(before int) {
		if len(run) > 0 {
			g := gap{after, before}
			order, steps[g] = append(order, g), run
		}
		after, run = before, nil
	}
	for i, partner := range paired {
		if partner != none {
			add(number(i, partner))
		} else if free(i) {
			run = append(run, i)
		}
	}
	add(end)
	return order, steps
}

// pairSteps pairs steps that stand between the same two, if they agree. Where each is the
// only one there that agrees with the other, the pair is certain. Else, if as many are gone
// as are new, the first is the first.
func (r *renaming) pairSteps() (found bool) {
	p, end := &r.steps, len(r.new.Steps)
	order, olds := gaps(p.toNew, p.gone, func(_, partner int) int { return partner }, end)
	_, news := gaps(p.toOld, p.young, func(j, _ int) int { return j }, end)
	for _, g := range order {
		pairs := r.certain(olds[g], news[g])
		if len(pairs) == 0 && len(olds[g]) == len(news[g]) {
			pairs = r.inOrder(olds[g], news[g])
		}
		for _, at := range pairs {
			p.pair(at[0], at[1])
			found = true
		}
	}
	return found
}

// certain are the pairs of which each agrees with the other alone.
func (r *renaming) certain(olds, news []int) (pairs [][2]int) {
	if len(olds)*len(news) > maxGap {
		return nil
	}
	partners := make([][]int, len(news)) // by place in news
	only := map[int]bool{}               // steps of the old plan that agree with one
	for _, i := range olds {
		n := 0
		for k, j := range news {
			if r.agree(i, j) {
				partners[k] = append(partners[k], i)
				n++
			}
		}
		only[i] = n == 1
	}
	for k, list := range partners {
		if len(list) == 1 && only[list[0]] {
			pairs = append(pairs, [2]int{list[0], news[k]})
		}
	}
	return pairs
}

func (r *renaming) inOrder(olds, news []int) (pairs [][2]int) {
	for k, i := range olds {
		if r.agree(i, news[k]) {
			pairs = append(pairs, [2]int{i, news[k]})
		}
	}
	return pairs
}

// agree tells whether two steps declare the same buffers: of the one that has more of them,
// at least half have the same name, or the same behind the name of the step, and the same
// kind and type in the other. Steps that declare none agree if they read the same and both
// are on the host, or none is.
func (r *renaming) agree(i, j int) bool {
	from, to := r.written[i], r.newWritten[j]
	most := max(len(from), len(to))
	if most == 0 {
		a, b := &r.old.Steps[i], &r.new.Steps[j]
		return a.Host == b.Host && slices.EqualFunc(a.Reads, b.Reads, r.sameBuffer)
	}
	if 2*min(len(from), len(to)) < most {
		return false
	}
	alike := 0
	for _, x := range from {
		y := r.partner(x, j)
		if y == none {
			continue
		}
		a, b := &r.old.Buffers[x], &r.new.Buffers[y]
		if int(b.Step) == j && a.Kind == b.Kind && a.Type == b.Type {
			alike++
		}
	}
	return 2*alike >= most
}

// partner is the buffer of the new plan that a buffer of the old plan is, if its step is j.
func (r *renaming) partner(x, j int) int {
	if y := r.buffers.toNew[x]; y != none {
		return y
	}
	b := &r.old.Buffers[x]
	if name, ok := behind(r.old.Steps[b.Step].Name, b.Name); ok && r.buffers.gone(x) {
		if y, ok := r.own[ownName{j, name}]; ok && r.buffers.young(y) {
			return y
		}
	}
	return none
}

// pairOwn pairs the buffers of renamed steps whose names are the same behind that of the step.
func (r *renaming) pairOwn() (found bool) {
	for i, j := range r.steps.toNew {
		if j == none || r.old.Steps[i].Name == r.new.Steps[j].Name {
			continue
		}
		for _, x := range r.written[i] {
			if y := r.partner(x, j); y != none && r.buffers.toNew[x] == none {
				r.pairBuffers(x, y)
				found = true
			}
		}
	}
	return found
}
