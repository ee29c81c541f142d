package play

import (
	"fmt"
	"math/big"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Thousand is the unit of Options.Overload and of the weights of events.
const Thousand = 1000

// drawer draws the counts of a batch. A count of the events [first, first+n) is
// its typical value for n events, times the mean weight of these events, times
// the overload, and never more than the declared max. The weight of an event is
// between 0.7 and 1.3 and depends on the seed, the event and the count alone, so
// that an event keeps its weight when its batch is split.
type drawer struct {
	seq      *sequences.Sequence
	seed     uint64
	overload uint64 // thousandths
}

// counts returns one value per count. at is the point of this batch; event is
// the number of its first event since the start of the run.
func (d *drawer) counts(at *planner.Point, event, n uint64) ([]uint64, error) {
	values := make([]uint64, len(d.seq.Counts))
	for i := range d.seq.Counts {
		v, err := d.count(&d.seq.Counts[i], at, event, n)
		if err != nil {
			return nil, fmt.Errorf("drawing count %s: %w", d.seq.Counts[i].Name, err)
		}
		values[i] = v
	}
	return values, nil
}

func (d *drawer) count(c *sequences.Count, at *planner.Point, event, n uint64) (uint64, error) {
	limit := widest(d.seq.Types[d.seq.Buffers[c.At].Type].Size)
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
		weights += weight(d.seed, event+e, uint64(c.ID))
	}
	scale := Thousand * max(n, 1)
	if n == 0 {
		weights = Thousand
	}
	v := new(big.Int).SetUint64(typical)
	v.Mul(v, new(big.Int).SetUint64(weights))
	v.Mul(v, new(big.Int).SetUint64(d.overload))
	v.Quo(v, new(big.Int).SetUint64(scale))
	v.Quo(v, big.NewInt(Thousand))
	if !v.IsUint64() || v.Uint64() > limit {
		return limit, nil
	}
	return v.Uint64(), nil
}

// weight is the weight of one event for one count, in thousandths.
func weight(seed, event, count uint64) uint64 {
	return 700 + mix(mix(mix(seed)^event)^count)%601
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// widest is the largest value of an unsigned integer of some bytes.
func widest(size sequences.Bytes) uint64 {
	if size >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*size) - 1
}
