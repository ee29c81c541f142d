package kernel

// side lists the tiles that start, or those that end, at each boundary. A list
// never grows beyond its first length: a merged tile replaces one there.
type side struct {
	tiles []int32 // of all boundaries
	from  []int32 // by boundary, in tiles
	len   []int32 // by boundary
	pos   []int32 // by tile, in tiles
}

// sides returns the starts and the ends.
func sides(tiles []tile, sections int32) (starts, ends side) {
	return newSide(tiles, sections, func(t tile) int32 { return t.first }),
		newSide(tiles, sections, func(t tile) int32 { return t.end })
}

func newSide(tiles []tile, sections int32, boundary func(tile) int32) side {
	s := side{
		tiles: make([]int32, len(tiles)),
		from:  make([]int32, sections+2),
		len:   make([]int32, sections+1),
		pos:   make([]int32, len(tiles), 2*len(tiles)),
	}
	for _, t := range tiles {
		s.from[boundary(t)+1]++
	}
	for b := range sections + 1 {
		s.from[b+1] += s.from[b]
	}
	for i, t := range tiles {
		b := boundary(t)
		at := s.from[b] + s.len[b]
		s.tiles[at], s.pos[i] = int32(i), at
		s.len[b]++
	}
	return s
}

func (s *side) at(b int32) []int32 { return s.tiles[s.from[b] : s.from[b]+s.len[b]] }

func (s *side) remove(id, b int32) {
	s.len[b]--
	last := s.from[b] + s.len[b]
	moved := s.tiles[last]
	s.tiles[s.pos[id]], s.pos[moved] = moved, s.pos[id]
}

// add appends a tile, whose number is the next.
func (s *side) add(id, b int32) {
	at := s.from[b] + s.len[b]
	s.tiles[at] = id
	s.pos = append(s.pos, at)
	s.len[b]++
}
