package sequences

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences/expr"
)

// size is an expression of the file with what it refers to.
type size struct {
	node *node
	from int // where the expression starts in the value of node
	text string
	root *expr.Node // unresolved; nil if it does not parse
	refs []sizeRef  // what is known of it, in order of appearance

	offsets []int // of the node, once they are needed
}

// sizeRef is one resolved name of an expression.
type sizeRef struct {
	kind   expr.Kind // Param, Count, CountOf, SizeOf, SumCounts or Members
	id     int
	offset int // of the name in the value of the node
}

// place is where byte offset of the value of the node was written.
func (s *size) place(offset int) place {
	if s.offsets == nil {
		s.offsets = s.node.offsets()
	}
	return s.node.atIn(s.offsets, offset)
}

// written is where the expression stands in the file: for one of a template in its pattern,
// also where an argument is all of it.
func (s *size) written() Pos { return s.node.src.pos(s.node.off) }

// size reads an expression. No value is nil.
func (f *file) size(n *node, what string) *size {
	if n == nil {
		return nil
	}
	if n.kind != scalarNode || n.tag == "!!null" || n.tag == "!!bool" {
		f.wrongKind(n, what, "a size expression or a whole number")
		return nil
	}
	return f.parseSize(n, 0, len(n.value))
}

// unbreak turns line breaks, which YAML may keep, into spaces, so that an offset
// in the value is a column of the parser.
var unbreak = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")

// parseSize parses the bytes [from, to) of a scalar.
func (f *file) parseSize(n *node, from, to int) *size {
	s := &size{node: n, from: from, text: unbreak.Replace(n.value[from:to])}
	if f.exprText += len(s.text); f.exprText > maxExprText {
		if f.exprText-len(s.text) <= maxExprText {
			f.errorf(s.place(from), CodeExprSize, "the expressions of the file are longer than %d MiB together", maxExprText>>20)
		}
		return s
	}
	root, err := expr.Parse(s.text, Pos{Line: 1, Col: 1})
	var syntax *expr.SyntaxError
	switch {
	case errors.As(err, &syntax):
		f.hinted(s.place(from+syntax.Pos.Col-1), syntaxCodes[syntax.Kind].code, syntax.Hint, "%s", syntax.Msg)
	case err != nil:
		f.errorf(s.place(from), syntaxCodes[expr.SyntaxToken].code, "%v", err)
	default:
		s.root = root
		for _, n := range expr.Warnings(root) {
			f.warnf(s.place(from+n.Pos.Col-1), CodeDivBeforeMul, "multiply first, if that is what is meant",
				"a division before a multiplication loses the remainder")
		}
	}
	return s
}

// static says of what an expression is that may use parameters and members only, and
// how a use of more is reported.
type static struct {
	what string
	code diag.Code
}

// resolveSize looks up the names of an expression. only is nil if it may use counts.
func (f *file) resolveSize(s *size, only *static) {
	if s == nil || s.root == nil {
		return
	}
	expr.Walk(s.root, func(n *expr.Node) bool {
		offset := s.from + n.Pos.Col - 1
		switch n.Kind {
		case expr.Name:
			f.resolveName(s, n.Ident, offset, only)
		case expr.CountOf, expr.SizeOf, expr.SumCounts, expr.Members:
			if only != nil && n.Kind != expr.Members {
				f.hinted(s.place(offset), only.code, "use parameters and numbers",
					"an expression of a %s cannot use %s", only.what, n.Kind)
				return true
			}
			f.resolveCall(s, n, s.from+argOffset(s.text, n), n.Kind == expr.CountOf || n.Kind == expr.SizeOf)
		}
		return true
	})
}

// argOffset returns where the name in count_of(name) starts.
func argOffset(text string, call *expr.Node) int {
	from := call.Pos.Col - 1
	open := strings.IndexByte(text[from:], '(')
	if open < 0 {
		return from
	}
	return from + open + 1 + len(text[from+open+1:]) - len(strings.TrimLeft(text[from+open+1:], " "))
}

func (f *file) resolveName(s *size, name string, offset int, only *static) {
	at := s.place(offset)
	if id, ok := f.paramSpace.find(name); ok {
		s.refs = append(s.refs, sizeRef{expr.Param, id, offset})
		return
	}
	if id, ok := f.countSpace.find(name); ok {
		s.refs = append(s.refs, sizeRef{expr.Count, id, offset})
		if only != nil {
			f.hinted(at, only.code, "use parameters and numbers", "an expression of a %s cannot use the count %q", only.what, name)
		}
		return
	}
	if _, ok := f.bufferSpace.find(name); ok {
		f.hinted(at, CodeBufferAsNumber, fmt.Sprintf("write count_of(%s) for its elements, size_of(%s) for its bytes", name, name),
			"the buffer %q is no number", name)
		return
	}
	if _, ok := f.groupSpace.find(name); ok {
		f.hinted(at, CodeBufferAsNumber, fmt.Sprintf("write members(%s) or sum_counts(%s)", name, name), "the group %q is no number", name)
		return
	}
	f.unknown(at, CodeUnknownName, "parameter or count", name, f.paramSpace.names, f.countSpace.names)
}

func (f *file) resolveCall(s *size, n *expr.Node, offset int, ofBuffer bool) {
	at, name := s.place(offset), n.Ident
	own, code, kind := &f.bufferSpace, CodeUnknownBuffer, "buffer"
	wrong := diag.Code(CodeNotBuffer)
	if !ofBuffer {
		own, code, kind, wrong = &f.groupSpace, CodeUnknownGroup, "group", CodeNotGroup
	}
	if id, ok := own.find(name); ok {
		s.refs = append(s.refs, sizeRef{n.Kind, id, offset})
		return
	}
	for _, other := range []struct {
		space *space
		kind  string
	}{{&f.paramSpace, "parameter"}, {&f.countSpace, "count"}, {&f.groupSpace, "group"}, {&f.bufferSpace, "buffer"}} {
		if _, ok := other.space.find(name); ok {
			f.errorf(at, wrong, "%s takes a %s, %q is a %s", n.Kind, kind, name, other.kind)
			return
		}
	}
	f.unknown(at, code, kind, name, own.names)
}
