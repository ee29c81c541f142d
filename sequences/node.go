package sequences

// nodeKind is the kind of a value in a file.
type nodeKind uint8

const (
	scalarNode nodeKind = iota
	listNode
	mapNode
)

func (k nodeKind) String() string { return [...]string{"a scalar", "a list", "a map"}[k] }

// node is a value of a sequence file. Nodes are immutable once built; templates
// make changed copies.
type node struct {
	kind  nodeKind
	style scalarStyle
	src   *source
	off   int    // offset in src: of the first byte as written, so of a quote
	tag   string // scalars: "!!str", "!!int", "!!float", "!!bool" or "!!null"
	value string // scalars
	parts []part // scalars that a template has filled in; nil means: as written
	use   *use   // the template use that made it
	items []*node
	pairs []pair // maps: in file order, without duplicate keys
}

// pair is an entry of a map.
type pair struct{ key, value *node }

// part says that the value of a scalar from byte start on is a copy of the
// value of another scalar from byte off on.
type part struct {
	start int
	from  *node
	off   int
}

// place is where the value starts as written: for a quoted scalar the quote.
func (n *node) place() place {
	if len(n.parts) == 1 {
		p := n.parts[0]
		if p.off == 0 && p.from.value == n.value {
			return n.withUse(p.from.src.pos(p.from.off))
		}
	}
	return n.withUse(n.src.pos(n.off))
}

// at is where the byte of the value with the given offset was written, which for
// an argument of a template is in the argument.
func (n *node) at(offset int) place { return n.atIn(n.offsets(), offset) }

// atIn is at with the offsets of the node, for many places in one scalar.
func (n *node) atIn(offsets []int, offset int) place {
	return n.withUse(n.src.pos(offsets[min(max(offset, 0), len(offsets)-1)]))
}

// offsets returns where the bytes of the value and its end lie in the text.
func (n *node) offsets() []int {
	if n.parts == nil {
		return n.src.offsets(n)
	}
	var out []int
	for i, p := range n.parts {
		end := len(n.value)
		if i+1 < len(n.parts) {
			end = n.parts[i+1].start
		}
		from := p.from.offsets()
		out = append(out, from[p.off:p.off+end-p.start]...)
		if i+1 == len(n.parts) {
			out = append(out, from[p.off+end-p.start])
		}
	}
	return out
}

func (n *node) withUse(pos Pos) place {
	return place{Pos: pos, use: n.use, pattern: n.use != nil && n.parts == nil}
}

// get returns the value of a key of a map, or nil.
func (n *node) get(key string) *node {
	for _, p := range n.pairs {
		if p.key.value == key {
			return p.value
		}
	}
	return nil
}

// isNull reports whether nothing is written where a value should be.
func (n *node) isNull() bool { return n.kind == scalarNode && n.tag == "!!null" }

// describe says what the node is, for "expected ..., found ...".
func (n *node) describe() string {
	if n.kind != scalarNode {
		return n.kind.String()
	}
	switch n.tag {
	case "!!null":
		return "nothing"
	case "!!bool":
		return n.value
	case "!!int", "!!float":
		return "the number " + n.value
	}
	return "a string"
}
