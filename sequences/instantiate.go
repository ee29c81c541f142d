package sequences

import "strings"

// copy makes a step from a pattern.
func (e *expander) copy(n *node, args map[string]*node, u *use) *node {
	e.values++
	if e.values > maxValues || e.written > maxText {
		if !e.stopped {
			e.stopped = true
			e.errorf(place{Pos: u.pos}, CodeValues, "the templates make more than %d values or %d MiB of text", maxValues, maxText>>20)
		}
		return n
	}
	c := *n
	c.use = u
	switch n.kind {
	case scalarNode:
		e.fill(&c, n, args)
	case listNode:
		c.items = make([]*node, len(n.items))
		for i, item := range n.items {
			c.items[i] = e.copy(item, args, u)
		}
	case mapNode:
		c.pairs = nil
		first := map[string]*node{}
		for _, p := range n.pairs {
			key, value := e.copy(p.key, args, u), e.copy(p.value, args, u)
			switch {
			case e.stopped:
				return n
			case len(key.value) > maxName:
				e.errorf(key.place(), CodeBadName, "a key has at most %d bytes, found %d", maxName, len(key.value))
				continue
			case first[key.value] != nil:
				e.errorf(key.place(), CodeDuplicateKey, "the key %q is here twice", key.value)
				continue
			}
			first[key.value] = key
			c.pairs = append(c.pairs, pair{key, value})
		}
	}
	return &c
}

// fill writes the arguments into a scalar.
func (e *expander) fill(c, n *node, args map[string]*node) {
	found := placeholders(n.value)
	if len(found) == 0 {
		return
	}
	if len(found) == 1 && found[0].arg != "" && found[0].start == 0 && found[0].end == len(n.value) {
		c.tag = args[found[0].arg].tag // all of the value: a number stays a number
	}
	var b strings.Builder
	c.parts = nil
	add := func(from *node, start, end int) {
		if start < end {
			c.parts = append(c.parts, part{start: b.Len(), from: from, off: start})
			b.WriteString(from.value[start:end])
		}
	}
	last := 0
	for _, p := range found {
		add(n, last, p.start)
		if p.arg == "" {
			add(n, p.start+1, p.end) // "${" of "$${"
		} else {
			arg := args[p.arg]
			add(arg, 0, len(arg.value))
		}
		last = p.end
	}
	add(n, last, len(n.value))
	c.value = b.String()
	e.written += len(c.value)
}

// placeholder is one "${arg}" of a string, or, with no arg, one "$${".
type placeholder struct {
	start, end int
	arg        string
	closed     bool
}

func placeholders(s string) []placeholder {
	var out []placeholder
	for i := 0; i+1 < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "$${"):
			out = append(out, placeholder{start: i, end: i + 3, closed: true})
			i += 2
		case strings.HasPrefix(s[i:], "${"):
			name := s[i+2:]
			end := strings.IndexByte(name, '}')
			if end < 0 || !isName(name[:end]) {
				out = append(out, placeholder{start: i, end: i + 2})
				i++
				continue
			}
			out = append(out, placeholder{start: i, end: i + end + 3, arg: name[:end], closed: true})
			i += end + 2
		}
	}
	return out
}

func walkScalars(n *node, visit func(*node)) {
	if n.kind == scalarNode {
		visit(n)
	}
	for _, item := range n.items {
		walkScalars(item, visit)
	}
	for _, p := range n.pairs {
		walkScalars(p.key, visit)
		walkScalars(p.value, visit)
	}
}

func nodeValues(nodes []*node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.value)
	}
	return out
}
