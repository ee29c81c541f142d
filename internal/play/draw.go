package play

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Thousand is the unit of Options.Overload and Options.Fail, and of the weights of
// events.
const Thousand = 1000

// Drawer draws the counts of a batch. A count of the events [first, first+n) is
// its typical value for n events, times the mean weight of these events, times
// the overload, and never more than the declared max. The weight of an event is
// between 0.7 and 1.3 and depends on the seed, the event and the count alone, so
// that an event keeps its weight when its batch is split. A Drawer is safe for
// concurrent use.
type Drawer struct {
	Sequence *sequences.Sequence
	Seed     uint64
	Overload uint64 // thousandths
}

// Cell is where a count lies in its buffer, and what was drawn.
type Cell struct {
	At    uint64 // bytes
	Width uint64 // bytes
	Value uint64
}

// Cells draws the counts of a batch at its point, and returns them by the buffer
// that they lie in, from low to high. event is the number of its first event since
// the start. Two counts in one cell are one number.
func (d *Drawer) Cells(at *planner.Point, event, n uint64) (map[sequences.BufferID][]Cell, error) {
	cells := make(map[sequences.BufferID][]Cell)
	for i := range d.Sequence.Counts {
		c := &d.Sequence.Counts[i]
		value, err := d.count(c, at, event, n)
		if err != nil {
			return nil, fmt.Errorf("drawing count %s: %w", c.Name, err)
		}
		index, err := at.Eval(c.Index)
		if err != nil {
			return nil, err
		}
		width := uint64(d.Sequence.Types[d.Sequence.Buffers[c.At].Type].Size)
		cell := Cell{index * width, width, value} // inside the buffer: no overflow
		if !slices.ContainsFunc(cells[c.At], func(o Cell) bool { return o.At == cell.At }) {
			cells[c.At] = append(cells[c.At], cell)
		}
	}
	for _, list := range cells {
		slices.SortFunc(list, func(a, b Cell) int { return cmp.Compare(a.At, b.At) })
	}
	return cells, nil
}

func (d *Drawer) count(c *sequences.Count, at *planner.Point, event, n uint64) (uint64, error) {
	limit := widest(d.Sequence.Types[d.Sequence.Buffers[c.At].Type].Size)
	if c.Max != nil {
		m, err := at.Eval(c.Max)
		if err != nil {
			return 0, err
		}
		limit = min(limit, m)
	}
	if c.Typical == nil {
		if c.Max == nil {
			return 0, fmt.Errorf("it has neither typical nor max")
		}
		return limit, nil
	}
	typical, err := at.Eval(c.Typical)
	if err != nil {
		return 0, err
	}
	var weights uint64
	for e := range n {
		weights += weight(d.Seed, event+e, uint64(c.ID))
	}
	scale := Thousand * max(n, 1)
	if n == 0 {
		weights = Thousand
	}
	v := new(big.Int).SetUint64(typical)
	v.Mul(v, new(big.Int).SetUint64(weights))
	v.Mul(v, new(big.Int).SetUint64(d.Overload))
	v.Quo(v, new(big.Int).SetUint64(scale))
	v.Quo(v, big.NewInt(Thousand))
	if !v.IsUint64() || v.Uint64() > limit {
		return limit, nil
	}
	return v.Uint64(), nil
}

// weight is the weight of one event for one count, in thousandths.
func weight(seed, event, count uint64) uint64 {
	return 700 + splitmix.Mix(splitmix.Mix(splitmix.Mix(seed)^event)^count)%601
}

// widest is the largest value of an unsigned integer of some bytes.
func widest(size sequences.Bytes) uint64 {
	if size >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*size) - 1
}
