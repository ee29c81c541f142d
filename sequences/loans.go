package sequences

import (
	"fmt"
	"math"
)

// gapDecl and shrinkDecl are a gap and a shrink of a buffer. Steps are None if they
// are not known.
type gapDecl struct {
	node                  *node
	afterNode, beforeNode *node
	after, before         int
	low, high             uint64
}

type shrinkDecl struct {
	node      *node
	afterNode *node
	after     int
	count     *size
	countText string
}

// specialKey is one of the keys offset, hint, gaps and shrink, as written.
type specialKey struct {
	name string
	node *node
}

// decodePlace reads where a buffer is placed, and what of it is lent.
func (f *file) decodePlace(b *bufferDecl, o fields, what string) {
	for _, key := range []string{"offset", "hint", "gaps", "shrink"} {
		k := o.keys[key]
		if k == nil {
			continue
		}
		b.special = append(b.special, specialKey{key, k})
		loan := key == "gaps" || key == "shrink"
		switch {
		case o.get("in_place_of") != nil && b.kind != Input:
			f.hinted(k.place(), CodePlaceInPlace, "give it to the buffer that has the storage first", "%q cannot have %q, it takes over the storage of another buffer", b.name.value, key)
		case loan && b.kind == Scratch:
			f.errorf(k.place(), CodeLoanKept, "the scratch buffer %q lives in its step only and cannot have %q", b.name.value, key)
		case loan && b.keep:
			f.errorf(k.place(), CodeLoanKept, "%q is kept, no other buffer has its bytes, so it cannot have %q", b.name.value, key)
		}
	}
	b.offset = f.decodeOffset(b, o.get("offset"), of("offset", what))
	b.hint = f.decodeOffset(b, o.get("hint"), of("hint", what))
	if b.offset != nil && b.hint != nil {
		f.errorf(o.keys["hint"].place(), CodeExclusive, `%s has either "offset" or "hint"`, what)
	}
	for _, n := range f.objects(o.get("gaps"), of("gaps", what)) {
		what := "a gap of " + what
		o, ok := f.object(n, &f.format.gap, what, n.place())
		if !ok {
			continue
		}
		g := gapDecl{node: n, afterNode: f.stepNode(o.get("after"), of("after", what)), beforeNode: f.stepNode(o.get("before"), of("before", what))}
		g.low, g.high = f.window(o.get("window"), of("window", what))
		b.gaps = append(b.gaps, g)
	}
	for _, n := range f.objects(o.get("shrink"), of("shrink", what)) {
		what := "a shrink of " + what
		o, ok := f.object(n, &f.format.shrink, what, n.place())
		if !ok {
			continue
		}
		s := shrinkDecl{node: n, afterNode: f.stepNode(o.get("after"), of("after", what))}
		if c := o.get("count"); c != nil {
			s.count, s.countText = f.size(c, of("count", what)), c.value
		}
		b.shrinks = append(b.shrinks, s)
	}
}

// decodeOffset reads a place in a pool; no value is nil.
func (f *file) decodeOffset(b *bufferDecl, n *node, what string) *uint64 {
	v, ok := f.integer(n, what, number{0, math.MaxUint64, true})
	if !ok {
		return nil
	}
	align := max(b.align, uint64(f.scopes[b.scope].Align))
	if b.typ != None {
		align = max(align, uint64(f.types[b.typ].Align))
	}
	if align > 0 && v%align != 0 {
		f.hinted(n.place(), CodePlaceAlign, fmt.Sprintf("the next smaller one is %d", v/align*align),
			"%s, %d, is not a multiple of its alignment, %d", what, v, align)
		return nil
	}
	return &v
}

// stepNode reads the name of a step; nil if there is none.
func (f *file) stepNode(n *node, what string) *node {
	if n != nil {
		if _, ok := f.text(n, what); ok {
			return n
		}
	}
	return nil
}

// window reads [low, high]; no value is an empty window.
func (f *file) window(n *node, what string) (low, high uint64) {
	if n == nil {
		return 0, 0
	}
	if n.kind != listNode || len(n.items) != 2 {
		f.hinted(n.place(), CodeWindow, "for example [0, 4KiB]", "%s must be two numbers of bytes, [low, high]", what)
		return 0, 0
	}
	low, okLow := f.integer(n.items[0], "the first number of "+what, number{0, math.MaxUint64, true})
	high, okHigh := f.integer(n.items[1], "the second number of "+what, number{0, math.MaxUint64, true})
	if okLow && okHigh && low > high {
		f.errorf(n.place(), CodeWindow, "%s starts at %d, behind its end at %d", what, low, high)
	}
	return low, high
}

// resolveLoans looks up the steps of gaps and shrinks.
func (f *file) resolveLoans(b *bufferDecl) {
	find := func(n *node) int {
		if n != nil {
			if id, ok := f.findStep(n); ok {
				return id
			}
		}
		return None
	}
	for i := range b.gaps {
		g := &b.gaps[i]
		g.after, g.before = find(g.afterNode), find(g.beforeNode)
	}
	for i := range b.shrinks {
		s := &b.shrinks[i]
		s.after = find(s.afterNode)
		f.resolveSize(s.count, &static{"shrink", CodeShrinkStatic})
	}
}
