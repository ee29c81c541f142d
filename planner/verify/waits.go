package verify

import (
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
)

// Queue is where a step is queued, and what its stream waits for before it.
type Queue struct {
	Stream int
	After  []sequences.StepID
}

// Waits returns Faults if a run of the steps, each queued as it says, with the waits of
// the host that the layout has, does not keep the order of the sequence and of the added
// edges: a step that has to be behind another one, of any stream, may start before that is
// complete. With one stream there is nothing to check.
func Waits(seq *sequences.Sequence, steps []abi.StepInfo, added []sequences.Edge, queues []Queue) error {
	if len(seq.Streams) <= 1 {
		return nil
	}
	c := &checker{seq: seq}
	if len(queues) != len(seq.Steps) || len(steps) != len(seq.Steps) {
		c.fault(Incomplete, seq.Name, "", -1, "it queues %d steps, not %d", len(queues), len(seq.Steps))
		return c.faults
	}
	n := len(seq.Streams)
	r := &run{
		checker: c, graph: &graph{before: make([][]int, 3*len(seq.Steps))},
		last: make([]int, n), wait: -1, heads: make([]int, n), tails: make([]int, n),
	}
	for s := range seq.Steps {
		if q := queues[s]; q.Stream < 0 || q.Stream >= len(seq.Streams) || !seq.Steps[s].Host && q.Stream != int(seq.Steps[s].Stream) {
			c.fault(Incomplete, seq.Steps[s].Name, "", s, "it is queued on the stream %d", q.Stream)
			return c.faults
		}
		r.step(s, steps[s], queues[s])
	}
	r.declared(added)
	r.conclude()
	if len(c.faults) > 0 {
		return c.faults
	}
	return nil
}

// run is what the queues put in order. Each step is up to three nodes: the device program
// of a host step, the wait of the host, and what the device does for the step then.
type run struct {
	*checker
	*graph
	last  []int // by stream: the node that is queued last + 1
	wait  int   // the node of the last wait, or -1
	needs []query

	// The host steps cut the nodes into parts, of which each is behind the one before.
	heads, tails []int // by stream: the first and the last node of this part + 1
	ends         []int // the last nodes of the part before
}

func program(s int) int { return 3 * s }
func waiting(s int) int { return 3*s + 1 }
func body(s int) int    { return 3*s + 2 }

func (r *run) step(s int, info abi.StepInfo, q Queue) {
	step := &r.seq.Steps[s]
	if !step.Host {
		r.queue(body(s), q)
		r.part(body(s), q.Stream)
		return
	}
	r.border()
	if info.Dynamic {
		r.queue(program(s), q)
		r.part(program(s), q.Stream)
		r.border()
	}
	if info.Wait {
		for _, l := range r.last {
			r.edge(l-1, waiting(s))
		}
		r.wait = waiting(s)
	}
	if slices.ContainsFunc(slices.Concat(step.Writes, step.Scratch), func(b sequences.BufferID) bool { return r.seq.Buffers[b].Scope == sequences.Device }) {
		if info.Wait {
			q.After = nil // of the program, if there is one
		}
		r.queue(body(s), q)
		r.part(body(s), q.Stream)
		r.border()
	}
}

// queue puts a node behind what it waits for.
func (r *run) queue(node int, q Queue) {
	r.edge(r.last[q.Stream]-1, node)
	r.edge(r.wait, node)
	for _, a := range q.After {
		if a >= 0 && int(a) < len(r.seq.Steps) {
			r.edge(program(int(a)), node)
			r.edge(body(int(a)), node)
		}
	}
	r.last[q.Stream] = node + 1
}

// part notes a node of the part.
func (r *run) part(node, stream int) {
	if r.heads[stream] == 0 {
		r.heads[stream] = node + 1
	}
	r.tails[stream] = node + 1
}

// border starts a new part, unless there is nothing in this one.
func (r *run) border() {
	var ends []int
	for stream, head := range r.heads {
		if head == 0 {
			continue
		}
		for _, end := range r.ends {
			r.needs = append(r.needs, query{from: end, to: head - 1})
		}
		ends = append(ends, r.tails[stream]-1)
	}
	if len(ends) > 0 {
		r.ends = ends
		clear(r.heads)
		clear(r.tails)
	}
}

// declared adds the edges of the file, and those that were added.
func (r *run) declared(added []sequences.Edge) {
	r.border()
	for s, step := range r.seq.Steps {
		for _, a := range step.After {
			r.needs = append(r.needs, query{from: body(int(a)), to: body(s)})
		}
	}
	for _, e := range added {
		if e.From < 0 || e.From >= e.To || int(e.To) >= len(r.seq.Steps) || r.seq.Steps[e.From].Host || r.seq.Steps[e.To].Host {
			r.fault(Incomplete, r.seq.Name, "", int(e.To), "the edge from step %d to step %d was added", e.From, e.To)
			continue
		}
		r.needs = append(r.needs, query{from: body(int(e.From)), to: body(int(e.To))})
	}
}

func (r *run) conclude() {
	queries := make([]*query, len(r.needs))
	for i := range r.needs {
		queries[i] = &r.needs[i]
	}
	r.answer(queries)
	for _, q := range r.needs {
		if !q.ok {
			r.fault(Race, r.seq.Steps[q.to/3].Name, r.seq.Steps[q.from/3].Name, q.to/3, "it may start before step %d is complete", q.from/3)
		}
	}
}
