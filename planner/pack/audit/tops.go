package audit

// none is the index of no block.
const none int32 = -1

// two are the highest block, and the highest one of another owner.
type two struct{ first, second int32 }

// tops is a segment tree over the starts: at a node, cover are the highest blocks
// that live throughout the range of the node, and some are the highest ones that
// live at a start of it.
type tops struct {
	blocks      []block
	leaves      int
	cover, some []two
}

func newTops(blocks []block, starts int) *tops {
	leaves := 1
	for leaves < starts {
		leaves *= 2
	}
	t := &tops{blocks, leaves, make([]two, 2*leaves), make([]two, 2*leaves)}
	for i := range t.cover {
		t.cover[i], t.some[i] = two{none, none}, two{none, none}
	}
	return t
}

// add enters block i, which lives at the starts [first, end).
func (t *tops) add(first, end int, i int32) {
	for l, r := first+t.leaves, end+t.leaves; l < r; l, r = l/2, r/2 {
		if l&1 == 1 {
			t.put(&t.cover[l], i)
			t.put(&t.some[l], i)
			l++
		}
		if r&1 == 1 {
			r--
			t.put(&t.cover[r], i)
			t.put(&t.some[r], i)
		}
	}
	// The nodes above the ones in which it was entered are above its ends.
	for l, r := (first+t.leaves)/2, (end-1+t.leaves)/2; l > 0; l, r = l/2, r/2 {
		t.put(&t.some[l], i)
		if l != r {
			t.put(&t.some[r], i)
		}
	}
}

// highest returns the highest block of another owner that lives at one of the
// starts [first, end), or none.
func (t *tops) highest(first, end int, owner int32) int32 {
	best := none
	look := func(at two) {
		i := at.first
		if i != none && t.blocks[i].owner == owner {
			i = at.second
		}
		if i != none && (best == none || t.blocks[i].high > t.blocks[best].high) {
			best = i
		}
	}
	for l, r := first+t.leaves, end+t.leaves; l < r; l, r = l/2, r/2 {
		if l&1 == 1 {
			look(t.some[l])
			l++
		}
		if r&1 == 1 {
			r--
			look(t.some[r])
		}
	}
	for l, r := (first+t.leaves)/2, (end-1+t.leaves)/2; l > 0; l, r = l/2, r/2 {
		look(t.cover[l])
		if l != r {
			look(t.cover[r])
		}
	}
	return best
}

// put enters block i if it is among the two highest of different owners.
func (t *tops) put(at *two, i int32) {
	switch {
	case at.first == none:
		at.first = i
	case t.blocks[i].owner == t.blocks[at.first].owner:
		if t.blocks[i].high > t.blocks[at.first].high {
			at.first = i
		}
	case t.blocks[i].high > t.blocks[at.first].high:
		*at = two{i, at.first}
	case at.second == none || t.blocks[i].high > t.blocks[at.second].high:
		at.second = i
	}
}
