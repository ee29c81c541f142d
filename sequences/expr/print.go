package expr

import (
	"strconv"
	"strings"
)

// LeafName gives the source text of a leaf (Param, Count or CountOf) in a
// printed formula: an expression of 64-bit unsigned type that needs no
// parentheses as a function argument.
type LeafName func(kind Kind, ref int, ident string) string

// printer prints an expression as nested calls of two arguments. A min or max of
// more arguments nests to the left, so that every back end takes them in the
// same order.
type printer struct {
	strings.Builder
	leaf LeafName
	lit  func(uint64) string
	call func(Kind) string // everything of a call before its first operand
}

func (p *printer) print(n *Node) error {
	if !n.wellFormed() {
		return ErrMalformed
	}
	switch {
	case n.Kind == Lit:
		p.WriteString(p.lit(n.Value))
		return nil
	case n.Kind < Add:
		p.WriteString(p.leaf(n.Kind, n.Ref, n.Ident))
		return nil
	case n.Kind > Max:
		return ErrUnresolved
	}
	p.WriteString(strings.Repeat(p.call(n.Kind), len(n.Args)-1))
	for i, arg := range n.Args {
		if i > 0 {
			p.WriteString(", ")
		}
		if err := p.print(arg); err != nil {
			return err
		}
		if i > 0 {
			p.WriteByte(')')
		}
	}
	return nil
}

func (p *printer) text(n *Node) (string, error) {
	if err := p.print(n); err != nil {
		return "", err
	}
	return p.String(), nil
}

var goMethods = [...]string{
	Add: "Add", Sub: "Sub", Mul: "Mul", Div: "Div", Mod: "Mod",
	CeilDiv: "CeilDiv", AlignUp: "AlignUp", Min: "Min", Max: "Max",
}

// PrintGo prints an expression as a Go expression of type uint64 that calls the
// methods of a checked.Calc. calc is the text of a *checked.Calc or of an
// addressable checked.Calc; after the evaluation its Err tells whether the value
// counts. The leaves are of type uint64. The error is ErrMalformed or
// ErrUnresolved.
func PrintGo(n *Node, calc string, leaf LeafName) (string, error) {
	p := printer{
		leaf: leaf,
		lit:  func(v uint64) string { return strconv.FormatUint(v, 10) },
		call: func(k Kind) string { return calc + "." + goMethods[k] + "(" },
	}
	text, err := p.text(n)
	if err == nil && n.Kind == Lit { // alone it would be an int
		text = "uint64(" + text + ")"
	}
	return text, err
}
