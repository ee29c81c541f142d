package report

import (
	"math/bits"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// role is what a buffer is for, as the colours of a map tell it.
type role int

const (
	between role = iota // from one step to others
	input
	output
	keep
	scratch
)

func (r role) String() string {
	return [...]string{"between steps", "input", "output", "kept", "scratch"}[r]
}

func roleOf(b *planner.Buffer) role {
	out := between
	switch b.Kind {
	case sequences.Input:
		out = input
	case sequences.Scratch:
		out = scratch
	}
	for _, u := range b.Uses {
		switch u.Why {
		case planner.UseKeep:
			return keep
		case planner.UseOutput:
			out = output
		}
	}
	return out
}

// block is a run of bytes of a pool that a buffer has in use in a run of steps.
type block struct {
	first, end sequences.StepID
	low, high  sequences.Bytes // from the base of the pool, as large as the buffer needs them
}

// drawing is a static pool as rectangles.
type drawing struct {
	pool    *planner.Pool
	steps   int
	buffers []int           // in file order: those of the pool
	blocks  map[int][]block // of each; none for one without bytes
	live    []sequences.Bytes
}

func draw(p *planner.Plan, scope sequences.Scope) *drawing {
	u := newUsage(p, scope)
	d := &drawing{pool: &p.Pools[scope], steps: u.steps, blocks: map[int][]block{}, live: u.live()}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Class != planner.Static || b.Scope != scope {
			continue
		}
		d.buffers = append(d.buffers, i)
		for _, t := range u.parts[i] {
			if low, high := min(t.low, b.Max), min(t.high, b.Max); low < high {
				d.blocks[i] = append(d.blocks[i], block{t.First, t.End, add(b.Offset, low), add(b.Offset, high)})
			}
		}
	}
	return d
}

// area is how much of the map a buffer covers, in bytes times steps.
func (d *drawing) area(b int) sequences.Bytes {
	var sum sequences.Bytes
	for _, k := range d.blocks[b] {
		sum = add(sum, times(k.high-k.low, uint64(k.end-k.first)))
	}
	return sum
}

// scale is v * to / from, rounded down, and to where v is larger than from.
func scale(v, from, to uint64) uint64 {
	if v >= from {
		return to
	}
	hi, lo := bits.Mul64(v, to)
	out, _ := bits.Div64(hi, lo, from)
	return out
}

// ticks is the distance of marks on an axis: 1, 2 or 5 times a power of ten, so that there
// are no more than most.
func ticks(steps, most int) int {
	for by := 1; ; by *= 10 {
		for _, n := range []int{by, 2 * by, 5 * by} {
			if (steps+n-1)/n <= most {
				return n
			}
		}
	}
}

// byteTicks is the same for bytes, with powers of two.
func byteTicks(size sequences.Bytes, most uint64) sequences.Bytes {
	by := sequences.Bytes(1)
	for uint64(size/by) > most {
		by *= 2
	}
	return by
}
