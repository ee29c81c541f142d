package sequences

import (
	"strings"

	"github.com/seqplan/seqplan/sequences/expr"
)

// edge is a dependency on node to of a graph, and where it is written.
type edge struct {
	to int
	at place
}

// findCycles calls report for every edge that closes a cycle, in a depth-first
// search in the order of nodes and edges. path are the nodes of the cycle,
// taken the edges into each of them but the first.
func findCycles(nodes int, edges func(int) []edge, report func(path []int, taken []edge)) {
	const (
		unseen = iota
		open
		done
	)
	state := make([]uint8, nodes)
	var path []int
	var taken []edge
	var visit func(int)
	visit = func(i int) {
		state[i] = open
		path = append(path, i)
		for _, e := range edges(i) {
			taken = append(taken, e)
			switch state[e.to] {
			case unseen:
				visit(e.to)
			case open:
				from := len(path) - 1
				for path[from] != e.to {
					from--
				}
				report(path[from:], taken[from:])
			}
			taken = taken[:len(taken)-1]
		}
		path = path[:len(path)-1]
		state[i] = done
	}
	for i := range nodes {
		if state[i] == unseen {
			visit(i)
		}
	}
}

// checkViewCycles refuses buffers that hold pointers into each other: none of them
// would ever die.
func (f *file) checkViewCycles() {
	edges := func(i int) []edge {
		var out []edge
		for _, v := range f.buffers[i].views {
			if f.buffers[v.id].step <= f.buffers[i].step {
				out = append(out, edge{v.id, v.node.place()})
			}
		}
		return out
	}
	findCycles(len(f.buffers), edges, func(path []int, taken []edge) {
		f.errorf(taken[len(taken)-1].at, CodeViewCycle, "%s", f.chain("buffers view each other: ", path))
	})
}

// checkSizeCycles refuses sizes that depend on themselves, and sums of groups that
// need a buffer of a later step. Groups are nodes of the graph behind the
// buffers.
func (f *file) checkSizeCycles(dropped []bool) {
	first := len(f.buffers)
	last := make([]int, len(f.groups)) // the member that is declared last
	for i, g := range f.groups {
		last[i] = None
		for _, m := range g.members {
			if last[i] == None || f.buffers[m].step > f.buffers[last[i]].step {
				last[i] = m
			}
		}
	}
	edges := func(i int) []edge {
		var out []edge
		if i >= first {
			for _, m := range f.groups[i-first].members {
				out = append(out, edge{to: m})
			}
			return out
		}
		b := &f.buffers[i]
		if b.count == nil || dropped[i] {
			return nil
		}
		for _, r := range b.count.refs {
			at := b.count.place(r.offset)
			switch r.kind {
			case expr.Count:
				if f.counts[r.id].atBuffer == i {
					out = append(out, edge{i, at})
				}
			case expr.CountOf, expr.SizeOf:
				if f.buffers[r.id].step <= b.step {
					out = append(out, edge{r.id, at})
				}
			case expr.SumCounts:
				if m := last[r.id]; m != None && f.buffers[m].step > b.step {
					f.errorf(at, CodeSizeOrder, "the size of %q refers to the group %q, of which %s declares the member %q later",
						b.name.value, f.groups[r.id].name.value, f.stepName(f.buffers[m].step), f.bufferName(m))
					continue
				}
				out = append(out, edge{first + r.id, at})
			}
		}
		return out
	}
	findCycles(first+len(f.groups), edges, func(path []int, taken []edge) {
		code := CodeSizeCycle
		at := taken[len(taken)-1].at
		for k, i := range path {
			if i >= first {
				code = CodeGroupCycle
				if k == len(path)-1 && k > 0 { // the closing edge is not written in the file
					at = taken[k-1].at
				} else if k == len(path)-1 {
					return
				}
			}
		}
		f.errorf(at, code, "%s", f.chain("the size depends on itself: ", path))
	})
}

// chain writes a cycle: a -> b -> a.
func (f *file) chain(before string, path []int) string {
	const most = 6
	name := func(i int) string {
		if i < len(f.buffers) {
			return f.bufferName(i)
		}
		return "group " + f.groups[i-len(f.buffers)].name.value
	}
	var b strings.Builder
	b.WriteString(before)
	for k, i := range path {
		if k == most && len(path) > most+1 {
			b.WriteString("... -> ")
			break
		}
		b.WriteString(name(i) + " -> ")
	}
	b.WriteString(name(path[0]))
	return b.String()
}

// dynamic returns which buffers have a size that depends on a count.
func (f *file) dynamic() []bool {
	dynamic, seen := make([]bool, len(f.buffers)), make([]bool, len(f.buffers))
	groupSeen, groupDynamic := make([]bool, len(f.groups)), make([]bool, len(f.groups))
	var visit func(int) bool
	visit = func(i int) bool {
		if seen[i] || f.buffers[i].count == nil {
			return dynamic[i]
		}
		seen[i] = true
		for _, r := range f.buffers[i].count.refs {
			switch r.kind {
			case expr.Count:
				dynamic[i] = true
			case expr.CountOf, expr.SizeOf:
				dynamic[i] = visit(r.id) || dynamic[i]
			case expr.SumCounts:
				if !groupSeen[r.id] {
					groupSeen[r.id] = true
					for _, m := range f.groups[r.id].members {
						groupDynamic[r.id] = visit(m) || groupDynamic[r.id]
					}
				}
				dynamic[i] = groupDynamic[r.id] || dynamic[i]
			}
		}
		return dynamic[i]
	}
	for i := range f.buffers {
		visit(i)
	}
	return dynamic
}

// checkKeep refuses persistent buffers, and places and loans of buffers, whose size
// changes from batch to batch.
func (f *file) checkKeep() {
	dynamic := f.dynamic()
	for i, b := range f.buffers {
		if b.keep && dynamic[i] {
			f.hinted(b.keepNode.place(), CodeKeepDynamic, "give it the largest size that it can need",
				"%q cannot be kept, its size depends on a count", b.name.value)
		}
		for _, key := range b.special {
			if dynamic[i] {
				f.hinted(key.node.place(), CodePlaceDynamic, "give it the largest size that it can need",
					"%q cannot have %q, its size depends on a count", b.name.value, key.name)
			}
		}
	}
}
