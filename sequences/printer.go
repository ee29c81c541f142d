package sequences

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"
)

// printer writes a document in canonical form. It walks the values and the comments
// in the order of the file; the line that it writes is open until the next one
// starts, so that a comment can still be added to it.
type printer struct {
	src      *source
	out      bytes.Buffer
	comments []extent // not yet written
	last     int      // offset in the source behind what was written last
	flow     int      // depth of flow collections: no empty lines there
}

func isBlock(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0
}

// start is the offset of the first byte of a value, or of its anchor.
func (p *printer) start(n *yaml.Node) int { return p.src.offset(n.Line, n.Column) }

func (p *printer) newline(indent int, blank bool) {
	if p.out.Len() > 0 {
		p.out.WriteByte('\n')
		if blank && p.flow == 0 {
			p.out.WriteByte('\n')
		}
	}
	p.out.WriteString(strings.Repeat(" ", indent))
}

// between is the text from what was written last to an offset.
func (p *printer) between(to int) []byte {
	to = min(to, len(p.src.text))
	return p.src.text[min(p.last, to):to]
}

// hasBlank reports whether an empty line lies in the text.
func hasBlank(text []byte) bool {
	_, rest, more := bytes.Cut(text, []byte("\n"))
	for more {
		var line []byte
		line, rest, more = bytes.Cut(rest, []byte("\n"))
		if more && len(bytes.TrimSpace(line)) == 0 {
			return true
		}
	}
	return false
}

// pending reports whether a comment stands before an offset.
func (p *printer) pending(before int) bool {
	return len(p.comments) > 0 && p.comments[0].from < before
}

// flush writes the comments before an offset: on the open line if they were on it,
// else on lines of their own.
func (p *printer) flush(before, indent int) {
	for p.pending(before) {
		c := p.comments[0]
		p.comments = p.comments[1:]
		text := p.between(c.from)
		if p.out.Len() > 0 && bytes.IndexByte(text, '\n') < 0 {
			space := len(text) - len(bytes.TrimRight(text, " "))
			p.out.WriteString(strings.Repeat(" ", max(space, 1)))
		} else {
			p.newline(indent, hasBlank(text))
		}
		p.out.Write(bytes.TrimRight(p.src.text[c.from:c.to], " \t\r"))
		p.last = c.to
	}
}

// block writes a block collection. joined: its first line is open already, behind
// the dash of a list.
func (p *printer) block(n *yaml.Node, indent int, joined bool) {
	width := 1
	if n.Kind == yaml.MappingNode {
		width = 2
	}
	for i := 0; i+width <= len(n.Content); i += width {
		c := n.Content[i]
		if !joined || i > 0 {
			at := p.start(c)
			p.flush(at, indent)
			p.newline(indent, hasBlank(p.between(at)))
		}
		if width == 2 {
			p.inline(c, indent+2)
			p.out.WriteByte(':')
			p.value(n.Content[i+1], indent)
			continue
		}
		p.out.WriteByte('-')
		if dash := bytes.IndexByte(p.between(p.start(c)), '-'); dash >= 0 {
			p.last += dash + 1
		}
		if isBlock(c) && c.Anchor == "" {
			p.out.WriteByte(' ')
			p.last = max(p.last, p.start(c))
			p.block(c, indent+2, true)
		} else {
			p.value(c, indent)
		}
	}
}

// value writes a value behind a colon or a dash.
func (p *printer) value(n *yaml.Node, indent int) {
	switch {
	case isBlock(n):
		if n.Anchor != "" {
			p.out.WriteString(" &" + n.Anchor)
			p.last = p.start(n) + 1 + len(n.Anchor)
		}
		p.block(n, indent+2, false)
	case n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 && n.ShortTag() == "!!null" && n.Anchor == "":
	case p.broken(p.start(n)):
		p.flush(p.start(n), indent+2)
		p.newline(indent+2, false)
		p.inline(n, indent+3)
	default:
		p.out.WriteByte(' ')
		p.inline(n, indent+2)
	}
}

// broken reports whether a line ends before an offset.
func (p *printer) broken(at int) bool {
	return p.pending(at) || bytes.IndexByte(p.between(at), '\n') >= 0
}

