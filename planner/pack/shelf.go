package pack

import "slices"

// placed is a buffer that has its place.
type placed struct {
	span
	offset, top uint64 // the bytes [offset, top)
}

// shelf keeps placed buffers sorted by offset.
type shelf []placed

func (s *shelf) insert(p placed) {
	// Below an equal offset or above makes no difference: the scans look at tops.
	at, _ := slices.BinarySearchFunc(*s, p.offset, func(q placed, offset uint64) int {
		if q.offset < offset {
			return -1
		}
		return 1
	})
	*s = slices.Insert(*s, at, p)
}

// index finds the placed buffers that overlap a span in time, in the order of
// their offsets, without ever listing the overlapping pairs (there may be tens
// of millions). Time is cut into windows of equal width, each of which starts in
// the middle of the one before: a span of at most half a width lies wholly in
// one window, and only the shelf of that window has to be scanned. Longer spans
// scan the shelf that holds everything.
type index struct {
	all     shelf
	half    int32 // half the width of a window, in sections
	windows []shelf
}

// maxWindows bounds what a buffer that lives throughout costs to insert.
const maxWindows = 256

func newIndex(in *instance) *index {
	ix := &index{half: int32(max(1, len(in.starts)))}
	if len(in.spans) == 0 {
		return ix
	}
	var sum int64
	for _, s := range in.spans {
		sum += int64(s.end - s.first)
	}
	// Twice the mean length: most buffers fit half a window, and each is
	// inserted into about four of them.
	half := max(2*sum/int64(len(in.spans)), int64(len(in.starts))/maxWindows, 1)
	if half*4 < int64(len(in.starts)) { // else windows save nothing
		ix.half = int32(half)
		ix.windows = make([]shelf, (int64(len(in.starts))+half-1)/half)
	}
	return ix
}

// overlapping returns a shelf with every placed buffer that overlaps s, and
// others.
func (ix *index) overlapping(s span) shelf {
	if ix.windows == nil || s.end-s.first > ix.half {
		return ix.all
	}
	return ix.windows[s.first/ix.half]
}

// insert adds a buffer to every window it touches: window w covers the sections
// [w*half, (w+2)*half).
func (ix *index) insert(p placed) {
	ix.all.insert(p)
	if ix.windows == nil {
		return
	}
	for w := max(0, p.first/ix.half-1); w <= (p.end-1)/ix.half; w++ {
		ix.windows[w].insert(p)
	}
}
