package sequences

import (
	"fmt"
)

// decodeBuffers declares the buffers of a map.
func (f *file) decodeBuffers(n *node, section string, kind Kind, step int) []int {
	if n != nil && n.kind != mapNode {
		f.lost.all = true
	}
	object := map[Kind]*object{Input: &f.format.input, Write: &f.format.write, Scratch: &f.format.scratch}[kind]
	var ids []int
	for _, p := range f.entries(n, section) {
		what := fmt.Sprintf("buffer %q", p.key.value)
		if !f.checkDotted(p.key, what) {
			f.lost.add(p.key.value)
		}
		id := len(f.buffers)
		f.bufferSpace.add(p.key, id, what, f.reporter)
		b := bufferDecl{name: p.key, kind: kind, step: step, typ: None}
		if o, ok := f.object(p.value, object, what, p.key.place()); ok {
			f.decodeBuffer(&b, o, what)
		}
		f.buffers = append(f.buffers, b)
		ids = append(ids, id)
	}
	return ids
}

func (f *file) decodeBuffer(b *bufferDecl, o fields, what string) {
	if n := o.get("type"); n != nil {
		if name, ok := f.text(n, of("type", what)); ok {
			if i, ok := f.typeSpace.find(name); ok {
				b.typ = i
			} else {
				f.unknown(n.place(), CodeUnknownType, "type", name, f.typeSpace.names)
			}
		}
	}
	if n := o.get("count"); n != nil {
		b.count = f.size(n, of("count", what))
		b.countText = n.value
	}
	b.scope = f.scopeOf(o.get("scope"), of("scope", what))
	b.align = f.align(o.get("align"), of("align", what))
	b.viewNodes = f.names(o.get("views"), of("views", what))
	if n := o.get("in_place_of"); n != nil {
		if _, ok := f.text(n, of("in_place_of", what)); ok {
			b.inPlaceNode = n
			if b.kind == Input {
				f.errorf(o.keys["in_place_of"].place(), CodeInPlaceInput, "the input %q cannot take over the storage of a buffer", b.name.value)
			}
		}
	}
	b.optional = f.flag(o.get("optional"), of("optional", what))
	b.keep = f.flag(o.get("keep"), of("keep", what))
	b.keepNode = o.keys["keep"]
	f.decodePlace(b, o, what)
	b.groupNames = f.unique(f.oneOrMore(o.get("group"), of("group", what)), of("group", what))
	if b.kind == Scratch {
		f.checkScratch(b, o)
	}
	for _, n := range b.groupNames {
		f.declareGroup(n)
	}
}

// checkScratch refuses what would make scratch outlive its step.
func (f *file) checkScratch(b *bufferDecl, o fields) {
	if b.keep {
		f.errorf(o.keys["keep"].place(), CodeKeepScratch, "the scratch buffer %q lives in its step only and cannot be kept", b.name.value)
		b.keep = false
	}
	if b.optional {
		f.errorf(o.keys["optional"].place(), CodeOptionalScratch, "the scratch buffer %q is used by its step and cannot be optional", b.name.value)
		b.optional = false
	}
	if len(b.groupNames) > 0 {
		f.hinted(o.keys["group"].place(), CodeGroupScratch, `declare it under "writes"`,
			"the scratch buffer %q lives in its step only and cannot join a group", b.name.value)
		for _, n := range b.groupNames {
			f.declareGroup(n)
		}
		b.groupNames = nil
	}
}

func (f *file) decodeStep(n *node) {
	id := len(f.steps)
	s := stepDecl{name: &node{src: n.src, off: n.off, use: n.use, value: fmt.Sprintf("#%d", id)}}
	o, ok := f.object(n, &f.format.step, stepWhat(n, id), n.place())
	if !ok {
		f.lost.all = true
		f.steps = append(f.steps, s)
		return
	}
	what := stepWhat(n, id)
	if name := o.get("name"); name != nil {
		if _, ok := f.text(name, `"name" of a step`); ok {
			f.checkDotted(name, what)
			f.stepSpace.add(name, id, what, f.reporter)
			s.name = name
		}
	}
	s.host = f.scopeOf(o.get("on"), of("on", what)) == Host
	f.decodeStream(&s, o, what)
	s.readNodes = f.list(o.get("reads"), of("reads", what))
	s.collect = f.unique(f.oneOrMore(o.get("collect"), of("collect", what)), of("collect", what))
	s.barrier = f.unique(f.oneOrMore(o.get("barrier"), of("barrier", what)), of("barrier", what))
	for _, n := range s.collect {
		f.declareGroup(n)
	}
	f.steps = append(f.steps, s)
	s.writes = f.decodeBuffers(o.get("writes"), of("writes", what), Write, id)
	s.scratch = f.decodeBuffers(o.get("scratch"), of("scratch", what), Scratch, id)
	if !s.host && empty(o.get("reads")) && empty(o.get("writes")) && empty(o.get("scratch")) && empty(o.get("barrier")) {
		f.warnf(s.name.place(), CodeIdleStep, "", "%s reads and writes nothing", what)
	}
	f.steps[id] = s
}

// empty reports whether a key is absent or an empty list or map.
func empty(n *node) bool {
	return n == nil || n.kind != scalarNode && len(n.items)+len(n.pairs) == 0
}

// stepWhat names a step for messages, also before its name is checked.
func stepWhat(n *node, id int) string {
	if name := n.get("name"); name != nil && name.kind == scalarNode && name.value != "" {
		return fmt.Sprintf("step %q", name.value)
	}
	return fmt.Sprintf("step #%d", id)
}

// declareGroup makes the group of a name, if it is new.
func (f *file) declareGroup(n *node) int {
	if i, ok := f.groupSpace.find(n.value); ok {
		return i
	}
	f.checkDotted(n, "group")
	f.groupSpace.add(n, len(f.groups), "group", f.reporter)
	f.groups = append(f.groups, groupDecl{name: n})
	return len(f.groups) - 1
}

// declareListedGroups reads the groups that are given as lists.
func (f *file) declareListedGroups(n *node) {
	if n != nil && n.kind != mapNode {
		f.lost.all = true
	}
	for _, p := range f.entries(n, `"groups"`) {
		i := f.declareGroup(p.key)
		f.groups[i].listed = f.names(p.value, fmt.Sprintf("group %q", p.key.value))
	}
}
