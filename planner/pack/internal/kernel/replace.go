package kernel

import "slices"

// replacer makes marked leaves adjacent and puts a node in their place.
type replacer struct {
	m     marks
	count int32 // of marked leaves
	with  *node
	lost  int64 // logarithm of the number of orders that the marked leaves had
}

// replace is nil if no order has the marked leaves adjacent.
func (r *replacer) replace(n *node) *node {
	if r.count == n.leaves {
		r.lost += n.weight
		return r.with
	}
	counts := make([]int32, len(n.kids))
	first, last := -1, -1
	for i, k := range n.kids {
		if counts[i] = k.marked(r.m); counts[i] > 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	switch {
	case first == last:
		k := r.replace(n.kids[first])
		if k == nil {
			return nil
		}
		kids := slices.Clone(n.kids)
		kids[first] = k
		return n.like(kids)
	case n.strict:
		return r.strict(n, counts, first, last)
	}
	return r.loose(n, counts)
}

// strict replaces a run of kids. The first and the last of them may have leaves
// without a mark, on the outer side.
func (r *replacer) strict(n *node, counts []int32, first, last int) *node {
	kids := slices.Clone(n.kids[:first])
	for i := first; i <= last; i++ {
		k := n.kids[i]
		full := counts[i] == k.leaves
		if full {
			r.lost += k.weight
		}
		switch {
		case i == first:
			rest, ok := r.peelUnlessFull(k, full)
			if !ok {
				return nil
			}
			kids = append(append(kids, rest...), r.with)
		case i == last:
			rest, ok := r.peelUnlessFull(k, full)
			if !ok {
				return nil
			}
			slices.Reverse(rest)
			kids = append(kids, rest...)
		case !full:
			return nil
		}
	}
	return strictly(append(kids, n.kids[last+1:]...))
}

func (r *replacer) peelUnlessFull(n *node, full bool) ([]*node, bool) {
	if full {
		return nil, true
	}
	return r.peel(n, nil)
}

// loose gathers the full kids between at most two that have both kinds of leaves.
func (r *replacer) loose(n *node, counts []int32) *node {
	var empty, run []*node
	full, mixed := 0, 0
	for i, k := range n.kids {
		switch {
		case counts[i] == 0:
			empty = append(empty, k)
		case counts[i] == k.leaves:
			full++
			r.lost += k.weight
		default:
			rest, ok := r.peel(k, nil)
			if !ok || mixed == 2 {
				return nil
			}
			if mixed++; mixed == 1 {
				run = append(rest, r.with)
			} else {
				slices.Reverse(rest)
				run = append(run, rest...)
			}
		}
	}
	r.lost += logFactorial(full)
	if mixed == 0 {
		return loose(append(empty, r.with))
	}
	return loose(append(empty, strictly(run)))
}

// peel appends what is left of a node without its marked leaves, which have to be
// adjacent at the end.
func (r *replacer) peel(n *node, to []*node) ([]*node, bool) {
	kids := n.kids
	if n.strict {
		if end := kids[len(kids)-1]; kids[0].marked(r.m) > 0 && end.marked(r.m) < end.leaves {
			kids = slices.Clone(kids)
			slices.Reverse(kids)
		}
	}
	var empty []*node
	var mixed *node
	full := 0
	for _, k := range kids {
		c := k.marked(r.m)
		if n.strict && c < k.leaves && (mixed != nil || full > 0) {
			return nil, false // the marked ones are not at the end
		}
		switch {
		case c == 0:
			empty = append(empty, k)
		case c == k.leaves:
			full++
			r.lost += k.weight
		case mixed != nil:
			return nil, false
		default:
			mixed = k
		}
	}
	if n.strict {
		to = append(to, empty...)
	} else {
		r.lost += logFactorial(full)
		if len(empty) > 0 {
			to = append(to, loose(empty))
		}
	}
	if mixed != nil {
		return r.peel(mixed, to)
	}
	return to, true
}
