package sequences

import (
	"bytes"
	"cmp"
	"slices"

	"go.yaml.in/yaml/v4"
)

// extent is a half-open range of bytes of a file.
type extent struct{ from, to int }

// commentsOf finds all comments of a document: a "#" at the start of a line or
// behind white space, up to the end of the line, outside of every scalar.
func commentsOf(src *source, doc *yaml.Node) []extent {
	var scalars []extent
	var visit func(*yaml.Node)
	visit = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			scalars = append(scalars, scalarExtent(src, n))
		}
		if n.Kind != yaml.AliasNode {
			for _, c := range n.Content {
				visit(c)
			}
		}
	}
	visit(doc)
	slices.SortFunc(scalars, func(a, b extent) int { return cmp.Compare(a.from, b.from) })
	var out []extent
	for i := 0; i < len(src.text); i++ {
		for len(scalars) > 0 && scalars[0].from <= i {
			i = max(i, scalars[0].to)
			scalars = scalars[1:]
		}
		if i >= len(src.text) {
			break
		}
		if src.text[i] == '#' && (i == 0 || isSpace(src.text[i-1])) {
			end := len(src.text)
			if n := bytes.IndexByte(src.text[i:], '\n'); n >= 0 {
				end = i + n
			}
			out = append(out, extent{i, end})
			i = end
		}
	}
	return out
}

// scalarExtent is where a scalar stands in the text, with its quotes, without an
// anchor.
func scalarExtent(src *source, y *yaml.Node) extent {
	n := scalarOf(src, y)
	if n.style == blockStyle {
		return extent{n.off, blockEnd(src.text, n.off)}
	}
	offsets := src.offsets(n)
	end := offsets[len(offsets)-1]
	switch n.style {
	case plainStyle:
		if n.value == "" {
			return extent{n.off, n.off}
		}
		// The end lies behind the white space that a fold may have stood for.
		return extent{n.off, end}
	case doubleStyle, singleStyle:
		end = closingQuote(src.text, n.off)
	}
	return extent{n.off, end}
}

// scalarOf makes a node of a scalar of the YAML library.
func scalarOf(src *source, y *yaml.Node) *node {
	m := &treeMaker{reporter: &reporter{}, src: src}
	n := &node{src: src, off: src.offset(y.Line, y.Column)}
	m.scalar(n, y)
	return n
}

// closingQuote returns the offset behind the quoted scalar that starts at off.
func closingQuote(text []byte, off int) int {
	quote := text[off]
	for i := off + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// blockEnd returns the offset behind the block scalar whose header is at off: the
// first line that is indented less than its first line of text.
func blockEnd(text []byte, off int) int {
	indent := -1
	at := off
	for {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		body := bytes.TrimLeft(line, " ")
		if len(bytes.TrimSpace(body)) == 0 {
			if at >= len(text) {
				return len(text)
			}
			continue
		}
		own := len(line) - len(body)
		if indent < 0 {
			indent = own
		}
		if own < indent || own == 0 {
			return at
		}
	}
}
