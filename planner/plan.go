package planner

import (
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
)

// PlanFormat is the version of the JSON form of a Plan.
const PlanFormat = 1

// Plan is the result of planning one sequence. It is immutable; its JSON form
// is stable within a PlanFormat.
type Plan struct {
	Format  int      `json:"seqplan_plan"`
	Name    string   `json:"name"`
	Source  string   `json:"source"` // base name of the sequence file
	Hash    Hash     `json:"hash"`   // over everything that the layout depends on
	Workers int      `json:"workers"`
	Params  []Param  `json:"params"`
	Batch   string   `json:"batch,omitempty"` // name of the batch-size parameter
	Pools   []Pool   `json:"pools"`           // device, host
	Arena   Arena    `json:"arena"`
	Counts  []Count  `json:"counts"`
	Buffers []Buffer `json:"buffers"` // indexed by sequences.BufferID
	Steps   []Step   `json:"steps"`
	Waits   []Wait   `json:"waits"` // where the host waits for the device, but for the end of the batch

	Streams []string    `json:"streams,omitempty"` // names; empty if all device steps are on one
	Added   []AddedEdge `json:"added,omitempty"`   // by the reuse policy internal, in the order in which they were found

	Layout   *abi.Layout `json:"-"`
	Packings []Packing   `json:"-"` // by scope
}

// Hash identifies a layout: the first eight bytes of a SHA-256. In JSON it is
// a string of 16 hexadecimal digits.
type Hash uint64

// Param is a parameter with its range; a property has Min == Max.
type Param struct {
	Name string `json:"name"`
	Min  uint64 `json:"min"`
	Max  uint64 `json:"max"`
}

// Class is the class of a buffer.
type Class uint8

// The classes.
const (
	Static  Class = iota // the size expression mentions no count
	Dynamic              // it mentions one, directly or through another buffer
)

// Pool is the static region of one scope, for one worker.
type Pool struct {
	Scope      sequences.Scope  `json:"scope"`
	Align      sequences.Bytes  `json:"align"`
	Reserved   sequences.Bytes  `json:"reserved"`           // control block, slots, parameters, program; at the start of the device pool
	Size       sequences.Bytes  `json:"size"`               // the static region: Reserved + height of the packing
	Height     sequences.Bytes  `json:"height"`             // of the packed buffers
	LowerBound sequences.Bytes  `json:"lower_bound"`        // max-live bytes, or more, see BoundBy
	Optimal    bool             `json:"optimal"`            // Height == LowerBound, or proven otherwise
	Method     string           `json:"method"`             // which packer and order won
	Nodes      uint64           `json:"nodes"`              // search nodes spent
	PeakStep   sequences.StepID `json:"peak_step"`          // where the most bytes live, in the order of the file
	Capacity   sequences.Bytes  `json:"capacity,omitempty"` // as declared

	// BoundBy is where the lower bound comes from, if it is above the max-live bytes.
	BoundBy string `json:"bound_by,omitempty"`
	// AtPeak are buffers of which no two may share a byte, those that have most in use
	// together: at PeakStep, or, where BoundBy is BoundByOrder, in no order. What they use
	// and Padding, which is what alignment adds to it, are the bytes behind the lower bound.
	AtPeak  []Alive         `json:"at_peak"` // largest first
	Padding sequences.Bytes `json:"padding"`
	// Hints is how many buffers have a hint, HintsKept how many of these are placed there.
	Hints     int `json:"hints,omitempty"`
	HintsKept int `json:"hints_kept,omitempty"`
	// With several streams: the policy, the number of pairs of buffers that share nothing
	// only because nothing puts one before the other, and for the policy event the edges
	// that would save most. Of edges that save only together the first has what they save.
	Reuse string      `json:"reuse,omitempty"`
	Apart int         `json:"apart,omitempty"`
	Could []AddedEdge `json:"could,omitempty"`
}

// Alive is a buffer that uses bytes of a pool. It stands for those that take over its
// storage too.
type Alive struct {
	Name  string          `json:"name"`
	Bytes sequences.Bytes `json:"bytes"`
}

// BoundByOrder is the BoundBy of a bound from buffers that may not share, because nothing
// puts one before the other, although they are not all in use at one step.
const BoundByOrder = "missing order"

// Arena sums up the dynamic device buffers of one worker. All figures are
// bytes, rounded as the device rounds them, at the largest parameter values.
type Arena struct {
	Align   sequences.Bytes `json:"align"`
	Slots   int             `json:"slots"`
	Reuse   bool            `json:"reuse"`             // the arena mode that was chosen
	Worst   *Demand         `json:"worst,omitempty"`   // every count at its max; nil if one has none
	Typical *Demand         `json:"typical,omitempty"` // every count typical; nil if one has none

	Simulated *Simulation `json:"simulated,omitempty"` // nil if nothing is known of a count
}

// Demand is what the dynamic buffers need.
type Demand struct {
	Sum      sequences.Bytes  `json:"sum"`  // all of them: the need of the arena mode bump
	Peak     sequences.Bytes  `json:"peak"` // live at once: the bound of the mode reuse
	PeakStep sequences.StepID `json:"peak_step"`
	HostSum  sequences.Bytes  `json:"host_sum"` // dynamic host buffers
}

// Count is a count with its bounds at the largest parameter values.
type Count struct {
	Name    string  `json:"name"`
	At      string  `json:"at"`
	Max     *uint64 `json:"max,omitempty"`
	Typical *uint64 `json:"typical,omitempty"`
}

// Interval is a half-open interval of steps.
type Interval struct {
	First sequences.StepID `json:"first"`
	End   sequences.StepID `json:"end"`
}

