package skyline

// drop puts each rectangle on top of those before it in the order of the index:
// the longest first, to a factor of 2. It takes a number of steps of order n log n
// on any problem, and its packing is what all others have to beat.
func drop(s *shape) (offsets []uint64, steps uint64) {
	offsets = make([]uint64, s.len())
	t := newFloors(int(s.sections()))
	for i := range offsets {
		f, e := int(s.first[i]), int(s.end[i])
		offsets[i] = (t.over(f, e) + s.mask[i]) &^ s.mask[i]
		t.raise(f, e, offsets[i]+s.size[i])
	}
	return offsets, t.steps
}

// floors are the tops of the sections, which only grow: a tree whose node has the
// highest top below it, and the height that all sections below it have reached.
type floors struct {
	leaves     int
	top, reach []uint64
	steps      uint64
}

func newFloors(sections int) *floors {
	n := 1
	for n < sections {
		n *= 2
	}
	return &floors{leaves: n, top: make([]uint64, 2*n), reach: make([]uint64, 2*n)}
}

// over returns the highest top in [first, end), which is not empty.
func (t *floors) over(first, end int) uint64 {
	var h uint64
	l, r := first+t.leaves, end+t.leaves
	for l < r {
		if l&1 == 1 {
			h = max(h, t.top[l])
			l++
		}
		if r&1 == 1 {
			r--
			h = max(h, t.top[r])
		}
		l, r = l/2, r/2
	}
	// What has been raised as a whole lies above the range in the tree.
	for _, i := range [2]int{first + t.leaves, end - 1 + t.leaves} {
		for ; i > 0; i /= 2 {
			h = max(h, t.reach[i])
			t.steps++
		}
	}
	return h
}

// raise sets the tops in [first, end) to h, which none of them exceeds.
func (t *floors) raise(first, end int, h uint64) {
	l, r := first+t.leaves, end+t.leaves
	for l < r {
		if l&1 == 1 {
			t.top[l], t.reach[l] = h, h
			l++
		}
		if r&1 == 1 {
			r--
			t.top[r], t.reach[r] = h, h
		}
		l, r = l/2, r/2
	}
	for _, i := range [2]int{first + t.leaves, end - 1 + t.leaves} {
		for i /= 2; i > 0; i /= 2 {
			t.top[i] = max(t.top[i], h)
			t.steps++
		}
	}
}
