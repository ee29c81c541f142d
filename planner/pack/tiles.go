package pack

import (
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/exact"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// tiles makes tiles of the items that take anything from others, and says which
// item each is. One whose window does not start at its offset gets the bytes below
// as well.
func (m *model) tiles() (p *exact.Problem, of []int) {
	sections, _ := shape.Sections(nil, m.shapes())
	t := &tiler{model: m, align: m.problem.minAlign(), tiles: make([]exact.Tile, len(m.items))}
	for k, s := range sections {
		for _, part := range s.Parts {
			t.use(part.Item, k, part.High)
		}
	}
	p = &exact.Problem{Ordered: max(1, len(sections))} // there is always a time
	p.Sections = p.Ordered
	for _, clique := range m.cliques() {
		for _, s := range clique {
			t.use(s.item, p.Sections, s.size)
		}
		p.Sections++
	}
	for n := range t.tiles {
		if len(t.tiles[n].Uses) > 0 {
			p.Tiles = append(p.Tiles, t.tiles[n])
			of = append(of, n)
		}
	}
	return p, of
}

// tiler collects the tiles by item.
type tiler struct {
	*model
	align uint64 // what every offset is a multiple of
	tiles []exact.Tile
}

// use adds bytes of an item in a section. Sections come in ascending order.
func (t *tiler) use(n, section int, height uint64) {
	tile := &t.tiles[n]
	if len(tile.Uses) == 0 {
		it := &t.items[n]
		*tile = exact.Tile{Top: it.size, Align: it.align, Fixed: exact.Free}
		if it.fixed != nil {
			tile.Fixed = *it.fixed
		}
	}
	height = rect.AlignUp(height, t.align)
	if last := len(tile.Uses) - 1; last >= 0 && int(tile.Uses[last].Section) == section {
		tile.Uses[last].Height = max(tile.Uses[last].Height, height)
	} else {
		tile.Uses = append(tile.Uses, exact.Use{Section: int32(section), Height: height})
	}
	tile.Size = max(tile.Size, height)
}

// minAlign is what every offset is a multiple of.
func (p Problem) minAlign() uint64 {
	if len(p.Buffers) == 0 {
		return 1
	}
	return slices.MinFunc(p.Buffers, func(a, b Buffer) int {
		if a.Align < b.Align {
			return -1
		}
		return 1
	}).Align
}