// Overlaps reports whether two intervals share a step.
func (i Interval) Overlaps(j Interval) bool { return i.First < j.End && j.First < i.End }

// Use is one reason for a buffer to be alive at a step.
type Use struct {
	Step sequences.StepID `json:"step"` // the number of steps means: the end of the batch
	Why  UseKind          `json:"why"`
	Of   string           `json:"of,omitempty"` // the viewing buffer, the group, the count
}

// UseKind is why a buffer is used.
type UseKind string

// The kinds of uses.
const (
	UseWrite   UseKind = "write"    // first write, or an input
	UseRead    UseKind = "read"     // a step reads it
	UseView    UseKind = "view"     // a buffer that holds pointers into it is used
	UseBarrier UseKind = "barrier"  // a barrier keeps its group
	UseCount   UseKind = "count"    // the device program reads a count in it
	UseOutput  UseKind = "output"   // read back at the end
	UseKeep    UseKind = "keep"     // persistent
	UseInPlace UseKind = "in_place" // the buffer that takes over its storage is used
	UseNoReuse UseKind = "no_reuse" // reuse is off in its scope
	// UseInFlight: a device step uses it, and a later host step (Of), which writes
	// host memory, does not wait for the device.
	UseInFlight UseKind = "in_flight"
)

// ProofKind is how the largest size of a buffer was proved.
type ProofKind string

// The kinds of proofs.
const (
	ProofConstant   ProofKind = "constant"   // no parameter in it
	ProofMonotone   ProofKind = "monotone"   // monotone in every parameter: evaluated at a corner
	ProofInterval   ProofKind = "interval"   // bounded by interval arithmetic; may be above the true maximum
	ProofEnumerated ProofKind = "enumerated" // evaluated at every parameter value
	ProofCounts     ProofKind = "counts"     // dynamic: bounded through the declared max of its counts
	ProofNone       ProofKind = "none"       // dynamic, and a count has no declared max
)

// Buffer is one planned buffer.
type Buffer struct {
	Name      string           `json:"name"`
	Class     Class            `json:"class"`
	Scope     sequences.Scope  `json:"scope"`
	Kind      sequences.Kind   `json:"kind"`
	Type      string           `json:"type"`
	ElemSize  sequences.Bytes  `json:"elem_size"`
	Count     string           `json:"count"` // as written
	Step      sequences.StepID `json:"step"`  // that declares it; -1 for an input
	Align     sequences.Bytes  `json:"align"`
	Lifetime  Interval         `json:"lifetime"`
	Uses      []Use            `json:"uses"`              // sorted by step
	Max       sequences.Bytes  `json:"max"`               // largest size; 0 for a dynamic buffer without bound
	Typical   *sequences.Bytes `json:"typical,omitempty"` // dynamic only
	Proof     ProofKind        `json:"proof"`
	ProofAt   []uint64         `json:"proof_at,omitempty"` // parameter values (in the order of Params) that attain Max, where known
	Offset    sequences.Bytes  `json:"offset"`             // static: from the base of the pool
	Slot      int              `json:"slot"`               // dynamic: index; -1 for a static buffer
	InPlaceOf string           `json:"in_place_of,omitempty"`
	DrivenBy  []string         `json:"driven_by,omitempty"` // the counts in its size, in order of first appearance
	Lent      []Lent           `json:"lent,omitempty"`      // by gaps and shrinks, in order of steps

	// As the file gives them: from the start of the packed area, which is Pool.Reserved
	// bytes behind the base of the pool.
	FixedOffset *sequences.Bytes `json:"fixed_offset,omitempty"`
	Hint        *sequences.Bytes `json:"hint,omitempty"`
	HintKept    bool             `json:"hint_kept,omitempty"`
}

// Step is one step of the plan.
type Step struct {
	Name   string   `json:"name"`
	Host   bool     `json:"host,omitempty"`
	Reads  []string `json:"reads,omitempty"`
	Writes []string `json:"writes,omitempty"` // with its scratch

	// Stream is the stream that the step is queued on, an index in Plan.Streams. What
	// the device does for a host step, its program and its copies, is on stream 0.
	Stream int `json:"stream,omitempty"`
	// After are the steps of other streams that the stream has to wait for before the
	// step, ascending: with them, the order of each stream and the Waits of the host,
	// all that must be in order is. They are as few as do that, so an edge of the file
	// which another one implies is not among them, and the first steps of other streams
	// behind a host step are after it.
	After []sequences.StepID `json:"after,omitempty"`
}

// AddedEdge is a wait that the planner added because it saves memory: To starts after
// From is complete.
type AddedEdge struct {
	From  sequences.StepID `json:"from"`
	To    sequences.StepID `json:"to"`
	Saved sequences.Bytes  `json:"saved"` // by which a static pool became smaller; of edges that save only together the first has all
}

// Lent is a part of the life of a buffer in which only some of its bytes are in use.
type Lent struct {
	Interval
	Low  sequences.Bytes `json:"low"` // from its start; none if Low == High
	High sequences.Bytes `json:"high"`
	Why  LentKind        `json:"why"`
}

// LentKind is why a part of a buffer is lent.
type LentKind string

// The kinds of loans. Where a buffer has both at once it is a gap.
const (
	LentGap    LentKind = "gap"
	LentShrink LentKind = "shrink"
)

// Wait is a point in the sequence where the host waits for the device.
type Wait struct {
	Step    sequences.StepID `json:"step"` // before this step
	Reason  string           `json:"reason"`
	Buffers []string         `json:"buffers"`
}
