package expr

import (
	"strconv"
	"strings"
)

// Format returns the canonical text of an expression: decimal numbers, one
// space around operators, no parenthesis that could be left out. Parsing the
// text gives an Equal tree, if this one is made of unresolved names; a resolved
// leaf is printed by its name.
func Format(n *Node) string {
	var b strings.Builder
	format(&b, n)
	return b.String()
}

// String returns Format(n).
func (n *Node) String() string { return Format(n) }

// excerpt is the text of an expression, cut to a length that fits a message.
func excerpt(n *Node) string {
	const most = 60
	text := Format(n)
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-3], "") + "..."
}

// precedence of an operator; 0 for everything that never needs parentheses.
func precedence(k Kind) int {
	switch k {
	case Add, Sub:
		return 1
	case Mul, Div, Mod:
		return 2
	}
	return 0
}

func format(b *strings.Builder, n *Node) {
	switch {
	case n == nil:
		b.WriteString("<nil>")
	case n.Kind == Lit:
		b.WriteString(strconv.FormatUint(n.Value, 10))
	case n.Kind == Param, n.Kind == Count, n.Kind == Name:
		b.WriteString(n.Ident)
	case precedence(n.Kind) > 0 && len(n.Args) == 2:
		formatOperand(b, n.Args[0], precedence(n.Kind))
		b.WriteString(" " + n.Kind.String() + " ")
		formatOperand(b, n.Args[1], precedence(n.Kind)+1)
	default:
		b.WriteString(n.Kind.String() + "(" + n.Ident)
		for i, arg := range n.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			format(b, arg)
		}
		b.WriteByte(')')
	}
}

// formatOperand prints n in parentheses if it binds weaker than least.
func formatOperand(b *strings.Builder, n *Node, least int) {
	if n != nil && precedence(n.Kind) > 0 && precedence(n.Kind) < least {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	format(b, n)
}
