package sequences

import (
	"fmt"
	"slices"
)

// expander replaces the uses of templates in the list of steps by the steps that
// they make.
type expander struct {
	*decoder
	templates map[string]*template
	lost      *lostNames
	values    int // nodes made so far
	written   int // bytes written so far
	stopped   bool
}

// template is a step pattern.
type template struct {
	name *node
	args []*node
	has  map[string]bool // the names of args
	step *node           // nil if the template is faulty
	used bool
}

// expand returns the steps of the file.
func (e *expander) expand(templates, steps *node) []*node {
	e.readTemplates(templates)
	if steps == nil {
		return nil
	}
	if steps.kind != listNode {
		e.lost.all = true
		e.wrongKind(steps, `"steps"`, "a list")
		return nil
	}
	if len(steps.items) == 0 {
		e.errorf(steps.place(), CodeEmptyList, "a sequence needs at least one step")
	}
	var out []*node
	for _, item := range steps.items {
		if item.kind == mapNode && item.get("use") != nil {
			out = append(out, e.useOf(item)...)
		} else {
			out = append(out, item)
		}
	}
	for _, p := range e.entries(templates, `"templates"`) {
		if t := e.templates[p.key.value]; t != nil && !t.used && !e.found.HasErrors() {
			e.warnf(p.key.place(), CodeUnusedTemplate, "", "template %q is never used", p.key.value)
		}
	}
	if e.stopped {
		return nil
	}
	return out
}

func (e *expander) readTemplates(n *node) {
	e.templates = map[string]*template{}
	if n != nil && n.kind != mapNode {
		e.wrongKind(n, `"templates"`, "a map")
		e.lost.all = true
		return
	}
	for _, p := range e.entries(n, `"templates"`) {
		t := &template{name: p.key}
		e.templates[p.key.value] = t
		what := fmt.Sprintf("template %q", p.key.value)
		e.checkName(p.key, what)
		f, ok := e.object(p.value, &e.format.template, what, p.key.place())
		if !ok {
			continue
		}
		t.args = e.list(f.get("args"), of("args", what))
		sound := len(t.args) <= maxArgs
		if !sound {
			e.errorf(t.args[maxArgs].place(), CodeTooLarge, "%s has more than %d arguments", what, maxArgs)
			t.args = t.args[:maxArgs]
		}
		t.has = map[string]bool{}
		for _, arg := range t.args {
			sound = e.checkName(arg, "argument") && sound
			if t.has[arg.value] {
				e.errorf(arg.place(), CodeDuplicateEntry, "the argument %q of %s is here twice", arg.value, what)
			}
			t.has[arg.value] = true
		}
		step := f.get("step")
		if step == nil {
			continue
		}
		if step.kind != mapNode {
			e.wrongKind(step, of("step", what), "a map")
			continue
		}
		if use := step.get("use"); use != nil {
			e.errorf(step.place(), CodeNestedTemplate, "%s cannot use another template", what)
			continue
		}
		if e.checkPattern(t, step, what) && sound {
			t.step = step
		}
	}
}

// checkPattern checks every placeholder of a pattern.
func (e *expander) checkPattern(t *template, step *node, what string) bool {
	sound := true
	used := map[string]bool{}
	walkScalars(step, func(n *node) {
		var offsets []int
		at := func(offset int) place {
			if offsets == nil {
				offsets = n.offsets()
			}
			return n.atIn(offsets, offset)
		}
		for _, p := range placeholders(n.value) {
			switch {
			case !p.closed:
				sound = false
				e.hinted(at(p.start), CodePlaceholder, "write $${ for a literal ${", "the placeholder is not of the form ${argument}")
			case p.arg != "" && !t.has[p.arg]:
				sound = false
				e.hinted(at(p.start), CodeUndeclaredArg, e.nearest(p.arg, nodeValues(t.args)), "%s has no argument %q", what, p.arg)
				t.has[p.arg] = true // once is enough, also for the uses that give it
			}
			used[p.arg] = true
		}
	})
	for _, arg := range t.args {
		if !used[arg.value] {
			e.warnf(arg.place(), CodeUnusedArg, "", "the pattern of %s does not use its argument %q", what, arg.value)
		}
	}
	return sound
}

// useOf makes the steps of one use.
func (e *expander) useOf(item *node) []*node {
	f, _ := e.object(item, &e.format.use, "the use of a template", item.place())
	var sets []*node
	with, many := f.get("with"), f.get("for")
	switch {
	case with != nil && many != nil:
		e.errorf(f.keys["for"].place(), CodeExclusive, "a template is used with either %q or %q", "with", "for")
		sets = append(sets, with)
	case many != nil && many.kind != listNode:
		e.wrongKind(many, `"for"`, "a list of maps")
		e.lost.all = true
		return nil
	case many != nil:
		if len(many.items) == 0 {
			e.errorf(many.place(), CodeEmptyList, `"for" makes no step`)
		}
		sets = many.items
	case with != nil:
		sets = append(sets, with)
	default:
		sets = append(sets, &node{kind: mapNode, src: item.src, off: item.off})
	}
	name, ok := e.text(f.get("use"), `"use"`)
	t := e.templates[name]
	if ok && t == nil && !e.lost.all {
		var known []string
		for n := range e.templates {
			known = append(known, n)
		}
		slices.Sort(known)
		e.hinted(f.get("use").place(), CodeUnknownTemplate, e.nearest(name, known), "unknown template %q", name)
	}
	if t != nil {
		t.used = true
	}
	var steps []*node
	for _, set := range sets {
		args, ok := e.arguments(t, name, set)
		if !ok || t == nil || t.step == nil {
			e.lost.use(t, set)
			continue
		}
		place := set.place()
		steps = append(steps, e.copy(t.step, args, &use{template: name, pos: place.Pos}))
	}
	return steps
}

// arguments reads the arguments of one step.
func (e *expander) arguments(t *template, name string, set *node) (map[string]*node, bool) {
	if set.kind != mapNode {
		e.wrongKind(set, "the arguments of a template", "a map")
		return nil, false
	}
	ok := true
	args := map[string]*node{}
	for _, p := range set.pairs {
		if p.value.kind != scalarNode || p.value.isNull() {
			e.errorf(p.value.place(), CodeArgKind, "the argument %q must be one value, found %s", p.key.value, p.value.describe())
			ok = false
		}
		args[p.key.value] = p.value
		if t != nil && !t.has[p.key.value] {
			e.hinted(p.key.place(), CodeUnknownArg, e.nearest(p.key.value, nodeValues(t.args)), "template %q has no argument %q", name, p.key.value)
		}
	}
	if t == nil {
		return nil, false
	}
	missing, more := "", 0
	for _, a := range t.args {
		if args[a.value] == nil {
			if missing == "" {
				missing = a.value
			} else {
				more++
			}
		}
	}
	switch {
	case more > 0:
		e.errorf(set.place(), CodeMissingArg, "the argument %q of template %q is missing, and %d more", missing, name, more)
	case missing != "":
		e.errorf(set.place(), CodeMissingArg, "the argument %q of template %q is missing", missing, name)
	}
	return args, ok && missing == ""
}
