package kernel

import (
	"cmp"
	"container/heap"
	"slices"
)

// hole is a place where tiles leave that are adjacent, and others come.
type hole struct {
	leave, come []int32
}

// decision is a way over a boundary.
type decision struct {
	from   *state
	holes  []hole
	weight int64 // of the state behind, about
}

// ways are the heaviest decisions at a boundary.
type ways struct {
	heap  []decision // the lightest first
	limit int
}

// least is the weight that a decision has to exceed.
func (w *ways) least() int64 {
	if len(w.heap) < w.limit {
		return never
	}
	return w.heap[0].weight
}

// add says whether nothing is left out.
func (w *ways) add(d decision) bool {
	if len(w.heap) < w.limit {
		heap.Push(w, d)
		return true
	}
	if d.weight > w.heap[0].weight {
		w.heap[0] = d
		heap.Fix(w, 0)
	}
	return false
}

// sorted returns the decisions, the heaviest first. Nothing can be added then.
func (w *ways) sorted() []decision {
	slices.SortStableFunc(w.heap, func(x, y decision) int { return cmp.Compare(y.weight, x.weight) })
	return w.heap
}

func (w *ways) Len() int           { return len(w.heap) }
func (w *ways) Less(i, j int) bool { return w.heap[i].weight < w.heap[j].weight }
func (w *ways) Swap(i, j int)      { w.heap[i], w.heap[j] = w.heap[j], w.heap[i] }
func (w *ways) Push(d any)         { w.heap = append(w.heap, d.(decision)) }
func (w *ways) Pop() any           { panic("not needed") }
