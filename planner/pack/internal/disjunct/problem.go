package disjunct

import "github.com/seqplan/seqplan/planner/pack/internal/shape"

// Limit is above all sizes, alignments, offsets and capacities.
const Limit = 1 << 61

// Item is what has one offset: a buffer, or an in-place group.
type Item struct {
	Size  uint64  // up to its last byte; with the offset it makes the height
	Align uint64  // a power of two
	Fixed *uint64 // the only offset that it may have; nil: any
}

// Pair is two different items that may conflict, by index.
type Pair struct {
	I, J int
	// Forbidden are the differences, offset of J minus offset of I, at which they
	// do: ascending ranges that do not touch, as package shape makes them, within
	// plus and minus Limit.
	Forbidden []shape.Range
}

// Problem is a packing problem. No two pairs are of the same items.
type Problem struct {
	Items []Item
	Pairs []Pair
	// Sections are windows of items that are pairwise disjoint in every packing,
	// as Pairs have it. They may be left out: they only make a search shorter.
	Sections []shape.Section

	sets  [][]shape.Part // see cliques
	grown bool           // as far as they can
	tried uint64         // work for that
}

// Outcome is how a search ended.
type Outcome uint8

// The outcomes.
const (
	Found   Outcome = iota // a packing within the capacity
	Refuted                // there is none
	Budget                 // the work was spent, or the search was cancelled
)

func (o Outcome) String() string {
	names := [...]string{"found", "refuted", "budget"}
	if int(o) < len(names) {
		return names[o]
	}
	return "unknown"
}
