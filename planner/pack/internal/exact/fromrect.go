package exact

import "github.com/seqplan/seqplan/planner/pack/internal/rect"

// FromRect makes the problem of plain rectangles.
func FromRect(p *rect.Problem) *Problem {
	q := &Problem{Tiles: make([]Tile, len(p.Rects)), Sections: int(p.Sections), Ordered: int(p.Sections)}
	align := ^uint64(0) // what every offset is a multiple of
	for _, r := range p.Rects {
		align = min(align, r.Align)
	}
	for i, r := range p.Rects {
		height := rect.AlignUp(r.Size, align)
		uses := make([]Use, r.End-r.First)
		for k := range uses {
			uses[k] = Use{r.First + int32(k), height}
		}
		q.Tiles[i] = Tile{Uses: uses, Size: height, Top: r.Size, Align: r.Align, Fixed: Free}
	}
	return q
}
