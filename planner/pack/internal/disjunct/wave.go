package disjunct

// queue is the items whose bounds changed, first in, first out.
type queue struct {
	items []int32
	head  int
	in    []bool // by item
}

func (q *queue) len() int { return len(q.items) - q.head }

func (q *queue) push(i int32) {
	if !q.in[i] {
		q.in[i] = true
		q.items = append(q.items, i)
	}
}

func (q *queue) pop() int32 {
	i := q.items[q.head]
	q.in[i] = false
	if q.head++; q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
	return i
}

func (q *queue) clear() {
	for q.len() > 0 {
		q.pop()
	}
}

// waves remembers why bounds rose in one propagation. Without it a cycle of
// differences whose sum is one byte would be walked once for every byte.
type waves struct {
	by     []int32 // by variable: the one that raised it last
	arc    []int32 // by variable: along which arc; -1: it was not raised, or by no arc
	count  []int32 // by variable: how often it was raised
	raised []int32 // variables with a count
}

const fewRaises = 8

// note returns true now and then, when it is time to look for a cycle.
func (w *waves) note(v, by, arc int32) bool {
	if w.count[v] == 0 {
		w.raised = append(w.raised, v)
	}
	w.by[v], w.arc[v] = by, arc
	w.count[v]++
	return w.count[v]%fewRaises == 0
}

func (w *waves) clear() {
	for _, v := range w.raised {
		w.count[v], w.arc[v] = 0, -1
	}
	w.raised = w.raised[:0]
}

// runsAway says whether v depends on a cycle of bounds that raise each other for
// ever. Once around the cycle is a monotone function of the bound it starts from.
// It commutes with adding the largest alignment of the cycle, and if it starts at a
// variable with that alignment, it takes multiples to multiples. So if it raises
// one of them, it raises all, and none is a solution.
func (s *state) runsAway(v int32) bool {
	w := &s.waves
	for range s.low { // far enough to be on the cycle
		if w.arc[v] < 0 {
			return false
		}
		v = w.by[v]
	}
	align := func(v int32) int64 {
		i, _ := s.item(v)
		return s.align[i]
	}
	base := v
	for u := w.by[v]; u != v; u = w.by[u] {
		if align(u) > align(base) {
			base = u
		}
	}
	cycle := []int32{base} // backwards
	for u := w.by[base]; u != base; u = w.by[u] {
		cycle = append(cycle, u)
	}
	low := s.low[base]
	for k := len(cycle) - 1; k >= 0; k-- {
		low = alignUp(low+s.arcs[w.arc[cycle[k]]].least, align(cycle[k]))
	}
	return low > s.low[base]
}
