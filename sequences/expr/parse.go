package expr

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
)

// Parse reads one size expression; at is the position of the first byte of src.
// A newline inside src starts a line of which the first byte has column 1. The
// error is a *SyntaxError: the first fault of the expression.
//
// Bare names become nodes of kind Name, and every Ref is -1; the functions of
// buffers and groups become CountOf, SizeOf, SumCounts and Members. The tree is
// at most MaxDepth high, also where the source is a chain like a+b+c.
func Parse(src string, at diag.Pos) (*Node, error) {
	p := parser{lex: lexer{src: src, pos: at}}
	if len(src) > MaxLength {
		return nil, p.lex.fail(SyntaxLong, "", "the expression has %d bytes, more than %d", len(src), MaxLength)
	}
	n, err := p.parse(at)
	if err != nil {
		return nil, err
	}
	return n, nil
}

type parser struct {
	lex   lexer
	tok   token // the next token
	depth int   // of parentheses and calls around tok
}

// operand is a parsed node with its height, and where its text starts: at a
// parenthesis, if it has one.
type operand struct {
	node   *Node
	height int
	pos    diag.Pos
}

func (p *parser) parse(at diag.Pos) (*Node, *SyntaxError) {
	if err := p.next(); err != nil {
		return nil, err
	}
	if p.tok.kind == tokEnd {
		return nil, &SyntaxError{Pos: at, Kind: SyntaxEmpty, Msg: "the expression is empty"}
	}
	root, err := p.sum()
	switch {
	case err != nil:
		return nil, err
	case p.is(")"):
		return nil, p.fail(SyntaxTrailing, "", "closing parenthesis without an opening one")
	case p.tok.kind != tokEnd:
		return nil, p.fail(SyntaxTrailing, "an operator may be missing before it", "unexpected %s after the expression", p.tok)
	}
	return root.node, nil
}

func (p *parser) next() (err *SyntaxError) {
	p.tok, err = p.lex.next()
	return err
}

func (p *parser) is(punct string) bool { return p.tok.kind == tokPunct && p.tok.text == punct }

func (p *parser) fail(kind SyntaxKind, hint, format string, args ...any) *SyntaxError {
	return &SyntaxError{Pos: p.tok.pos, Kind: kind, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

func (p *parser) tooDeep(pos diag.Pos) *SyntaxError {
	return &SyntaxError{Pos: pos, Kind: SyntaxDeep, Msg: fmt.Sprintf("the expression is nested deeper than %d", MaxDepth)}
}

func (p *parser) sum() (operand, *SyntaxError) {
	left, err := p.term()
	for err == nil {
		switch {
		case p.is("+"):
			left, err = p.binary(Add, left, p.term)
		case p.is("-"):
			left, err = p.binary(Sub, left, p.term)
		default:
			return left, nil
		}
	}
	return left, err
}

func (p *parser) term() (operand, *SyntaxError) {
	left, err := p.primary()
	for err == nil {
		switch {
		case p.is("*"):
			left, err = p.binary(Mul, left, p.primary)
		case p.is("/"):
			left, err = p.binary(Div, left, p.primary)
		case p.is("%"):
			left, err = p.binary(Mod, left, p.primary)
		default:
			return left, nil
		}
	}
	return left, err
}

// binary reads the operator at hand and its right operand.
func (p *parser) binary(kind Kind, left operand, operandOf func() (operand, *SyntaxError)) (operand, *SyntaxError) {
	opPos := p.tok.pos
	if err := p.next(); err != nil {
		return operand{}, err
	}
	right, err := operandOf()
	if err != nil {
		return operand{}, err
	}
	return p.build(&Node{Kind: kind, Pos: left.pos, Args: []*Node{left.node, right.node}},
		max(left.height, right.height), opPos)
}

func (p *parser) build(n *Node, below int, at diag.Pos) (operand, *SyntaxError) {
	if below >= MaxDepth {
		return operand{}, p.tooDeep(at)
	}
	return operand{n, below + 1, n.Pos}, nil
}

func (p *parser) primary() (operand, *SyntaxError) {
	t := p.tok
	switch {
	case t.kind == tokNumber:
		return operand{&Node{Kind: Lit, Pos: t.pos, Value: t.value, Ref: -1}, 1, t.pos}, p.next()
	case t.kind == tokIdent:
		return p.identifier()
	case p.is("("):
		return p.parenthesis()
	case p.is("-"):
		return operand{}, p.fail(SyntaxNegative, "write a - b; a difference must not be negative either", "sizes have no sign: unexpected minus")
	case t.kind == tokEnd:
		hint := ""
		if strings.HasSuffix(strings.TrimRight(p.lex.src, " \n"), "%") {
			hint = "% is the remainder of a division; a size is in bytes or elements, no share of something"
		}
		return operand{}, p.fail(SyntaxEnd, hint, "an operand is missing at the end of the expression")
	}
	return operand{}, p.fail(SyntaxToken, "", "unexpected %s where an operand is expected", t)
}

// open passes the opening parenthesis at hand and returns its position.
func (p *parser) open() (diag.Pos, *SyntaxError) {
	pos := p.tok.pos
	if p.depth++; p.depth > MaxDepth {
		return pos, p.tooDeep(pos)
	}
	return pos, p.next()
}

// close passes the parenthesis that closes the one at open.
func (p *parser) close(open diag.Pos) *SyntaxError {
	if p.tok.kind == tokEnd {
		return &SyntaxError{Pos: open, Kind: SyntaxParen, Msg: "this parenthesis is never closed"}
	}
	if !p.is(")") {
		return p.fail(SyntaxToken, "", "unexpected %s where an operator or a closing parenthesis is expected", p.tok)
	}
	p.depth--
	return p.next()
}

func (p *parser) parenthesis() (operand, *SyntaxError) {
	open, err := p.open()
	if err != nil {
		return operand{}, err
	}
	inner, err := p.sum()
	if err != nil {
		return operand{}, err
	}
	inner.pos = open
	return inner, p.close(open)
}
