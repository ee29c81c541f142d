package sequences

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/sequences/expr"
)

// isName reports whether s matches [A-Za-z_][A-Za-z0-9_]*.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// isDotted reports whether s is one or more names joined by dots.
func isDotted(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !isName(part) {
			return false
		}
	}
	return true
}

// checkName checks a declared name of one part. what names its kind.
func (d *decoder) checkName(n *node, what string) bool {
	if isName(n.value) {
		return true
	}
	hint := "a name has letters, digits and underscores, and does not start with a digit"
	if isDotted(n.value) {
		hint = "only the names of steps, buffers and groups may have dots"
	}
	d.hinted(n.place(), CodeBadName, hint, "%q is not a name of a %s", n.value, kindOf(what))
	return false
}

// checkDotted checks a declared name of one or more parts.
func (d *decoder) checkDotted(n *node, what string) bool {
	if isDotted(n.value) {
		return true
	}
	d.hinted(n.place(), CodeBadName, "names have letters, digits and underscores, do not start with a digit, and may be joined by dots",
		"%q is not a name of a %s", n.value, kindOf(what))
	return false
}

// kindOf drops the quoted name of a thing: `template "x"` is a template.
func kindOf(what string) string {
	kind, _, _ := strings.Cut(what, " \"")
	return kind
}

// checkNotFunction refuses the names of functions for what stands bare in
// expressions.
func (d *decoder) checkNotFunction(n *node, what string) {
	if expr.IsFunction(n.value) {
		d.hinted(n.place(), CodeFunctionName, "choose another name", "%q is the name of a function and cannot name a %s", n.value, kindOf(what))
	}
}

// space is a name space: of each name the first declaration.
type space struct {
	entries map[string]declared
	names   []string // in file order
}

type declared struct {
	index int
	node  *node
}

// add declares a name. It returns false, after a report, if the name is taken.
func (s *space) add(n *node, index int, what string, r *reporter) bool {
	if first, ok := s.entries[n.value]; ok {
		r.hinted(n.place(), CodeDuplicateName, fmt.Sprintf("the first one is at line %d", first.node.place().Line), "%s is declared twice", what)
		return false
	}
	if s.entries == nil {
		s.entries = map[string]declared{}
	}
	s.entries[n.value] = declared{index, n}
	s.names = append(s.names, n.value)
	return true
}

func (s *space) find(name string) (int, bool) {
	d, ok := s.entries[name]
	return d.index, ok
}

// lostNames are the names that faults reported already may have taken away. An
// unknown name that may be one of them is not reported again.
type lostNames struct {
	all    bool     // a whole section is lost
	groups bool     // any group may be lost
	parts  []string // an unknown name that has one of them may be lost
}

// use loses the names that a failed use of a template would have declared: they
// are made from its arguments.
func (l *lostNames) use(t *template, set *node) {
	l.groups = true
	if set.kind != mapNode || t == nil && len(set.pairs) == 0 {
		l.all = true
		return
	}
	for _, p := range set.pairs {
		if p.value.kind == scalarNode && isDotted(p.value.value) {
			l.add(p.value.value)
		}
	}
	if t == nil || t.step == nil {
		return
	}
	if name := t.step.get("name"); name != nil && name.kind == scalarNode && len(placeholders(name.value)) == 0 {
		l.add(name.value)
	}
	for _, key := range []string{"writes", "scratch"} {
		if w := t.step.get(key); w != nil {
			for _, p := range w.pairs {
				if len(placeholders(p.key.value)) == 0 {
					l.add(p.key.value)
				}
			}
		}
	}
}

// add loses the names that have a part.
func (l *lostNames) add(part string) {
	l.parts = append(l.parts, part)
	l.all = l.all || len(l.parts) > maxLost
}

// any reports whether anything is lost.
func (l *lostNames) any() bool { return l.all || l.groups || len(l.parts) > 0 }

// has reports whether name may be lost.
func (l *lostNames) has(name string) bool {
	if l.all {
		return true
	}
	for _, part := range l.parts {
		if hasWord(name, part) {
			return true
		}
	}
	return false
}

// hasWord reports whether part stands in name between dots, underscores and ends.
func hasWord(name, part string) bool {
	edge := func(c byte) bool { return c == '.' || c == '_' }
	for i := 0; i+len(part) <= len(name); i++ {
		end := i + len(part)
		if name[i:end] == part && (i == 0 || edge(name[i-1])) && (end == len(name) || edge(name[end])) {
			return true
		}
	}
	return false
}
