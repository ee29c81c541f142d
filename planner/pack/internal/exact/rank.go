package exact

import (
	"cmp"
	"slices"
)

// Letter is a key of the order in which tiles are tried, largest first.
type Letter uint8

// The letters of the literature.
const (
	Width Letter = iota // number of sections
	Area                // sum of the heights over the sections
	Size                // largest height
	Total               // largest rest of a section of the tile
	Sum                 // sum of the rests of its sections
)

// Order is the order in which the tiles of a node are tried. Total and Sum are read again whenever the
// tiles fall apart.
type Order struct {
	Keys    []uint64 // by tile, before the letters; may be nil
	Letters []Letter
}

type ranked struct {
	tile int32
	keys [4]uint64
}

func (r Order) rank(s *Searcher, tiles []int32) {
	if len(tiles) < 2 {
		return
	}
	list := s.ranked[:0]
	for _, i := range tiles {
		x := ranked{tile: i}
		n := 0
		if r.Keys != nil {
			x.keys[0], n = r.Keys[i], 1
		}
		s.work += uint64(len(r.Letters) * len(s.Tiles[i].Uses))
		for _, l := range r.Letters {
			x.keys[n] = l.Of(&s.Tiles[i], s.rest)
			n++
		}
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b ranked) int {
		for k := range a.keys {
			if c := cmp.Compare(b.keys[k], a.keys[k]); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.tile, b.tile)
	})
	for k, x := range list {
		tiles[k] = x.tile
	}
	s.ranked = list
}

// Of reads a letter of a tile where so many heights are left in the sections. A sum
// that leaves uint64 is the largest.
func (l Letter) Of(t *Tile, rest []uint64) uint64 {
	var v uint64
	switch l {
	case Width:
		return uint64(len(t.Uses))
	case Size:
		return t.Size
	case Area:
		for _, u := range t.Uses {
			v += min(u.Height, ^uint64(0)-v)
		}
	case Total:
		for _, u := range t.Uses {
			v = max(v, rest[u.Section])
		}
	case Sum:
		for _, u := range t.Uses {
			v += min(rest[u.Section], ^uint64(0)-v)
		}
	}
	return v
}
