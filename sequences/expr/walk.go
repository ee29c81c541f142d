package expr

import "slices"

// Walk calls visit for n and everything below it, a node before its arguments
// and these from left to right. Where visit returns false the arguments of the
// node are left out.
func Walk(n *Node, visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, arg := range n.Args {
		Walk(arg, visit)
	}
}

// Equal reports whether two expressions are the same tree, wherever they stand
// in a file.
func Equal(a, b *Node) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil || a.Kind != b.Kind:
		return false
	case a.Kind == Lit:
		return a.Value == b.Value
	case a.Kind < Add || a.Kind > Max:
		return a.Ident == b.Ident && a.Ref == b.Ref
	}
	return slices.EqualFunc(a.Args, b.Args, Equal)
}

// Refs returns the ids of all leaves of one kind (Param, Count or CountOf), in
// order of first appearance and without duplicates.
func Refs(n *Node, kind Kind) []int {
	var refs []int
	seen := map[int]bool{}
	Walk(n, func(n *Node) bool {
		if n.Kind == kind && !seen[n.Ref] {
			seen[n.Ref] = true
			refs = append(refs, n.Ref)
		}
		return true
	})
	return refs
}

// Has reports whether a node of the given kind is part of the expression.
func Has(n *Node, kind Kind) bool {
	found := false
	Walk(n, func(n *Node) bool {
		found = found || n.Kind == kind
		return !found
	})
	return found
}

// Warnings returns the multiplications of which an operand is a division, as in
// 4/3*x: integer division drops the remainder first, and x*4/3 is another
// number. A division of two literals without remainder is no loss and is left
// out.
func Warnings(n *Node) []*Node {
	var found []*Node
	Walk(n, func(n *Node) bool {
		if n.Kind == Mul && slices.ContainsFunc(n.Args, lossy) {
			found = append(found, n)
		}
		return true
	})
	return found
}

func lossy(n *Node) bool {
	if n == nil || n.Kind != Div || !n.wellFormed() {
		return false
	}
	a, b := n.Args[0], n.Args[1]
	exact := a.Kind == Lit && b.Kind == Lit && b.Value != 0 && a.Value%b.Value == 0
	return !exact
}
