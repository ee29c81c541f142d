package exact

import "github.com/seqplan/seqplan/planner/pack/internal/rect"

// FromRect makes the problem of plain rectangles.
func FromRect(p *rect.Problem) *Problem {
	q := &Problem{Tiles: make([]Tile, len(p.Rects)), Sections: int(p.Sections), Ordered: int(p.Sections)}
	for i, r := range p.Rects {
		uses := make([]Use, r.End-r.First)
		for k := range uses {
			uses[k] = Use{r.First + int32(k), r.Size}
		}
		q.Tiles[i] = Tile{Uses: uses, Size: r.Size, Top: r.Size, Align: r.Align, Fixed: Free}
	}
	return q
}
