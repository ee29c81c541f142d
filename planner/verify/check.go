package verify

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
)

// Check returns Faults with everything that is wrong with the layout, or nil. added are
// the edges that the planner added for the reuse policy internal.
func Check(seq *sequences.Sequence, l *abi.Layout, added ...sequences.Edge) error {
	c := &checker{seq: seq, layout: l, added: added}
	if c.match(); len(c.faults) > 0 {
		return c.faults // the other checks rely on matching tables
	}
	c.evaluators()
	c.places = c.countPlaces()
	c.lives = lifetimes(seq, c.dynamic, l.Steps)
	c.findLandings()
	c.uses = c.findAccesses(func(b *sequences.Buffer) bool { return b.Output || c.always(b) })
	c.regions()
	c.placements()
	c.takeovers()
	c.sizes()
	c.program()
	c.races()
	c.streams()
	if len(c.faults) > 0 {
		return c.faults
	}
	return nil
}

type checker struct {
	seq    *sequences.Sequence
	layout *abi.Layout
	added  []sequences.Edge
	faults Faults

	dynamic []bool                                    // by buffer
	static  map[sequences.BufferID]int                // index in layout.Buffers
	slot    map[sequences.BufferID]int                // index in layout.Slots
	slots   []sequences.BufferID                      // by slot index
	takers  map[sequences.BufferID]sequences.BufferID // who takes over the storage of a buffer
	places  map[place][]sequences.CountID
	lives   []life     // by buffer
	uses    []accesses // by buffer

	landings []int                  // by step, see findLandings
	direct   [][]int                // by buffer, see findDirect; made when needed
	holders  [][]sequences.BufferID // by buffer: those that hold pointers into it
	values   []*values              // one per parameter point
}

func (c *checker) fault(kind Kind, buffer, other string, step int, format string, args ...any) {
	c.faults = append(c.faults, Fault{kind, buffer, other, step, fmt.Sprintf(format, args...)})
}

// match pairs the tables of the layout with the sequence by name.
func (c *checker) match() {
	seq, l := c.seq, c.layout
	c.dynamic = dynamic(seq)
	c.static, c.slot = map[sequences.BufferID]int{}, map[sequences.BufferID]int{}
	c.slots, c.takers = make([]sequences.BufferID, len(l.Slots)), map[sequences.BufferID]sequences.BufferID{}
	byName := make(map[string]sequences.BufferID, len(seq.Buffers))
	for i := range seq.Buffers {
		byName[seq.Buffers[i].Name] = sequences.BufferID(i)
		if base := seq.Buffers[i].InPlaceOf; base != sequences.None {
			c.takers[base] = sequences.BufferID(i)
		}
	}
	for i, e := range l.Buffers {
		c.pair(byName, c.static, i, e.Name, e.Scope, e.ElemSize, false)
	}
	next := -1
	for i, e := range l.Slots {
		b, ok := c.pair(byName, c.slot, i, e.Name, e.Scope, e.ElemSize, true)
		if !ok {
			continue
		}
		if int(b) < next || e.Step != int(seq.Buffers[b].Step) {
			c.fault(Incomplete, e.Name, "", e.Step, "the slot is out of order")
		}
		next = int(b)
		c.slots[i] = b
	}
	for i := range seq.Buffers {
		b := sequences.BufferID(i)
		_, static := c.static[b]
		_, slot := c.slot[b]
		if !static && !slot {
			c.fault(Incomplete, seq.Buffers[i].Name, "", -1, "it is not in the layout")
		}
	}
	c.matchSteps()
	c.matchParams()
}

// pair finds the buffer of one entry of the layout and compares the two.
func (c *checker) pair(byName map[string]sequences.BufferID, table map[sequences.BufferID]int, i int,
	name string, scope abi.Scope, elem uint64, dynamic bool,
) (sequences.BufferID, bool) {
	b, known := byName[name]
	_, twice := table[b]
	switch {
	case !known:
		c.fault(Incomplete, name, "", -1, "the sequence has no such buffer")
		return 0, false
	case twice:
		c.fault(Incomplete, name, "", -1, "it is in the layout twice")
		return 0, false
	case c.dynamic[b] != dynamic:
		c.fault(Incomplete, name, "", -1, "it has the wrong class")
		return 0, false
	}
	table[b] = i
	buffer := &c.seq.Buffers[b]
	if host := buffer.Scope == sequences.Host; host != (scope == abi.ScopeHost) {
		c.fault(Incomplete, name, "", -1, "it has the scope %s", scope)
	}
	if want := uint64(c.seq.Types[buffer.Type].Size); elem != want {
		c.fault(Incomplete, name, "", -1, "its element size is %d, not %d", elem, want)
	}
	return b, true
}

func (c *checker) matchSteps() {
	if len(c.layout.Steps) != len(c.seq.Steps) {
		c.fault(Incomplete, c.seq.Name, "", -1, "%d steps instead of %d", len(c.layout.Steps), len(c.seq.Steps))
		return
	}
	for i, s := range c.seq.Steps {
		if info := c.layout.Steps[i]; info.Name != s.Name || info.Host != s.Host {
			c.fault(Incomplete, s.Name, "", i, "the layout has another step")
		}
	}
}

func (c *checker) matchParams() {
	var want []abi.Param
	batch := -1
	for i, p := range c.seq.Params {
		if p.Min == p.Max {
			continue
		}
		if sequences.ParamID(i) == c.seq.Batch {
			batch = len(want)
		}
		want = append(want, abi.Param{Name: p.Name, Min: p.Min, Max: p.Max})
	}
	if len(want) != len(c.layout.Params) {
		c.fault(Incomplete, c.seq.Name, "", -1, "%d parameters instead of %d", len(c.layout.Params), len(want))
		return
	}
	for i, p := range want {
		if c.layout.Params[i] != p {
			c.fault(Incomplete, p.Name, "", -1, "the layout has %v as parameter %d", c.layout.Params[i], i)
		}
	}
	if c.layout.Batch != batch {
		c.fault(Incomplete, c.seq.Name, "", -1, "the batch size is parameter %d, not %d", c.layout.Batch, batch)
	}
}
