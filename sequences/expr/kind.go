package expr

import "slices"

var kindNames = [...]string{
	Lit: "literal", Param: "parameter", Count: "count", CountOf: "count_of",
	Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%",
	CeilDiv: "ceil_div", AlignUp: "align_up", Min: "min", Max: "max",
	Name: "name", SizeOf: "size_of", SumCounts: "sum_counts", Members: "members",
}

// String returns the operator or the function as it is written in a sequence
// file, or a word for a leaf.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// binary reports whether nodes of this kind have exactly two arguments.
func (k Kind) binary() bool { return k >= Add && k <= AlignUp }

// nary reports whether nodes of this kind have two or more arguments.
func (k Kind) nary() bool { return k == Min || k == Max }

// wellFormed reports whether n has as many arguments as its kind asks for.
func (n *Node) wellFormed() bool {
	switch {
	case n == nil || int(n.Kind) >= len(kindNames) || slices.Contains(n.Args, nil):
		return false
	case n.Kind.binary():
		return len(n.Args) == 2
	case n.Kind.nary():
		return len(n.Args) >= 2
	}
	return len(n.Args) == 0
}

// callable are the kinds that are written as a function of expressions, and
// named those that are written as a function of one name.
var (
	callable = [...]Kind{CeilDiv, AlignUp, Min, Max}
	named    = [...]Kind{CountOf, SizeOf, SumCounts, Members}
)

// function returns the kind of node that a function name makes.
func function(name string) (Kind, bool) {
	for _, k := range callable {
		if k.String() == name {
			return k, true
		}
	}
	for _, k := range named {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// IsFunction reports whether name is a function of size expressions. Such a
// name is reserved: it cannot stand for a parameter, a count, a buffer or a
// group in an expression.
func IsFunction(name string) bool {
	_, ok := function(name)
	return ok
}
