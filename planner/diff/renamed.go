package diff

import (
	"regexp"
	"strings"

	"github.com/seqplan/seqplan/planner"
)

// maxRounds is how often pairs are looked for that other pairs make certain, which is the
// longest chain of renamed buffers that are sized by each other.
const maxRounds = 256

// pairRenamed pairs what has another name: steps, the buffers that they are named after,
// and other buffers. A pair may make others certain.
func (c *comparison) pairRenamed() {
	if !c.apart() {
		return
	}
	r := c.newRenaming()
	for range maxRounds {
		steps, own, alike := r.pairSteps(), r.pairOwn(), c.pairAlike()
		if !steps && !own && !alike {
			return
		}
	}
}

// apart tells whether anything is in one plan only.
func (c *comparison) apart() bool {
	for _, list := range [][]int{c.steps.toNew, c.steps.toOld, c.buffers.toNew, c.buffers.toOld} {
		for _, partner := range list {
			if partner == none {
				return true
			}
		}
	}
	return false
}

// pairBuffers pairs a buffer with one of another name.
func (c *comparison) pairBuffers(i, j int) {
	c.buffers.pair(i, j)
	from, to := c.old.Buffers[i].Name, c.new.Buffers[j].Name
	c.renamed[from], c.renamedTo[to] = to, to
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

// pairAlike pairs the buffers without a partner that have the same step, formula, type,
// class and scope as one other, and as no more than one.
func (c *comparison) pairAlike() (found bool) {
	from, to := map[traits][]int{}, map[traits][]int{}
	for i := range c.buffers.toNew {
		b := &c.old.Buffers[i]
		if step, ok := c.steps.newStep(int(b.Step)); ok && c.buffers.gone(i) {
			t := traitsOf(b, step, formula(b.Count, c.renamed))
			from[t] = append(from[t], i)
		}
	}
	for j := range c.buffers.toOld {
		b := &c.new.Buffers[j]
		if c.buffers.young(j) {
			t := traitsOf(b, c.steps.clamp(int(b.Step)), formula(b.Count, c.renamedTo))
			to[t] = append(to[t], j)
		}
	}
	for t, olds := range from {
		if news := to[t]; len(olds) == 1 && len(news) == 1 {
			c.pairBuffers(olds[0], news[0])
			found = true
		}
	}
	return found
}

func traitsOf(b *planner.Buffer, step int, count string) traits {
	return traits{step, b.Kind.String(), b.Class.String() + " " + b.Scope.String(), b.Type, uint64(b.ElemSize), count}
}

// mention is where a formula names a buffer.
var mention = regexp.MustCompile(`\b(?:count_of|size_of)\s*\(\s*[A-Za-z_][A-Za-z0-9_.]*`)

// formula is a formula in which the renamed buffers that it mentions have their new names,
// with a mark that no name has.
func formula(text string, names map[string]string) string {
	if len(names) == 0 {
		return text
	}
	return mention.ReplaceAllStringFunc(text, func(found string) string {
		name := strings.TrimLeft(found[strings.IndexByte(found, '(')+1:], " \t\r\n")
		if to, ok := names[name]; ok {
			return strings.TrimSuffix(found, name) + string(markStart) + to
		}
		return found
	})
}

func (c *comparison) sameFormula(from, to string) bool {
	return formula(from, c.renamed) == formula(to, c.renamedTo)
}
