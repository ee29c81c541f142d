package kernel

import "slices"

// fewTiles on a side is up to where pinwheels are looked for.
const fewTiles = 24

// pinwheel is five tiles
//
//	left  top   top
//	left  mid   right
//	below below right
//
// (or upside down) where the sections of mid begin at a boundary, with
// left = mid + top, and end at one, with mid + below = right. If there are no
// other tiles at these boundaries, mid lies against top in the one place and
// against below in the other. Top and below live throughout, so they lie on its
// two sides, and the five fill a rectangle in every packing.
type pinwheel struct{ left, top, mid, below, right int32 }

// pinwheels merges a pinwheel of which the middle starts or ends at a boundary.
// At the level Exact the boundaries of the middle have no tiles but its own, at
// Likely no tile is in another pinwheel too.
func (r *reducer) pinwheels(level Level) bool {
	if len(r.enders) > fewTiles || len(r.starters) > fewTiles {
		return false
	}
	for _, tiles := range [][]int32{r.starters, r.enders} {
		for _, mid := range tiles {
			found := r.around(mid, level == Exact, nil)
			for _, w := range found {
				if level == Likely && !r.alone(w) || level == Eager && !r.best(w) {
					continue
				}
				r.exact = r.exact && level == Exact
				below, right := r.tiles[w.below], r.tiles[w.right]
				r.merge(below.first, right.end, below.size+r.tiles[w.left].size,
					part{w.below, 0}, part{w.right, 0}, part{w.left, below.size}, part{w.mid, below.size}, part{w.top, right.size})
				return true
			}
		}
	}
	return false
}

// around appends the pinwheels with this middle.
func (r *reducer) around(middle int32, exact bool, to []pinwheel) []pinwheel {
	mid := r.tiles[middle]
	if mid.first == 0 || mid.end == r.sections || !r.tight[mid.first] || !r.tight[mid.end] {
		return to
	}
	ends1, starts1 := r.ends.at(mid.first), r.starts.at(mid.first)
	ends2, starts2 := r.ends.at(mid.end), r.starts.at(mid.end)
	if exact && (len(ends1) != 1 || len(starts1) != 2 || len(ends2) != 2 || len(starts2) != 1) {
		return to
	}
	if max(len(ends1), len(starts1), len(ends2), len(starts2)) > fewTiles {
		return to
	}
	for _, left := range ends1 {
		l := r.tiles[left]
		if l.size <= mid.size {
			continue
		}
		for _, below := range ends2 {
			d := r.tiles[below]
			if d.first != l.first {
				continue
			}
			for _, top := range starts1 {
				t := r.tiles[top]
				if l.size != mid.size+t.size || t.end <= mid.end {
					continue
				}
				for _, right := range starts2 {
					if e := r.tiles[right]; e.end == t.end && e.size == mid.size+d.size {
						to = append(to, pinwheel{left, top, middle, below, right})
					}
				}
			}
		}
	}
	return to
}

// alone says that no tile of a pinwheel is in another one.
func (r *reducer) alone(w pinwheel) bool { return len(r.rivals(w)) == 0 }

// best says that each rival has more rivals.
func (r *reducer) best(w pinwheel) bool {
	rivals := r.rivals(w)
	for _, o := range rivals {
		if len(r.rivals(o)) <= len(rivals) {
			return false
		}
	}
	return true
}

// rivals are the pinwheels that share a tile with w.
func (r *reducer) rivals(w pinwheel) []pinwheel {
	var mids []int32
	for _, t := range w.tiles() {
		// Whichever tile of the other pinwheel it is, the middle starts or ends
		// where it starts or ends.
		for _, b := range []int32{r.tiles[t].first, r.tiles[t].end} {
			if ends, starts := r.ends.at(b), r.starts.at(b); max(len(ends), len(starts)) <= fewTiles {
				mids = append(append(mids, ends...), starts...)
			}
		}
	}
	slices.Sort(mids)
	var rivals []pinwheel
	for _, mid := range slices.Compact(mids) {
		for _, o := range r.around(mid, false, nil) {
			if o != w && w.meets(o) && !r.twins(w, o) {
				rivals = append(rivals, o)
			}
		}
	}
	return rivals
}

func (w pinwheel) tiles() []int32 { return []int32{w.left, w.top, w.mid, w.below, w.right} }

func (w pinwheel) meets(o pinwheel) bool {
	tiles := o.tiles()
	return slices.ContainsFunc(w.tiles(), func(t int32) bool { return slices.Contains(tiles, t) })
}

// twins says that two pinwheels are of equal tiles: it does not matter which one
// is taken.
func (r *reducer) twins(w, o pinwheel) bool {
	return slices.EqualFunc(w.tiles(), o.tiles(), func(t, u int32) bool { return r.tiles[t] == r.tiles[u] })
}
