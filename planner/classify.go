package planner

import (
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// classified is the class of one buffer and the counts that its size depends
// on, directly or through other buffers, in order of first appearance.
type classified struct {
	class    Class
	drivenBy []sequences.CountID
}

// classify decides for every buffer whether its size is known before the
// sequence runs: it is static exactly if its size expression, with the
// expressions of the buffers that it mentions, has no count.
func classify(seq *sequences.Sequence) []classified {
	out := make([]classified, len(seq.Buffers))
	forEachInSizeOrder(seq, func(b sequences.BufferID) {
		c := &out[b]
		seen := map[sequences.CountID]bool{}
		add := func(id sequences.CountID) {
			if !seen[id] {
				seen[id] = true
				c.drivenBy = append(c.drivenBy, id)
			}
		}
		expr.Walk(seq.Buffers[b].Count, func(n *expr.Node) bool {
			switch n.Kind {
			case expr.Count:
				add(sequences.CountID(n.Ref))
			case expr.CountOf:
				for _, id := range out[n.Ref].drivenBy {
					add(id)
				}
			}
			return true
		})
		if len(c.drivenBy) > 0 {
			c.class = Dynamic
		}
	})
	return out
}

// forEachInSizeOrder calls f once per buffer, after the buffers that its size
// mentions through count_of. The reader has refused cycles.
func forEachInSizeOrder(seq *sequences.Sequence, f func(sequences.BufferID)) {
	done := make([]bool, len(seq.Buffers))
	var visit func(b sequences.BufferID)
	visit = func(b sequences.BufferID) {
		if done[b] {
			return
		}
		done[b] = true // before the recursion, so that even a cycle ends
		for _, other := range expr.Refs(seq.Buffers[b].Count, expr.CountOf) {
			visit(sequences.BufferID(other))
		}
		f(b)
	}
	for b := range seq.Buffers {
		visit(sequences.BufferID(b))
	}
}

func countNames(seq *sequences.Sequence, ids []sequences.CountID) []string {
	var names []string
	for _, id := range ids {
		names = append(names, seq.Counts[id].Name)
	}
	return names
}

func bufferNames(seq *sequences.Sequence, ids []sequences.BufferID) []string {
	var names []string
	for _, id := range ids {
		names = append(names, seq.Buffers[id].Name)
	}
	return names
}