// inline writes a scalar, an alias or a flow collection, with the indentation of the
// lines that follow its first.
func (p *printer) inline(n *yaml.Node, indent int) {
	at := p.start(n)
	if n.Kind == yaml.AliasNode {
		p.out.WriteString("*" + n.Value)
		p.last = at + 1 + len(n.Value)
		return
	}
	if n.Anchor != "" {
		p.out.WriteString("&" + n.Anchor + " ")
		at = skipSpace(p.src.text, at+1+len(n.Anchor))
	}
	if n.Kind != yaml.ScalarNode {
		p.flowCollection(n, at, indent)
		return
	}
	e := scalarExtent(p.src, n)
	p.last = e.to
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		p.blockScalar(e, indent)
		return
	}
	lines := bytes.Split(bytes.TrimRight(p.src.text[e.from:e.to], " \t\r\n"), []byte("\n"))
	for i, line := range lines {
		if i == 0 {
			p.out.Write(bytes.TrimRight(line, " \t\r"))
			continue
		}
		p.out.WriteByte('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			p.out.WriteString(strings.Repeat(" ", indent))
			p.out.Write(line)
		} else if i == len(lines)-1 {
			p.out.WriteString(strings.Repeat(" ", indent))
		}
	}
}

// blockScalar writes a literal or folded scalar.
func (p *printer) blockScalar(e extent, indent int) {
	header, body, _ := bytes.Cut(p.src.text[e.from:e.to], []byte("\n"))
	header, comment, _ := bytes.Cut(header, []byte("#"))
	p.out.Write(bytes.TrimRight(header, " \t\r"))
	if comment != nil {
		p.out.WriteString(" #" + strings.TrimRight(string(comment), " \t\r"))
	}
	body = bytes.TrimSuffix(body, []byte("\n"))
	strip := -1
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		if strip < 0 && len(bytes.TrimSpace(line)) > 0 {
			strip = len(line) - len(bytes.TrimLeft(line, " "))
		}
	}
	for line := range bytes.SplitSeq(body, []byte("\n")) {
		p.out.WriteByte('\n')
		if strip >= 0 && len(line) > strip {
			p.out.WriteString(strings.Repeat(" ", indent))
			p.out.Write(bytes.TrimSuffix(line[strip:], []byte("\r")))
		}
	}
}

// flowCollection writes [a, b] or {a: b}, broken where it was broken.
func (p *printer) flowCollection(n *yaml.Node, at, indent int) {
	open, end, width := "[", byte(']'), 1
	if n.Kind == yaml.MappingNode {
		open, end, width = "{", '}', 2
	}
	if at < len(p.src.text) && p.src.text[at] == open[0] {
		p.last = at + 1
	}
	p.flow++
	p.out.WriteString(open)
	for i := 0; i+width <= len(n.Content); i += width {
		c := n.Content[i]
		switch start := p.start(c); {
		case p.broken(start):
			p.flush(start, indent)
			p.newline(indent, false)
		case i > 0:
			p.out.WriteByte(' ')
		}
		p.inline(c, indent+1)
		if width == 2 {
			if v := n.Content[i+1]; v.Value != "" || v.Style != 0 || v.Kind != yaml.ScalarNode {
				p.out.WriteByte(':')
				p.value(v, indent)
			}
		}
		if i+width < len(n.Content) {
			p.out.WriteByte(',')
		}
	}
	closing := p.closing(end)
	if p.broken(closing) {
		p.flush(closing, indent)
		p.newline(max(indent-2, 0), false)
	}
	p.out.WriteByte(end)
	p.flow--
	if closing < len(p.src.text) && p.src.text[closing] == end {
		p.last = closing + 1
	}
}

// closing finds the bracket behind the last item: only white space, commas, colons
// and comments lie between.
func (p *printer) closing(end byte) int {
	for i := p.last; i < len(p.src.text); i++ {
		switch c := p.src.text[i]; {
		case c == end:
			return i
		case c == '#' && i > 0 && isSpace(p.src.text[i-1]):
			n := bytes.IndexByte(p.src.text[i:], '\n')
			if n < 0 {
				return len(p.src.text)
			}
			i += n
		case !isSpace(c) && c != ',' && c != ':' && c != '?':
			return i
		}
	}
	return len(p.src.text)
}
