package exact

// Tile is one thing to place: its bottom is flat, its top may be uneven.
type Tile struct {
	Uses  []Use  // ascending sections, at least one
	Size  uint64 // the largest height, at least 1
	Top   uint64 // what the capacity counts: at most Size
	Align uint64 // a power of two
	Fixed uint64 // the only offset that it may have, or Free
}

// Free is the fixed offset of a tile that has none.
const Free = ^uint64(0)

// Use is the height of a tile in a section.
type Use struct {
	Section int32
	Height  uint64 // at least 1
}

// Problem is a packing problem. A section is a set of tiles that must be
// disjoint with the heights that they have there. Whoever makes a Problem has
// checked that no sum of offsets and sizes can wrap: the sum of all sizes, each
// rounded up to its alignment, and of the largest fixed offset is below 2^62.
type Problem struct {
	Tiles    []Tile
	Sections int
	// Ordered is the number of sections, from the first on, that are in the order
	// of time. Those behind have tiles of any time.
	Ordered int
}

// Bound returns what the tiles of one section need at least: all but the topmost
// take their height there.
func (p *Problem) Bound() uint64 {
	totals, slack := p.Totals(), make([]uint64, p.Sections)
	for i := range p.Tiles {
		t := &p.Tiles[i]
		for _, u := range t.Uses {
			slack[u.Section] = max(slack[u.Section], u.Height-min(u.Height, t.Top))
		}
	}
	var bound uint64
	for k, total := range totals {
		bound = max(bound, total-slack[k])
	}
	return bound
}

// Totals returns the sum of the heights in each section.
func (p *Problem) Totals() []uint64 {
	totals := make([]uint64, p.Sections)
	for i := range p.Tiles {
		for _, u := range p.Tiles[i].Uses {
			totals[u.Section] += u.Height
		}
	}
	return totals
}
