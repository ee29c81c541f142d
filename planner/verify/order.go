package verify

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/sequences"
)

// graph has, for every step, steps that are complete before it starts: the others that
// are follow from these.
type graph struct {
	before [][]int
	line   bool // all steps are in the order of the file
}

// The order of a sequence: that of its streams and host steps, and some edges.
func newGraph(seq *sequences.Sequence, declared bool, added []sequences.Edge) *graph {
	g := &graph{before: make([][]int, len(seq.Steps)), line: len(seq.Streams) <= 1}
	last := make([]int, len(seq.Streams)) // the last step of each stream + 1
	host := 0                             // the last host step + 1
	for s, step := range seq.Steps {
		if step.Host {
			for _, t := range append(last, host) {
				g.edge(t-1, s)
			}
			host = s + 1
			continue
		}
		g.edge(last[step.Stream]-1, s)
		g.edge(host-1, s)
		last[step.Stream] = s + 1
		if declared {
			for _, t := range step.After {
				g.edge(int(t), s)
			}
		}
	}
	for _, e := range added {
		if int(e.To) < len(seq.Steps) && e.To >= 0 {
			g.edge(int(e.From), int(e.To))
		}
	}
	return g
}

// edge makes one step wait for another. What does not go forward in the file orders
// nothing.
func (g *graph) edge(from, to int) {
	if from >= 0 && from < to {
		g.before[to] = append(g.before[to], from)
	}
}

// query asks whether a step is before another. -1 stands for what is before the batch,
// the number of steps for its end.
type query struct {
	from, to int
	ok       bool
}

// sources is how many steps are followed at once.
const sources = 1024

// answer answers queries. It follows the steps that are asked for through the whole
// sequence, some at a time, with a bit for each.
func (g *graph) answer(queries []*query) {
	var open []*query
	for _, q := range queries {
		switch n := len(g.before); {
		case q.from < 0 || q.to >= n || g.line || q.from >= q.to:
			q.ok = q.from < q.to
		default:
			open = append(open, q)
		}
	}
	slices.SortStableFunc(open, func(a, b *query) int { return cmp.Compare(a.from, b.from) })
	for len(open) > 0 {
		bit := map[int]int{}
		n := 0
		for ; n < len(open); n++ {
			if _, known := bit[open[n].from]; !known {
				if len(bit) == sources {
					break
				}
				bit[open[n].from] = len(bit)
			}
		}
		g.follow(open[:n], bit)
		open = open[n:]
	}
}

func (g *graph) follow(queries []*query, bit map[int]int) {
	words := (len(bit) + 63) / 64
	first := queries[0].from
	behind := make([]uint64, words*(len(g.before)-first)) // by step: the sources that are before it
	row := func(s int) []uint64 { return behind[words*(s-first):][:words] }
	for s := first; s < len(g.before); s++ {
		to := row(s)
		for _, t := range g.before[s] {
			if t < first {
				continue
			}
			for i, w := range row(t) {
				to[i] |= w
			}
			if b, ok := bit[t]; ok {
				to[b/64] |= 1 << (b % 64)
			}
		}
	}
	for _, q := range queries {
		b := bit[q.from]
		q.ok = row(q.to)[b/64]>>(b%64)&1 == 1
	}
}
