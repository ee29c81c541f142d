package sequences

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
)

// decoder reads nodes with strict keys and kinds.
type decoder struct {
	*reporter
	*format
}

// fields are the values of an object by key; keys holds the keys as written.
type fields struct {
	values map[string]*node
	keys   map[string]*node
}

func (f fields) get(name string) *node { return f.values[name] }

// object reads a map with fixed keys. what names it in messages, at is where a
// missing key is reported. An unknown key that is close to a known one stands
// for it, so that a misspelled section is one fault and not many. ok is false
// if n is no map.
func (d *decoder) object(n *node, o *object, what string, at place) (f fields, ok bool) {
	if n.kind != mapNode {
		d.wrongKind(n, what, "a map")
		return f, false
	}
	f = fields{make(map[string]*node, len(n.pairs)), make(map[string]*node, len(n.pairs))}
	var unknown []pair
	for _, p := range n.pairs {
		switch k := o.find(p.key.value); {
		case k == nil:
			unknown = append(unknown, p)
		default:
			f.values[k.name], f.keys[k.name] = p.value, p.key
		}
	}
	for _, p := range unknown {
		d.unknownKey(p, o, what, f)
	}
	for _, k := range o.keys {
		if k.required && f.values[k.name] == nil {
			d.hinted(at, CodeMissingKey, k.doc, "%s has no %q", what, k.name)
		}
	}
	return f, true
}

func (d *decoder) unknownKey(p pair, o *object, what string, f fields) {
	name := p.key.value
	meant := meantKey(strings.ToLower(name), o.names())
	hint := fmt.Sprintf("did you mean %q?", meant)
	if meant == "" {
		hint = "known keys: " + strings.Join(o.names(), ", ")
	} else if f.values[meant] == nil {
		f.values[meant], f.keys[meant] = p.value, p.key
	}
	d.hinted(p.key.place(), CodeUnknownKey, hint, "unknown key %q in %s", name, what)
}

// meantKey returns the key that was probably meant: the same in lower case, a close
// one, or the first that starts with the same four letters ("parameters").
func meantKey(name string, known []string) string {
	if slices.Contains(known, name) {
		return name
	}
	if c := diag.Nearest(name, known); c != "" {
		return c
	}
	for _, c := range known {
		if len(name) >= 4 && strings.HasPrefix(c, name[:4]) {
			return c
		}
	}
	return ""
}

func (d *decoder) wrongKind(n *node, what, want string) {
	hint := ""
	if n.kind == scalarNode && n.tag != "!!str" && n.tag != "!!null" && strings.Contains(want, "string") {
		hint = "put it in quotes"
	}
	d.hinted(n.place(), CodeWrongKind, hint, "%s must be %s, found %s", what, want, n.describe())
}

// text reads a string.
func (d *decoder) text(n *node, what string) (string, bool) {
	if n.kind != scalarNode || n.tag != "!!str" {
		d.wrongKind(n, what, "a string")
		return "", false
	}
	return n.value, true
}

// flag reads true or false; no value is false.
func (d *decoder) flag(n *node, what string) bool {
	if n == nil {
		return false
	}
	if n.kind != scalarNode || n.tag != "!!bool" {
		d.wrongKind(n, what, "true or false")
		return false
	}
	v, _ := strconv.ParseBool(strings.ToLower(n.value))
	return v
}

// word reads one of a few words and returns its index; no value is 0.
func (d *decoder) word(n *node, what string, words ...string) int {
	if n == nil {
		return 0
	}
	if i := slices.Index(words, n.value); i >= 0 && n.kind == scalarNode {
		return i
	}
	last := len(words) - 1
	want := strings.Join(words[:last], ", ") + " or " + words[last]
	if n.kind != scalarNode || n.isNull() {
		d.wrongKind(n, what, want)
		return 0
	}
	d.hinted(n.place(), CodeWord, d.nearest(n.value, words), "%s must be %s, found %q", what, want, n.value)
	return 0
}

// scope reads device or host.
func (d *decoder) scopeOf(n *node, what string) Scope {
	return Scope(d.word(n, what, Device.String(), Host.String()))
}

// list reads a list of strings. An entry that is no string is reported and left out.
func (d *decoder) list(n *node, what string) []*node {
	if n == nil {
		return nil
	}
	if n.kind != listNode {
		d.hinted(n.place(), CodeWrongKind, "write [a, b]", "%s must be a list, found %s", what, n.describe())
		return nil
	}
	var out []*node
	for _, item := range n.items {
		if _, ok := d.text(item, "an entry of "+what); ok {
			out = append(out, item)
		}
	}
	return out
}

// oneOrMore reads a string or a list of strings.
func (d *decoder) oneOrMore(n *node, what string) []*node {
	if n == nil || n.kind == listNode {
		return d.list(n, what)
	}
	if n.kind == scalarNode && n.tag == "!!str" {
		return []*node{n}
	}
	d.wrongKind(n, what, "a name or a list of names")
	return nil
}

// objects reads a list of maps; the maps are not looked at.
func (d *decoder) objects(n *node, what string) []*node {
	if n == nil {
		return nil
	}
	if n.kind != listNode {
		d.hinted(n.place(), CodeWrongKind, "write [{...}]", "%s must be a list, found %s", what, n.describe())
		return nil
	}
	return n.items
}

// entries reads a map from names to values; the values are not looked at.
func (d *decoder) entries(n *node, what string) []pair {
	if n == nil {
		return nil
	}
	if n.kind != mapNode {
		d.wrongKind(n, what, "a map")
		return nil
	}
	return n.pairs
}

// of names a field for messages.
func of(key, what string) string { return fmt.Sprintf("%q of %s", key, what) }
