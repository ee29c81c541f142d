package sequences

import (
	"strconv"
	"strings"
)

// resolve looks up every name that is used. What is not found is reported and
// left out.
func (f *file) resolve() {
	ofCount := &static{"count", CodeCountStatic}
	for i := range f.buffers {
		b := &f.buffers[i]
		f.resolveSize(b.count, nil)
		f.resolveLoans(b)
		b.views = f.bufferRefs(b.viewNodes)
		if b.inPlaceNode != nil && b.kind != Input {
			if refs := f.bufferRefs([]*node{b.inPlaceNode}); len(refs) > 0 {
				b.inPlace = &refs[0]
			}
		}
	}
	for i := range f.counts {
		c := &f.counts[i]
		f.resolveSize(c.index, ofCount)
		f.resolveSize(c.max, ofCount)
		f.resolveSize(c.typical, ofCount)
		f.resolveCount(c)
	}
	for i := range f.groups {
		f.groups[i].inFile = f.bufferRefs(f.groups[i].listed)
		for _, ref := range f.groups[i].inFile {
			if b := f.buffers[ref.id]; b.kind == Scratch {
				f.hinted(ref.node.place(), CodeGroupScratch, `declare it under "writes"`,
					"the scratch buffer %q lives in its step only and cannot join a group", b.name.value)
			}
		}
	}
	for i := range f.steps {
		f.resolveStep(&f.steps[i])
		f.resolveAfter(i)
	}
	f.resolveBudgets()
	outputs := f.outputs
	f.outputs = nil
	for _, o := range outputs {
		f.outputs = append(f.outputs, f.bufferRefs([]*node{o.node})...)
	}
	for _, o := range f.outputs {
		b := &f.buffers[o.id]
		b.output = true
		if b.kind == Scratch {
			f.hinted(o.node.place(), CodeOutputScratch, `declare it under "writes"`,
				"the scratch buffer %q lives in its step only and cannot be an output", b.name.value)
		}
		if b.optional {
			f.hinted(o.node.place(), CodeOptionalOutput, `remove "optional"`, "the output %q is always used and cannot be optional", b.name.value)
		}
	}
}

func (f *file) bufferRefs(names []*node) []bufferRef {
	var refs []bufferRef
	for _, n := range names {
		if id, ok := f.bufferSpace.find(n.value); ok {
			refs = append(refs, bufferRef{n, id})
		} else {
			f.unknown(n.place(), CodeUnknownBuffer, "buffer", n.value, f.bufferSpace.names)
		}
	}
	return refs
}

func (f *file) resolveStep(s *stepDecl) {
	seen := map[string]bool{}
	for _, n := range s.readNodes {
		name, optional := strings.CutSuffix(n.value, "?")
		id, ok := f.bufferSpace.find(name)
		switch {
		case seen[name]:
			f.errorf(n.place(), CodeDuplicateEntry, "%q is twice in %s", name, of("reads", "step "+strconv.Quote(s.name.value)))
		case ok:
			s.reads = append(s.reads, bufferRef{n, id})
		case !optional:
			f.unknown(n.place(), CodeUnknownBuffer, "buffer", name, f.bufferSpace.names)
		case !isDotted(name):
			f.hinted(n.place(), CodeBadName, "names have letters, digits and underscores, do not start with a digit, and may be joined by dots",
				"%q is not a name of a buffer", name)
		}
		seen[name] = true
	}
	for _, n := range s.barrier {
		if id, ok := f.groupSpace.find(n.value); ok {
			s.barriers = append(s.barriers, id)
		} else {
			f.unknown(n.place(), CodeUnknownGroup, "group", n.value, f.groupSpace.names)
		}
	}
}

// resolveCount checks where a count lies.
func (f *file) resolveCount(c *countDecl) {
	if c.atNode == nil {
		return
	}
	at := c.atNode.place()
	id, ok := f.bufferSpace.find(c.atNode.value)
	if !ok {
		f.unknown(at, CodeUnknownBuffer, "buffer", c.atNode.value, f.bufferSpace.names)
		return
	}
	c.atBuffer = id
	b := f.buffers[id]
	if b.scope == Host {
		f.hinted(at, CodeCountHost, "the device reads counts where they lie; put it in device memory",
			"the count %q lies in the host buffer %q", c.name.value, b.name.value)
	}
	if b.kind == Scratch {
		f.hinted(at, CodeCountScratch, `declare it under "writes"`, "the count %q lies in the scratch buffer %q, which lives in its step only", c.name.value, b.name.value)
	}
	if b.typ != None && !f.types[b.typ].Unsigned {
		f.hinted(at, CodeCountType, "the type must be u8, u16, u32 or u64",
			"the count %q lies in %q, whose type %q is no unsigned integer", c.name.value, b.name.value, f.types[b.typ].Name)
	}
}
