package budget

import "github.com/seqplan/seqplan/sequences"

// WayKind is what a way back changes.
type WayKind string

// The kinds of ways, in the order in which they are told: what costs a user least comes
// first. An order of steps costs no event and no room, only that these steps no longer run
// at the same time. A parameter keeps what depends on it in proportion. A smaller batch makes
// everything smaller, and every event dearer. What is behind it holds only if something is so
// that no plan knows: that no kernel writes more into a buffer, or that a typical batch has no
// more of something.
const (
	WayReuse   WayKind = "reuse"   // the reuse policy of a scope
	WayAfter   WayKind = "after"   // edges between steps, of the reuse policy event
	WayParam   WayKind = "param"   // the largest value of another parameter, or a constant
	WayMax     WayKind = "max"     // the max of a count
	WayBatch   WayKind = "batch"   // the largest batch
	WayBuffer  WayKind = "buffer"  // the size of one buffer, or of all with its formula
	WayTypical WayKind = "typical" // the typical value of a count
)

// If reports whether a way holds only if something is so that no plan knows.
func (k WayKind) If() bool { return k == WayBuffer || k == WayTypical }

// WrittenNow stands in the formula of a way for what is written in the file now, as
// it is there: in a template with its placeholders.
const WrittenNow = "..."

// Way is one change that is enough. With To the budget holds; with the next larger value it
// does not. Reuse and after have no values, but Formula, Now and Edges.
type Way struct {
	Kind WayKind `json:"kind"`
	Name string  `json:"name"`           // of the parameter, count, buffer or scope
	From uint64  `json:"from,omitempty"` // as it is, at the largest parameters; bytes for a buffer
	To   uint64  `json:"to"`
	// Formula is what to write for a figure of a count, for the count of a buffer and for the
	// reuse policy; Now is what is written. In what grows with the batch it does too,
	// "n_events * 64", and the factor is the largest. Where a count is no such number, or one
	// of several instances of a template, what is written stays in it, see WrittenNow:
	// "min(..., n_events * 64)".
	Formula string `json:"formula,omitempty"`
	Now     string `json:"now,omitempty"`
	// Edges are what puts steps in order: to be written, or, by the policy internal, added
	// by the planner.
	Edges []Edge `json:"edges,omitempty"`
	// Instances is how many buffers have the formula that changes, where there are several:
	// those of the instances of a template. From and Now are those of the largest.
	Template  string          `json:"template,omitempty"`
	Instances int             `json:"instances,omitempty"`
	Limit     sequences.Bytes `json:"limit"` // at To; that of a budget per event becomes smaller too
	Used      sequences.Bytes `json:"used"`  // at To
	Place
}

// Edge is a step that starts after another one is complete.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Added says that the step has edges already, to which this one is added.
	Added bool `json:"added,omitempty"`
	// Template is what To is an instance of, where the edge is written in it, and so is one
	// of all of its instances, of which there are so many, if they are several.
	Template  string `json:"template,omitempty"`
	Instances int    `json:"instances,omitempty"`
	Place            // of To
}
