package sequences

import (
	"slices"

	"github.com/seqplan/seqplan/sequences/expr"
)

// dropOptional returns which buffers are dropped: those that are optional and that
// nothing uses. A use by something that is dropped does not count.
func (f *file) dropOptional() []bool {
	uses := make([]int, len(f.buffers))
	for _, s := range f.steps {
		for _, r := range s.reads {
			uses[r.id]++
		}
	}
	for _, o := range f.outputs {
		uses[o.id]++
	}
	for _, c := range f.counts {
		if c.atBuffer != None {
			uses[c.atBuffer]++
		}
	}
	for _, g := range f.groups {
		for _, r := range g.inFile {
			uses[r.id]++
		}
	}
	for i := range f.buffers {
		for id := range f.usedBy(i) {
			uses[id]++
		}
	}
	dropped := make([]bool, len(f.buffers))
	var unused []int
	for i := range f.buffers {
		if f.buffers[i].optional && uses[i] == 0 {
			unused = append(unused, i)
		}
	}
	for len(unused) > 0 {
		i := unused[len(unused)-1]
		unused = unused[:len(unused)-1]
		dropped[i] = true
		for id := range f.usedBy(i) {
			if uses[id]--; uses[id] == 0 && f.buffers[id].optional && !dropped[id] {
				unused = append(unused, id)
			}
		}
	}
	return dropped
}

// usedBy visits the buffers that the declaration of a buffer uses.
func (f *file) usedBy(i int) func(func(int) bool) {
	b := &f.buffers[i]
	return func(yield func(int) bool) {
		for _, v := range b.views {
			if !yield(v.id) {
				return
			}
		}
		if b.inPlace != nil && !yield(b.inPlace.id) {
			return
		}
		if b.count == nil {
			return
		}
		for _, r := range b.count.refs {
			if (r.kind == expr.CountOf || r.kind == expr.SizeOf) && !yield(r.id) {
				return
			}
		}
	}
}

// joinGroups finds the members of every group.
func (f *file) joinGroups(dropped []bool) {
	total := 0
	join := func(n *node, ids ...int) {
		g, ok := f.groupSpace.find(n.value)
		if !ok || total > maxMembers {
			return
		}
		if total += len(ids); total > maxMembers {
			f.errorf(n.place(), CodeValues, "the groups have more than %d members together", maxMembers)
			return
		}
		for _, id := range ids {
			if !dropped[id] {
				f.groups[g].members = append(f.groups[g].members, id)
			}
		}
	}
	for i, b := range f.buffers {
		for _, n := range b.groupNames {
			join(n, i)
		}
	}
	for _, s := range f.steps {
		for _, n := range s.collect {
			for _, r := range s.reads {
				if f.buffers[r.id].kind != Scratch {
					join(n, r.id)
				}
			}
			join(n, s.writes...)
		}
	}
	for i := range f.groups {
		g := &f.groups[i]
		for _, r := range g.inFile {
			join(g.name, r.id)
		}
		slices.Sort(g.members)
		g.members = slices.Compact(g.members)
	}
}
