package generate

// margin is the least part of a side that a cut leaves, so that few tiles are
// slivers: an eighth, at least one cell.
func margin(side int) int { return max(1, side/8) }

// Pinwheel cuts a rectangle of width steps and height bytes into n tiles, by
// pinwheels within pinwheels: four tiles around a fifth, turning left or right,
// so that every straight cut goes through a tile. n is 4k+1, else a *CountError
// comes back. A tile can be cut if both sides are at least 3; if none is left, a
// *GridError comes back. Sides of 4 times the square root of n were enough for every
// seed tried.
func Pinwheel(n, width, height int, seed uint64) (Perfect, error) {
	if n%4 != 1 { // nor is a negative remainder
		return Perfect{}, &CountError{Tiles: n, Want: "4k+1"}
	}
	r := newRNG(pinwheelStream, seed)
	cuttable := func(t tile) bool { return t.w >= 3 && t.h >= 3 }
	return split(r, n, width, height, cuttable, r.pinwheel)
}

// twice returns two places that cut a side into three parts.
func (r *rng) twice(side int) (lo, hi int) {
	m := margin(side)
	a, b := r.between(0, side-3*m), r.between(0, side-3*m)
	return m + min(a, b), 2*m + max(a, b)
}

func (r *rng) pinwheel(t tile) []tile {
	x1, x2 := r.twice(t.w)
	y1, y2 := r.twice(t.h)
	parts := []tile{
		{0, 0, x2, y1},
		{x2, 0, t.w - x2, y2},
		{x1, y2, t.w - x1, t.h - y2},
		{0, y1, x1, t.h - y1},
		{x1, y1, x2 - x1, y2 - y1},
	}
	mirror := r.coin(2)
	for i := range parts {
		p := &parts[i]
		if mirror {
			p.x = t.w - p.x - p.w
		}
		p.x += t.x
		p.y += t.y
	}
	return parts
}

// Guillotine cuts a rectangle of width steps and height bytes into n tiles, by
// straight cuts of one tile into two; a side is cut with a probability that is
// its share of the sides of the grid. n is at least 1, else a *CountError comes
// back, and at most width * height, else a *GridError.
func Guillotine(n, width, height int, seed uint64) (Perfect, error) {
	if n < 1 {
		return Perfect{}, &CountError{Tiles: n, Want: "1 or more"}
	}
	r := newRNG(guillotineStream, seed)
	cuttable := func(t tile) bool { return t.w > 1 || t.h > 1 }
	return split(r, n, width, height, cuttable, func(t tile) []tile {
		// w/width against h/height over one denominator. Neither product is
		// above the area of the grid, and twice that fits.
		w, h := uint64(t.w)*uint64(height), uint64(t.h)*uint64(width)
		if t.h == 1 || t.w > 1 && r.below(w+h) < w {
			at := r.once(t.w)
			return []tile{{t.x, t.y, at, t.h}, {t.x + at, t.y, t.w - at, t.h}}
		}
		at := r.once(t.h)
		return []tile{{t.x, t.y, t.w, at}, {t.x, t.y + at, t.w, t.h - at}}
	})
}

// once returns a place that cuts a side into two parts.
func (r *rng) once(side int) int {
	m := margin(side)
	return r.between(m, side-m)
}
