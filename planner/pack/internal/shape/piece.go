package shape

// Piece is the bytes [Low, High) of a shape, in use in the steps [First, End).
// Neither is empty.
type Piece struct {
	First, End uint64
	Low, High  uint64
}

// Pieces returns what a buffer of a size has in use over its lifetime
// [first, end): all bytes, and in a gap those of its window. Gaps are ascending
// and disjoint, not empty, and lie inside the lifetime; their windows lie inside
// the size and may be empty.
func Pieces[G ~struct {
	First, End uint64
	Low, High  uint64
}](size, first, end uint64, gaps []G) []Piece {
	pieces := make([]Piece, 0, 1+2*len(gaps))
	add := func(p Piece) {
		last := len(pieces) - 1
		switch {
		case p.First == p.End || p.Low == p.High:
		case last >= 0 && pieces[last].continues(p):
			pieces[last].End = p.End
		default:
			pieces = append(pieces, p)
		}
	}
	for _, g := range gaps {
		gap := Piece(g)
		add(Piece{first, gap.First, 0, size})
		add(gap)
		first = gap.End
	}
	add(Piece{first, end, 0, size})
	return pieces
}

// continues says whether next is the same window, from the end of p on.
func (p Piece) continues(next Piece) bool {
	return p.End == next.First && p.Low == next.Low && p.High == next.High
}
