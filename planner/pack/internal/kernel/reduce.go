package kernel

import (
	"context"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// tile is a rectangle of the original or a merged one.
type tile struct {
	first, end int32 // sections
	size       uint64
}

// reducer merges tiles until no rule applies.
type reducer struct {
	sections int32
	tight    []bool // by boundary, 0 to sections: what is there of both sides is full
	tiles    []tile
	merged   []bool // into a later tile
	parts    []part
	from     []int32
	exact    bool

	starts, ends side
	queue        queue
	seen         [numLevels][]int32 // tiles at a boundary with many when it was looked at; 0: not yet
	work         int                // tiles looked at

	// The tiles at the boundary that is looked at.
	enders, starters []int32
}

func newReducer(p *rect.Problem, capacity uint64) *reducer {
	r := &reducer{
		sections: p.Sections,
		tight:    make([]bool, p.Sections+1),
		tiles:    tilesOf(p),
		merged:   make([]bool, len(p.Rects), 2*len(p.Rects)),
		from:     []int32{0},
		exact:    true,
		queue:    newQueue(p.Sections),
	}
	totals := p.Totals()
	full := func(s int32) bool { return s < 0 || s >= p.Sections || totals[s] == capacity }
	for b := range r.tight {
		r.tight[b] = full(int32(b)-1) && full(int32(b))
	}
	r.starts, r.ends = sides(r.tiles, p.Sections)
	for l := range r.seen {
		r.seen[l] = make([]int32, p.Sections+1)
	}
	return r
}

func tilesOf(p *rect.Problem) []tile {
	tiles := make([]tile, len(p.Rects), 2*len(p.Rects))
	for i, c := range p.Rects {
		tiles[i] = tile{first: c.First, end: c.End, size: c.Size}
	}
	return tiles
}

// maxPasses is how often all boundaries are looked at.
const maxPasses = 8

// run looks at the boundaries, each at the lowest level at which something may
// have changed, until nothing changes. Then it looks at all again: what kept a
// pinwheel from being merged may have changed elsewhere.
func (r *reducer) run(ctx context.Context, level Level) {
	for range maxPasses {
		before := len(r.tiles)
		for b := range r.sections + 1 {
			r.touch(b)
		}
		for n := 1; ; n++ {
			at, b, ok := r.queue.pop(level)
			if !ok {
				break
			}
			if n%1024 == 0 && ctx.Err() != nil {
				return
			}
			if !r.boundary(b, at) && at < level {
				r.queue.push(at+1, b)
			}
		}
		if len(r.tiles) == before {
			return
		}
	}
}

// merge replaces tiles by one of the sections [first, end).
func (r *reducer) merge(first, end int32, size uint64, parts ...part) {
	id := int32(len(r.tiles))
	for _, p := range parts {
		t := r.tiles[p.tile]
		r.merged[p.tile] = true
		r.starts.remove(p.tile, t.first)
		r.ends.remove(p.tile, t.end)
		r.touch(t.first)
		r.touch(t.end)
	}
	r.parts = append(r.parts, parts...)
	r.from = append(r.from, int32(len(r.parts)))
	r.tiles = append(r.tiles, tile{first: first, end: end, size: size})
	r.merged = append(r.merged, false)
	r.starts.add(id, first)
	r.ends.add(id, end)
}

// touch has a boundary looked at again.
func (r *reducer) touch(b int32) {
	if r.tight[b] {
		r.queue.push(Exact, b)
	}
}

// kernel makes a problem of the tiles that are left.
func (r *reducer) kernel(rects int) *Kernel {
	// A section is kept if tiles start in it or since the last one that is kept,
	// and the next thing to happen is an end.
	kept := make([]int32, r.sections+1) // sections kept before each boundary
	started := false
	for b := range r.sections + 1 {
		if b > 0 {
			kept[b] = kept[b-1]
		}
		if started && len(r.ends.at(b)) > 0 {
			kept[b]++
			started = false
		}
		started = started || len(r.starts.at(b)) > 0
	}
	k := &Kernel{
		Problem: &rect.Problem{Sections: kept[r.sections]},
		Exact:   r.exact,
		rects:   rects, parts: r.parts, from: r.from,
	}
	for i, t := range r.tiles {
		if !r.merged[i] {
			k.roots = append(k.roots, int32(i))
			k.Problem.Rects = append(k.Problem.Rects, rect.Rect{First: kept[t.first], End: kept[t.end], Size: t.size, Align: 1})
		}
	}
	return k
}
