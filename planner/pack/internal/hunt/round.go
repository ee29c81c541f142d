package hunt

import (
	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/planner/pack/internal/exact"
)

// task is one search.
type task struct {
	way     int
	options exact.Options
}

// climb tries every way at the target. Where the target is refuted it goes on above
// it, in steps that double up to the first that is not, and are halved from there.
func (h *hunt) climb(nodes uint64) {
	step, doubles := uint64(0), true
	for h.affords(nodes) && h.open() {
		low := h.Low
		h.probe(min(h.target()+step*h.grid.step, h.grid.below(h.Height)), nodes)
		doubles = doubles && h.Low > low
		switch {
		case doubles:
			step = 2*step + 1
		case step == 0 && h.Low == low:
			return
		default:
			step /= 2
		}
	}
}

// probe tries every way at a capacity.
func (h *hunt) probe(capacity, nodes uint64) {
	var tasks []task
	for i := range h.ways {
		w := &h.ways[i]
		tasks = append(tasks, task{i, exact.Options{
			Capacity: max(h.target(), capacity), Nodes: nodes, Work: h.part(len(h.ways)), Order: w.order(), Choice: w.choice,
		}})
	}
	h.run(tasks)
}

// What a round is made of.
const (
	short  = 48  // searches with few nodes
	long   = 2   // searches with many
	favour = 3   // ways that get half of each
	few    = 4   // nodes of a short search, times tiles and Luby
	many   = 100 // nodes of a long search, times tiles
	double = 4   // after so many rounds the long ones have twice as many
)

// round runs short searches at heights between the target and the packing, whose
// nodes follow Luby, and long ones at both ends.
func (h *hunt) round() {
	h.rounds++
	n := uint64(len(h.problem.Tiles))
	left := h.left() / h.cost
	best := h.best()
	var tasks []task
	for k := range uint64(short + long) {
		seed := splitmix.Hash(h.options.Seed, h.rounds, k)
		w := int(seed>>8) % len(h.ways)
		if k%2 == 0 {
			w = best[(k/2+h.rounds)%favour]
		}
		o := exact.Options{Choice: h.ways[w].choice, Order: h.noisy(&h.ways[w], seed, 2+uint(seed)%4)}
		switch {
		case k < short:
			o.Work = h.part(2 * short)
			o.Capacity, o.Nodes = h.capacity(seed>>16), min(few*n*luby(h.rounds), left/(short+long))
		case k > short || h.Height == unknown:
			o.Work = h.part(2 * long)
			o.Capacity, o.Nodes = h.target(), min(many*n<<min(h.rounds/double, 20), left/(2*long))
		default:
			o.Work = h.part(2 * long)
			o.Capacity, o.Nodes = h.grid.below(h.Height), min(many*n<<min(h.rounds/double, 20), left/(2*long))
		}
		tasks = append(tasks, task{w, o})
	}
	h.run(tasks)
	if h.options.Report != nil {
		h.options.Report(h.Result)
	}
}

// capacity returns a height to try, from the target to just below the packing. How
// hard a height is has little to do with how low it is, so that all are tried; half
// of the time one of the lower half.
func (h *hunt) capacity(seed uint64) uint64 {
	target := h.target()
	if h.Height == unknown || h.Height <= target {
		return target
	}
	span := max(target, h.grid.below(h.Height)) - target
	if seed&1 == 0 {
		span /= 2
	}
	return h.grid.from(target + seed>>1%(span+1))
}

// luby is the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., from 1 on.
func luby(i uint64) uint64 {
	for k := uint64(1); ; k++ {
		if i == 1<<k-1 {
			return 1 << (k - 1)
		}
		if i < 1<<k-1 {
			return luby(i - (1<<(k-1) - 1))
		}
	}
}
