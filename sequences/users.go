package sequences

import (
	"slices"

	"github.com/seqplan/seqplan/sequences/expr"
)

// users finds the steps that use a buffer: that write, read or size it, keep it by a
// barrier, load a count in it, or use a buffer that holds pointers into it.
type users struct {
	*file
	dropped  []bool
	readers  [][]int // by buffer: the steps that read it
	holders  [][]int // by buffer: those that hold pointers into it
	keepers  [][]int // by buffer: the groups that barriers keep
	barriers [][]int // by group: the steps with a barrier on it
	held     [][]int // by buffer: the counts in it
	sizes    [][]int // by node: the nodes that need it to compute a size

	met, metNode []int // the call of of that met a buffer, a node
	call         int
	left         int // uses that may still be looked at
}

// The nodes of sizes are the counts, then the buffers, then the groups.
func (u *users) bufferNode(i int) int { return len(u.counts) + i }
func (u *users) groupNode(i int) int  { return len(u.counts) + len(u.buffers) + i }

func (f *file) newUsers(dropped []bool) *users {
	return &users{file: f, dropped: dropped, left: maxUses}
}

// index makes the tables.
func (u *users) index() {
	n := len(u.buffers)
	nodes := u.groupNode(len(u.groups))
	u.readers, u.holders, u.keepers, u.held = make([][]int, n), make([][]int, n), make([][]int, n), make([][]int, n)
	u.barriers, u.sizes = make([][]int, len(u.groups)), make([][]int, nodes)
	u.met, u.metNode = make([]int, n), make([]int, nodes)
	for i, s := range u.steps {
		for _, r := range s.reads {
			u.readers[r.id] = append(u.readers[r.id], i)
		}
		for _, g := range s.barriers {
			u.barriers[g] = append(u.barriers[g], i)
		}
	}
	for i, c := range u.counts {
		if c.atBuffer != None {
			u.held[c.atBuffer] = append(u.held[c.atBuffer], i)
		}
	}
	summed := make([]bool, len(u.groups))
	for i, b := range u.buffers {
		if u.dropped[i] {
			continue
		}
		for _, v := range b.views {
			u.holders[v.id] = append(u.holders[v.id], i)
		}
		if b.count == nil {
			continue
		}
		for _, r := range b.count.refs {
			node := None
			switch r.kind {
			case expr.Count:
				node = r.id
			case expr.CountOf, expr.SizeOf:
				node = u.bufferNode(r.id)
			case expr.SumCounts:
				node, summed[r.id] = u.groupNode(r.id), true
			default:
				continue
			}
			u.sizes[node] = append(u.sizes[node], u.bufferNode(i))
		}
	}
	for g, group := range u.groups {
		for _, m := range group.members {
			if len(u.barriers[g]) > 0 {
				u.keepers[m] = append(u.keepers[m], g)
			}
			if summed[g] {
				u.sizes[u.bufferNode(m)] = append(u.sizes[u.bufferNode(m)], u.groupNode(g))
			}
		}
	}
}

// of returns the steps that use a buffer, in their order. The end of the batch, where
// outputs are read, is no step. It returns nil, after a report, if there is too much
// to look at.
func (u *users) of(buffer int) []int {
	if u.readers == nil {
		u.index()
	}
	u.call++
	u.met[buffer] = u.call
	var steps []int
	for stack := []int{buffer}; len(stack) > 0 && u.left > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		from := len(steps)
		if b := &u.buffers[i]; b.step != None {
			steps = append(steps, b.step)
		}
		steps = append(steps, u.readers[i]...)
		for _, g := range u.keepers[i] {
			at, _ := slices.BinarySearch(u.barriers[g], u.buffers[i].step+1) // an earlier one has nothing to keep
			steps = append(steps, u.barriers[g][at:]...)
		}
		for _, c := range u.held[i] {
			steps = u.sizedBy(c, steps)
		}
		for _, h := range u.holders[i] {
			if u.met[h] != u.call {
				u.met[h] = u.call
				stack = append(stack, h)
			}
		}
		u.look(buffer, 1+len(steps)-from)
	}
	slices.Sort(steps)
	return slices.Compact(steps)
}

// sizedBy adds the steps that load a count to compute the size of a buffer.
func (u *users) sizedBy(count int, steps []int) []int {
	u.metNode[count] = u.call
	for stack := []int{count}; len(stack) > 0; {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if i := node - u.bufferNode(0); i >= 0 && i < len(u.buffers) && u.buffers[i].step != None {
			steps = append(steps, u.buffers[i].step)
		}
		for _, k := range u.sizes[node] {
			if u.metNode[k] != u.call {
				u.metNode[k] = u.call
				stack = append(stack, k)
			}
		}
	}
	return steps
}

// look counts uses that are looked at for a buffer.
func (u *users) look(buffer, uses int) {
	if u.left > 0 && u.left <= uses {
		u.errorf(u.buffers[buffer].name.place(), CodeValues, "more than %d uses of buffers have to be looked at", maxUses)
	}
	u.left -= uses
}
