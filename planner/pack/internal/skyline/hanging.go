package skyline

import "slices"

// fixed are rectangles that have a place, as the passes over the others read them.
type fixed struct {
	size, offset []uint64 // by offset
	starts       []int32  // by section: its first entry in list
	list         []int32  // those of a section, by offset
	from, to     int32    // a range of sections without any
}

// newFixed takes rectangles of s, by offset, clipped to the sections [from, to).
func newFixed(s *shape, rects []int32, from, to int32, offsets []uint64) *fixed {
	n := to - from
	f := &fixed{
		size: make([]uint64, len(rects)), offset: make([]uint64, len(rects)), starts: make([]int32, n+1),
	}
	clip := func(i int32) (first, end int32) { return max(s.first[i], from) - from, min(s.end[i], to) - from }
	for k, i := range rects {
		f.size[k], f.offset[k] = s.size[i], offsets[i]
		first, end := clip(i)
		for c := first; c < end; c++ {
			f.starts[c]++
		}
	}
	for c, free := int32(0), int32(0); c < n; c++ {
		if free++; f.starts[c] > 0 {
			free = 0
		} else if free > f.to-f.from {
			f.from, f.to = c+1-free, c+1
		}
	}
	starts(f.starts)
	f.list = make([]int32, f.starts[n])
	at := slices.Clone(f.starts)
	for k, i := range rects {
		first, end := clip(i)
		for c := first; c < end; c++ {
			f.list[at[c]] = int32(k)
			at[c]++
		}
	}
	return f
}

// hanging is the state of the fixed rectangles in a pass.
type hanging struct {
	*fixed
	next  []int32  // by section: the first in list that the floor has not reached
	under []uint64 // by section: its offset, or done
	keys  []uint32 // of the free rectangles
	head  []int32  // by fixed rectangle: a free one that does not fit under it, or -1
	link  []int32  // by free rectangle: the next such one
	steps uint64
}

func newHanging(f *fixed, keys []uint32) *hanging {
	sections := len(f.starts) - 1
	g := &hanging{
		fixed: f, next: slices.Clone(f.starts[:sections]), under: make([]uint64, sections),
		keys: slices.Clone(keys), head: make([]int32, len(f.size)), link: make([]int32, len(keys)),
	}
	for s := range g.under {
		g.see(int32(s))
	}
	for i := range g.head {
		g.head[i] = -1
	}
	return g
}

// see sets what hangs next over a section.
func (g *hanging) see(s int32) {
	g.under[s] = done
	if g.next[s] < g.starts[s+1] {
		g.under[s] = g.offset[g.list[g.next[s]]]
	}
}

// over returns the lowest offset of what hangs over [f, e).
func (g *hanging) over(f, e int32) uint64 {
	if f >= g.from && e <= g.to {
		return done
	}
	g.steps += uint64(e-f) / 4
	return slices.Min(g.under[f:e])
}

// best is the best rectangle that covers c, lies in the run [a, b) and fits on its
// floor, or -1. One that does not fit under something is set aside until the floor
// has reached that.
func (p *pass) best(a, c, b int32, h, most uint64) int {
	for {
		k := p.pick.best(a, c, c, b, most)
		g := p.hang
		if k < 0 || g == nil {
			return k
		}
		f, e := p.first[k], p.end[k]
		if f >= g.from && e <= g.to {
			return k
		}
		p.steps += uint64(e - f)
		top := (h+p.mask[k])&^p.mask[k] + p.size[k]
		at := slices.IndexFunc(g.under[f:e], func(u uint64) bool { return u < top })
		if at < 0 {
			return k
		}
		j := g.list[g.next[f+int32(at)]]
		if p.trail != nil {
			p.trail.add(undoAside, int32(k), uint64(g.link[k]))
			p.trail.add(undoHead, j, uint64(g.head[j]))
		}
		p.pick.take(k)
		g.link[k], g.head[j] = g.head[j], int32(k)
	}
}

// absorb raises the floor over what hangs down to it in the sections [f, e) of the
// run that starts at a, and returns a run from which to go on.
func (p *pass) absorb(a, f, e int32) int32 {
	g := p.hang
	h := p.floor[a]
	if f >= g.from && e <= g.to || h == done {
		return a
	}
	p.steps += uint64(e-f) / 2
	back := a
	for s := f; s < e; {
		if g.under[s] != h {
			s++
			continue
		}
		from, j := s, g.list[g.next[s]]
		for ; s < e && g.under[s] == h && g.list[g.next[s]] == j; s++ {
			g.next[s]++
			g.see(s)
		}
		p.steps += 4 * uint64(s-from)
		p.rem.take(from, s, g.size[j])
		if p.trail != nil {
			p.trail.add(undoAbsorb, j, uint64(from)<<32|uint64(s))
			p.trail.add(undoHead, j, uint64(g.head[j]))
		}
		for k := g.head[j]; k >= 0; k = g.link[k] {
			if p.trail != nil {
				p.trail.add(undoBack, k, 0)
			}
			p.pick.put(int(k), g.keys[k])
			p.steps += 4
		}
		g.head[j] = -1
		back = p.absorb(p.lift(a, p.right[a], from, s, h+g.size[j]), from, s)
		a = s // unless that is the end of the run, and of the loop
	}
	return back
}
