package disjunct_test

import (
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// convert makes items of the buffers and groups of a problem: owner says which item
// a buffer is in. It is not ok if a group can have no offset.
func convert(p pack.Problem) (d disjunct.Problem, owner []int, ok bool) {
	owner = make([]int, len(p.Buffers))
	for i := range owner {
		owner[i] = -1
	}
	var members [][]int
	for _, g := range p.InPlace {
		for _, i := range g {
			owner[i] = len(members)
		}
		members = append(members, g)
	}
	for i := range owner {
		if owner[i] < 0 {
			owner[i] = len(members)
			members = append(members, []int{i})
		}
	}
	shapes := make([][]shape.Piece, len(members))
	for k, group := range members {
		it := disjunct.Item{Align: 1}
		var parts [][]shape.Piece
		for _, i := range group {
			b := p.Buffers[i]
			it.Size, it.Align = max(it.Size, b.Size), max(it.Align, b.Align)
			parts = append(parts, shape.Pieces(b.Size, b.First, b.End, b.Gaps))
			if b.Offset != nil {
				if it.Fixed != nil && *it.Fixed != *b.Offset {
					return d, owner, false
				}
				it.Fixed = b.Offset
			}
		}
		shapes[k] = shape.Union(parts...)
		d.Items = append(d.Items, it)
	}
	for i, a := range shapes {
		for j, b := range shapes[:i] {
			ranges := shape.Forbidden(a, b)
			for _, e := range p.Excluded {
				if owner[e[0]] != i {
					e[0], e[1] = e[1], e[0]
				}
				if r, some := shape.Apart(p.Buffers[e[0]].Size, p.Buffers[e[1]].Size); some && owner[e[0]] == i && owner[e[1]] == j {
					ranges = append(ranges, r)
				}
			}
			if ranges = shape.Merge(ranges); len(ranges) > 0 {
				d.Pairs = append(d.Pairs, disjunct.Pair{I: i, J: j, Forbidden: ranges})
			}
		}
	}
	d.Sections, _ = shape.Sections(nil, shapes)
	return d, owner, true
}
