package sequences

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Format rewrites a sequence file in canonical form: two spaces of indentation,
// lists indented below their key, one space behind colons and commas, at most one
// empty line in a row, no white space at the end of a line. It keeps comments
// and the space before them, quotes, the order of keys, flow collections and the
// line breaks in them. JSON stays JSON, with every value on its own line.
//
// The values of the file stay the same, and formatting twice changes nothing more.
// A file that is not YAML, or that cannot be kept exactly, is an error: of type
// Diagnostics for the former.
func Format(data []byte) ([]byte, error) {
	r := &reporter{}
	src := newSource("", data, r)
	if src == nil {
		return nil, r.found
	}
	if out := formatJSON(src.text); out != nil {
		return out, nil
	}
	doc := parseYAML(src, r)
	if doc == nil {
		return nil, r.found
	}
	out, err := formatYAML(src, doc)
	if err != nil {
		return nil, err
	}
	if err := sameFile(src, doc, out); err != nil {
		return nil, err
	}
	if json := formatJSON(out); json != nil { // without its last comma, for one
		return json, nil
	}
	return out, nil
}

// formatJSON returns nil if text is no JSON object.
func formatJSON(text []byte) []byte {
	text = bytes.TrimSpace(text)
	if !bytes.HasPrefix(text, []byte("{")) || !json.Valid(text) {
		return nil
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil
	}
	out.WriteByte('\n')
	return out.Bytes()
}

var errFormat = errors.New("cannot be formatted")

// formatYAML prints a document.
func formatYAML(src *source, doc *yaml.Node) ([]byte, error) {
	if len(doc.Content) != 1 {
		return nil, fmt.Errorf("%w: the document is empty", errFormat)
	}
	if err := canFormat(src, doc.Content[0]); err != nil {
		return nil, err
	}
	p := &printer{src: src, comments: commentsOf(src, doc)}
	root := doc.Content[0]
	if isBlock(root) {
		p.block(root, 0, false)
	} else {
		p.flush(src.offset(root.Line, root.Column), 0)
		p.newline(0, false)
		p.inline(root, 2)
	}
	p.flush(len(src.text)+1, 0)
	p.out.WriteByte('\n')
	return p.out.Bytes(), nil
}

// canFormat refuses what the printer does not know. No sequence file needs it.
func canFormat(src *source, n *yaml.Node) error {
	at := func() int { return src.pos(src.offset(n.Line, n.Column)).Line }
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return fmt.Errorf("line %d %w: it has a tag", at(), errFormat)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		header, _, _ := bytes.Cut(src.text[src.offset(n.Line, n.Column):], []byte("\n"))
		header, _, _ = bytes.Cut(header, []byte(" "))
		if bytes.ContainsAny(header, "123456789") {
			return fmt.Errorf("line %d %w: the block has an explicit indentation", at(), errFormat)
		}
	case n.Kind == yaml.AliasNode:
		return nil
	}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && c.Kind != yaml.ScalarNode && c.Kind != yaml.AliasNode {
			return fmt.Errorf("line %d %w: a key is not a string", at(), errFormat)
		}
		if err := canFormat(src, c); err != nil {
			return err
		}
	}
	return nil
}

// sameFile checks that the formatted file holds the same values and comments, and
// that formatting it again changes nothing.
func sameFile(src *source, doc *yaml.Node, out []byte) error {
	r := &reporter{}
	after := newSource("", out, r)
	if after == nil {
		return fmt.Errorf("%w: %w", errFormat, r.found)
	}
	again := parseYAML(after, r)
	if again == nil {
		return fmt.Errorf("%w: %w", errFormat, r.found)
	}
	if n := firstDifference(doc, again); n != nil {
		return fmt.Errorf("line %d %w without changing it", src.pos(src.offset(n.Line, n.Column)).Line, errFormat)
	}
	text := func(s *source, doc *yaml.Node) []string {
		var out []string
		for _, c := range commentsOf(s, doc) {
			out = append(out, strings.TrimRight(string(s.text[c.from:c.to]), " \t\r"))
		}
		return out
	}
	if !slices.Equal(text(src, doc), text(after, again)) {
		return fmt.Errorf("the file %w without losing a comment", errFormat)
	}
	if twice, err := formatYAML(after, again); err != nil || !bytes.Equal(out, twice) {
		return fmt.Errorf("the file %w for good", errFormat)
	}
	return nil
}

// firstDifference returns the first node of a that b does not have at its place.
func firstDifference(a, b *yaml.Node) *yaml.Node {
	if a.Kind != b.Kind || a.Anchor != b.Anchor || a.Value != b.Value || a.ShortTag() != b.ShortTag() || len(a.Content) != len(b.Content) {
		return a
	}
	if a.Kind == yaml.AliasNode {
		return nil
	}
	for i := range a.Content {
		if n := firstDifference(a.Content[i], b.Content[i]); n != nil {
			return n
		}
	}
	return nil
}
