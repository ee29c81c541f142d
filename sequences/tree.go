package sequences

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// parseYAML reads the one document of a file. It returns nil after an error.
func parseYAML(s *source, r *reporter) *yaml.Node {
	loader, err := newLoader(s.text)
	if err != nil {
		r.errorf(s.place(0), CodeSyntax, "%v", err)
		return nil
	}
	var doc, more yaml.Node
	if err := loader.Load(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			r.hinted(s.place(0), CodeEmpty, "seqplan init writes a file to start with", "the file is empty")
		} else {
			syntaxError(s, err, r)
		}
		return nil
	}
	switch err := loader.Load(&more); {
	case err == nil:
		r.errorf(s.place(s.offset(more.Line, more.Column)), CodeDocuments, "a second document starts here, a file holds one sequence")
	case !errors.Is(err, io.EOF):
		syntaxError(s, err, r)
	default:
		return &doc
	}
	return nil
}

// newLoader makes a loader with the limits of the reader. Aliases are not
// expanded by it, so their limit is the reader's own.
func newLoader(text []byte) (*yaml.Loader, error) {
	return yaml.NewLoader(bytes.NewReader(text), yaml.WithV4Defaults(),
		yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxDepth), loaderlimits.AliasNone())))
}

func syntaxError(s *source, err error, r *reporter) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		r.errorf(s.place(0), CodeSyntax, "%v", err)
		return
	}
	at := place{Pos: Pos{File: s.file}}
	if load.Mark.Line > 0 {
		at = s.place(s.offset(load.Mark.Line, load.Mark.Column))
	}
	if strings.Contains(load.Message, "exceeded max depth") {
		r.errorf(at, CodeDepth, "values are nested deeper than %d", maxDepth)
		return
	}
	message, hint := load.Message, ""
	if load.ContextMsg != "" {
		message = load.ContextMsg + ": " + message
		if load.ContextMark.Line > 0 && load.ContextMark.Line < load.Mark.Line {
			hint = fmt.Sprintf("it starts at line %d", s.pos(s.offset(load.ContextMark.Line, load.ContextMark.Column)).Line)
		}
	}
	r.hinted(at, CodeSyntax, hint, "%s", message)
}

// treeMaker turns the nodes of the YAML library into ours: aliases are expanded
// within a budget, and what the format has no use for is refused.
type treeMaker struct {
	*reporter
	src     *source
	values  int
	text    int                 // bytes of all scalars
	open    map[*yaml.Node]bool // anchored nodes around the one at hand
	stopped bool
}

// buildTree returns the root of the document, or nil if it is no map or too large.
func buildTree(s *source, doc *yaml.Node, r *reporter) *node {
	m := &treeMaker{reporter: r, src: s, open: map[*yaml.Node]bool{}}
	top := doc
	if doc.Kind == yaml.DocumentNode && len(doc.Content) > 0 {
		top = doc.Content[0]
	}
	root := m.node(top, 0)
	switch {
	case m.stopped:
		return nil
	case root.isNull():
		r.hinted(s.place(0), CodeEmpty, "seqplan init writes a file to start with", "the file is empty")
		return nil
	case root.kind != mapNode:
		r.errorf(root.place(), CodeRoot, "a sequence file is a map of keys, found %s", root.describe())
		return nil
	}
	return root
}

func (m *treeMaker) place(y *yaml.Node) place { return m.src.place(m.src.offset(y.Line, y.Column)) }

func (m *treeMaker) stop(y *yaml.Node, report func()) *node {
	if !m.stopped {
		m.stopped = true
		report()
	}
	return &node{src: m.src, tag: "!!null"}
}

func (m *treeMaker) node(y *yaml.Node, depth int) *node {
	m.values++
	switch {
	case m.stopped:
		return &node{src: m.src, tag: "!!null"}
	case m.values > maxValues:
		return m.stop(y, func() {
			m.errorf(m.place(y), CodeValues, "the file holds more than %d values after the expansion of its aliases", maxValues)
		})
	case depth > maxDepth: // through aliases only
		return m.stop(y, func() { m.errorf(m.place(y), CodeDepth, "values are nested deeper than %d", maxDepth) })
	case y.Kind == yaml.AliasNode:
		if m.open[y.Alias] {
			return m.stop(y, func() {
				m.errorf(m.place(y), CodeAliasLoop, "the alias %q is inside the value that it names", y.Value)
			})
		}
		return m.node(y.Alias, depth)
	}
	if y.Anchor != "" {
		m.open[y] = true
		defer delete(m.open, y)
	}
	n := &node{src: m.src, off: m.src.offset(y.Line, y.Column)}
	switch y.Kind {
	case yaml.SequenceNode:
		n.kind = listNode
		m.checkTag(n, y)
		for _, item := range y.Content {
			n.items = append(n.items, m.node(item, depth+1))
		}
	case yaml.MappingNode:
		n.kind = mapNode
		m.checkTag(n, y)
		m.pairs(n, y, depth)
	default:
		m.scalar(n, y)
		if m.text += len(n.value); m.text > maxText {
			return m.stop(y, func() {
				m.errorf(m.place(y), CodeValues, "the file holds more than %d MiB of text after the expansion of its aliases", maxText>>20)
			})
		}
	}
	return n
}

func (m *treeMaker) pairs(n *node, y *yaml.Node, depth int) {
	first := make(map[string]*node, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		if tag := y.Content[i].ShortTag(); tag == "!!merge" {
			m.hinted(m.place(y.Content[i]), CodeMergeKey, "use a template, or write the keys out", "merge keys (%q) are not supported", "<<")
			m.node(y.Content[i+1], depth+1)
			continue
		}
		key := m.node(y.Content[i], depth+1)
		value := m.node(y.Content[i+1], depth+1)
		switch {
		case m.stopped:
			return
		case key.kind != scalarNode || key.isNull():
			m.errorf(key.place(), CodeKeyKind, "a key must be a string, found %s", key.describe())
		case len(key.value) > maxName:
			m.errorf(key.place(), CodeBadName, "a key has at most %d bytes, found %d", maxName, len(key.value))
		case first[key.value] != nil:
			m.hinted(key.place(), CodeDuplicateKey, fmt.Sprintf("the first one is at line %d", first[key.value].place().Line),
				"the key %q is here twice", key.value)
		default:
			first[key.value] = key
			n.pairs = append(n.pairs, pair{key, value})
		}
	}
}

func (m *treeMaker) scalar(n *node, y *yaml.Node) {
	n.tag, n.value = y.ShortTag(), y.Value
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.style = doubleStyle
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.style = singleStyle
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		n.style = blockStyle
	}
	m.checkTag(n, y)
	switch n.tag {
	case "!!str", "!!int", "!!float", "!!bool", "!!null":
	default: // a time stamp, for one; an unknown tag is reported already
		n.tag = "!!str"
	}
}

// checkTag refuses tags: no value of the format needs one. A node with a tag or an
// anchor starts behind them as far as the format is concerned, so the offset of a
// scalar moves there.
func (m *treeMaker) checkTag(n *node, y *yaml.Node) {
	if y.Style&yaml.TaggedStyle != 0 {
		m.errorf(m.place(y), CodeTag, "the tag %q is not supported", y.Tag)
	}
	if y.Style&yaml.TaggedStyle == 0 && y.Anchor == "" || n.kind != scalarNode {
		return
	}
	for n.off < len(m.src.text) && (m.src.text[n.off] == '&' || m.src.text[n.off] == '!') {
		for n.off < len(m.src.text) && !isSpace(m.src.text[n.off]) {
			n.off++
		}
		n.off = skipSpace(m.src.text, n.off)
	}
}
