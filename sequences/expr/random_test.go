package expr

import (
	"fmt"

	"pgregory.net/rapid"
)

// chooser returns a number in [0, n).
type chooser func(n int) int

func drawn(t *rapid.T) chooser {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
}

var someLiterals = []uint64{0, 1, 2, 3, 5, 7, 8, 12, 32, 100, 256, 1000, 1 << 20, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1}

// randomWorld says what leaves a random expression may have: this many of each.
type randomWorld struct {
	params, counts, buffers int
	large                   bool // literals up to the largest
}

// randomLeaf and randomExpr make resolved expressions.
func (w randomWorld) leaf(choose chooser) *Node {
	i := choose(w.params + w.counts + w.buffers + 3)
	switch {
	case i < w.params:
		return param(i)
	case i < w.params+w.counts:
		return count(i - w.params)
	case i < w.params+w.counts+w.buffers:
		return countOf(i - w.params - w.counts)
	case w.large:
		return lit(someLiterals[choose(len(someLiterals))])
	}
	return lit(someLiterals[choose(9)])
}

func (w randomWorld) expr(choose chooser, depth int) *Node {
	if depth == 0 || choose(5) == 0 {
		return w.leaf(choose)
	}
	kinds := []Kind{Add, Add, Sub, Sub, Mul, Mul, Div, Mod, CeilDiv, AlignUp, Min, Max}
	kind := kinds[choose(len(kinds))]
	n := op(kind, w.expr(choose, depth-1), w.expr(choose, depth-1))
	for kind.nary() && choose(3) == 0 {
		n.Args = append(n.Args, w.expr(choose, depth-1))
	}
	return n
}

func lit(v uint64) *Node  { return &Node{Kind: Lit, Value: v, Ref: -1} }
func param(ref int) *Node { return &Node{Kind: Param, Ref: ref, Ident: fmt.Sprintf("p%d", ref)} }

func count(ref int) *Node { return &Node{Kind: Count, Ref: ref, Ident: fmt.Sprintf("c%d", ref)} }

func countOf(ref int) *Node       { return &Node{Kind: CountOf, Ref: ref, Ident: fmt.Sprintf("b%d", ref)} }
func op(k Kind, a ...*Node) *Node { return &Node{Kind: k, Ref: -1, Args: a} }

// resolved parses an expression in which p0, p1 ... are parameters, c0, c1 ...
// counts, and count_of takes b0, b1 ...
func resolved(src string) *Node {
	n, err := Parse(src, noPos)
	if err != nil {
		panic(err)
	}
	return resolve(n)
}

func resolve(n *Node) *Node {
	switch n.Kind {
	case Name, CountOf:
		var prefix byte
		var ref int
		if _, err := fmt.Sscanf(n.Ident, "%c%d", &prefix, &ref); err != nil {
			panic(err)
		}
		kind := map[byte]Kind{'p': Param, 'c': Count, 'b': CountOf}[prefix]
		return &Node{Kind: kind, Ref: ref, Ident: n.Ident, Pos: n.Pos}
	}
	out := *n
	out.Args = nil
	for _, arg := range n.Args {
		out.Args = append(out.Args, resolve(arg))
	}
	return &out
}
