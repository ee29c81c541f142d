package planner

// network is a flow network, for the largest flow from node 0 to node 1.
type network struct {
	arcs  []arc
	heads [][]int // by node: its arcs; an arc and the one back are i and i^1
	level []int
	next  []int
	work  int // arcs that may still be looked at
}

type arc struct {
	to   int
	room uint64
}

const (
	source = 0
	sink   = 1
)

func newNetwork(nodes, work int) *network {
	return &network{heads: make([][]int, nodes), level: make([]int, nodes), next: make([]int, nodes), work: work}
}

func (n *network) arc(from, to int, room uint64) {
	n.heads[from] = append(n.heads[from], len(n.arcs))
	n.heads[to] = append(n.heads[to], len(n.arcs)+1)
	n.arcs = append(n.arcs, arc{to, room}, arc{from, 0})
}

// flow returns the largest flow, by Dinic's method, and false if the work is spent.
// The room of all arcs together is less than 2^63. Nodes that the source reaches in the
// end have a level that is not 0.
func (n *network) flow() (uint64, bool) {
	var total uint64
	for n.levels() {
		clear(n.next)
		for {
			pushed := n.push(source, 1<<63)
			if n.work <= 0 {
				return 0, false
			}
			if pushed == 0 {
				break
			}
			total += pushed
		}
	}
	return total, n.work > 0
}

// levels finds how far from the source each node is, in arcs with room, plus 1.
func (n *network) levels() bool {
	clear(n.level)
	n.level[source] = 1
	for queue := []int{source}; len(queue) > 0 && n.work > 0; queue = queue[1:] {
		at := queue[0]
		n.work -= len(n.heads[at])
		for _, a := range n.heads[at] {
			if to := n.arcs[a].to; n.arcs[a].room > 0 && n.level[to] == 0 {
				n.level[to] = n.level[at] + 1
				queue = append(queue, to)
			}
		}
	}
	return n.level[sink] > 0 && n.work > 0
}

func (n *network) push(at int, most uint64) uint64 {
	if at == sink {
		return most
	}
	for ; n.next[at] < len(n.heads[at]) && n.work > 0; n.next[at]++ {
		n.work--
		a := n.heads[at][n.next[at]]
		to := n.arcs[a].to
		if n.arcs[a].room == 0 || n.level[to] != n.level[at]+1 {
			continue
		}
		if pushed := n.push(to, min(most, n.arcs[a].room)); pushed > 0 {
			n.arcs[a].room -= pushed
			n.arcs[a^1].room += pushed
			return pushed
		}
	}
	return 0
}
