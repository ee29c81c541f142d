package expr

import "fmt"

// identifier reads a name or a call.
func (p *parser) identifier() (operand, *SyntaxError) {
	name := p.tok
	kind, reserved := function(name.text)
	ahead := p.lex
	after, _ := ahead.next() // a fault there is found again when it is reached
	call := after.kind == tokPunct && after.text == "("
	switch {
	case reserved && !call:
		return operand{}, p.fail(SyntaxToken, "", "%s is a function and needs arguments", name.text)
	case call && !reserved:
		return operand{}, p.fail(SyntaxFunction,
			"functions are min, max, ceil_div, align_up, count_of, size_of, sum_counts and members",
			"unknown function %q", name.text)
	}
	if err := p.next(); err != nil {
		return operand{}, err
	}
	switch {
	case !call:
		return operand{&Node{Kind: Name, Pos: name.pos, Ident: name.text, Ref: -1}, 1, name.pos}, nil
	case kind == CountOf || kind > Max:
		return p.callOfName(kind, name)
	}
	return p.call(kind, name)
}

func (p *parser) wrongArgs(name token, want string) *SyntaxError {
	return &SyntaxError{Pos: name.pos, Kind: SyntaxArgs, Msg: fmt.Sprintf("%s takes %s", name.text, want)}
}

// call reads the arguments of a function of expressions.
func (p *parser) call(kind Kind, name token) (operand, *SyntaxError) {
	want := "two arguments"
	if kind.nary() {
		want = "two or more arguments"
	}
	open, err := p.open()
	if err != nil {
		return operand{}, err
	}
	if p.is(")") {
		return operand{}, p.wrongArgs(name, want)
	}
	n := &Node{Kind: kind, Pos: name.pos, Ref: -1}
	height := 0
	for {
		arg, err := p.sum()
		if err != nil {
			return operand{}, err
		}
		n.Args = append(n.Args, arg.node)
		height = max(height, arg.height)
		if !p.is(",") {
			break
		}
		if err := p.next(); err != nil {
			return operand{}, err
		}
	}
	if err := p.close(open); err != nil {
		return operand{}, err
	}
	if !n.wellFormed() {
		return operand{}, p.wrongArgs(name, want)
	}
	return p.build(n, height, name.pos)
}

// callOfName reads the one name that a function of a buffer or a group takes.
func (p *parser) callOfName(kind Kind, name token) (operand, *SyntaxError) {
	want := "the name of one buffer"
	if kind == SumCounts || kind == Members {
		want = "the name of one group"
	}
	open, err := p.open()
	if err != nil {
		return operand{}, err
	}
	arg := p.tok
	switch {
	case p.is(")"):
		return operand{}, p.wrongArgs(name, want)
	case arg.kind == tokEnd:
		return operand{}, p.close(open)
	case arg.kind != tokIdent || IsFunction(arg.text):
		return operand{}, p.fail(SyntaxToken, "", "unexpected %s: %s takes %s", arg, name.text, want)
	}
	if err := p.next(); err != nil {
		return operand{}, err
	}
	if p.is(",") {
		return operand{}, p.wrongArgs(name, want)
	}
	if p.tok.kind != tokEnd && !p.is(")") {
		return operand{}, p.fail(SyntaxToken, "", "unexpected %s: %s takes %s", p.tok, name.text, want)
	}
	return operand{&Node{Kind: kind, Pos: name.pos, Ident: arg.text, Ref: -1}, 1, name.pos}, p.close(open)
}
