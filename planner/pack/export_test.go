package pack

import "context"

// Subset is a problem with some of the buffers only.
func Subset(p Problem, buffers []int) Problem { return p.subset(buffers) }

// Stages are the parts of a search that may prove something, each on its own.
var Stages = map[string]func(*solver, context.Context){
	"search": (*solver).hunt,
	"pairwise": func(s *solver, ctx context.Context) {
		if s.loose && s.firstFit(ctx) { // it starts from a packing
			s.pairwise(ctx, s.pairs)
		}
	},
	"windows": (*solver).windows,
}

// Alone runs one part of the search for a valid problem, and nothing before it.
// It returns false where there is no packing at any height.
func Alone(ctx context.Context, p Problem, stage func(*solver, context.Context)) (Result, bool) {
	c, conflict, err := newCore(p)
	if err != nil || conflict != nil {
		return Result{}, false
	}
	s := &solver{core: c, Result: Result{Bound: c.bound}, budget: Engine{Effort: Quick}.budget(1)}
	stage(s, ctx)
	return s.Result, true
}

// Clip is what a problem needs in the steps [first, end).
func Clip(p Problem, first, end uint64) Problem { return p.clip(p.window(first, end)) }

// Window is the steps of the largest window with at most so many buffers around a
// step with the most bytes in use, and the buffers in it.
func Window(p Problem, size int) (first, end uint64, buffers []int) {
	starts, peaks := p.peaks()
	w := p.around(starts, peaks[0], size)
	return w.first, w.end, w.buffers
}

// Cliques are the sets of items of a valid problem that the search sees as one
// section each. It returns false where there is no packing at any height.
func Cliques(p Problem) (sets [][]int, ok bool) {
	m, conflict := newModel(p)
	if conflict != nil {
		return nil, false
	}
	for _, clique := range m.cliques() {
		var set []int
		for _, s := range clique {
			set = append(set, m.items[s.item].buffers[0])
		}
		sets = append(sets, set)
	}
	return sets, true
}
