package exact

import "context"

// builder makes the links of a graph.
type builder struct {
	*Graph
	ctx   context.Context
	work  uint64 // done
	most  uint64
	look  uint64 // work at which the context is looked at again
	links int
}

// spend counts work, and returns false where there is none left.
func (b *builder) spend(units int) bool {
	b.work += uint64(units)
	if b.work >= b.look {
		b.look = b.work + lookEach
		if b.ctx.Err() != nil {
			return false
		}
	}
	return b.work <= b.most
}

// take keeps the links of a tile, and returns false if they are too many.
func (b *builder) take(i int, list []link) bool {
	b.Graph.links[i] = list
	b.links += len(list)
	return b.links <= maxLinks
}

// link finds for each tile those that share a section with it. It returns false if that
// is too much.
func (b *builder) link() bool {
	for i := range b.Tiles {
		if !b.even(i) {
			return b.linkUneven()
		}
	}
	starts := make([][]int32, b.Sections)
	for i, r := range b.runs {
		starts[r.first] = append(starts[r.first], int32(i))
	}
	for i, r := range b.runs {
		list := make([]link, 0, len(b.members[r.first])-1)
		add := func(tiles []int32) {
			for _, j := range tiles {
				if int(j) != i {
					list = append(list, link{j, b.Tiles[i].Size, b.Tiles[j].Size})
				}
			}
		}
		add(b.members[r.first])
		for k := r.first + 1; k < r.end; k++ {
			add(starts[k])
		}
		if !b.take(i, list) || !b.spend(2*len(list)+int(r.end-r.first)) {
			return false
		}
	}
	return true
}

// linkUneven does the same for any tiles. The distances are the largest heights of
// the lower one in a section of both.
func (b *builder) linkUneven() bool {
	heights := make([][]uint64, b.Sections) // of the members
	for i := range b.Tiles {
		for _, u := range b.Tiles[i].Uses {
			heights[u.Section] = append(heights[u.Section], u.Height)
		}
	}
	at := make([]int, len(b.Tiles)) // index in the list + 1
	for i := range b.Tiles {
		var list []link
		for _, u := range b.Tiles[i].Uses {
			members := b.members[u.Section]
			if !b.spend(4 * len(members)) {
				return false
			}
			for n, j := range members {
				if int(j) == i {
					continue
				}
				if at[j] == 0 {
					list = append(list, link{tile: j})
					at[j] = len(list)
				}
				l := &list[at[j]-1]
				l.above, l.under = max(l.above, u.Height), max(l.under, heights[u.Section][n])
			}
		}
		for _, l := range list {
			at[l.tile] = 0
		}
		if !b.take(i, list) {
			return false
		}
	}
	return true
}
