package budget

import (
	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Result is what is to be said about one budget. All bytes count at the largest values of
// the parameters.
type Result struct {
	Name  string               `json:"name"` // as in the file: "pools.device"
	Kind  sequences.BudgetKind `json:"kind"`
	Text  string               `json:"text"` // the limit as written
	Limit sequences.Bytes      `json:"limit"`
	Used  sequences.Bytes      `json:"used"`            // 2^64-1 if it is more than that
	Over  sequences.Bytes      `json:"over"`            // Used - Limit; 0 if the budget holds
	Basis Basis                `json:"basis,omitempty"` // of the dynamic buffers in Used; empty without any
	Place
	// Buffers is how many buffers are in Used; for pools those that take most memory together.
	Buffers  int       `json:"buffers"`
	Culprits []Culprit `json:"culprits,omitempty"` // the largest of them, largest first
	// Ways are the ways back under the limit that were found, each alone enough, those that
	// change least first. There are none if the budget holds.
	Ways []Way `json:"ways,omitempty"`
	// NoBatch says that the budget is exceeded with the smallest batch too.
	NoBatch bool `json:"no_batch,omitempty"`
	// Cut says that more ways were not looked for, because each would take many plans, or looks at all sizes.
	Cut bool `json:"cut,omitempty"`
	// Fault is why the budget cannot be checked; empty if it can. Limit or Used is 0 then.
	Fault string `json:"fault,omitempty"`
	// Idle is why the budget can never be exceeded; empty if it can.
	Idle string `json:"idle,omitempty"`
	// Code is that of the diagnostic that the result is worth; empty if there is none.
	Code diag.Code     `json:"code,omitempty"`
	Pos  sequences.Pos `json:"-"` // of the diagnostic
}

// Place is where something is declared in the sequence file.
type Place struct {
	Line int `json:"line"`
	Col  int `json:"col"`
}

func placeOf(p sequences.Pos) Place { return Place{p.Line, p.Col} }

// Basis says which sizes of dynamic buffers count.
type Basis string

// The bases.
const (
	Typical Basis = "typical" // every count typical
	Worst   Basis = "worst"   // every count at its max
	Mixed   Basis = "mixed"   // typical for some buffers, worst for others
)

// Culprit is a buffer that a budget counts.
type Culprit struct {
	Name    string          `json:"name"`
	Class   planner.Class   `json:"class"`
	Scope   sequences.Scope `json:"scope"`
	Step    string          `json:"step"`            // that declares it; empty for an input
	Bytes   sequences.Bytes `json:"bytes"`           // in Used; of all workers for the total
	Percent float64         `json:"percent"`         // of Used
	Basis   Basis           `json:"basis,omitempty"` // of a dynamic buffer
	Formula string          `json:"formula"`         // of one buffer: "4 B * (n_events * 8)"
	Place
}

// WayKind is what a way back changes.
type WayKind string

// The kinds of ways.
const (
	WayBatch   WayKind = "batch"   // the largest batch
	WayParam   WayKind = "param"   // the largest value of another parameter, or a constant
	WayMax     WayKind = "max"     // the max of a count
	WayTypical WayKind = "typical" // the typical value of a count
	WayBuffer  WayKind = "buffer"  // the size of one buffer
)

// Way is one change that is enough. With To the budget holds; with the next larger value it
// does not.
type Way struct {
	Kind  WayKind         `json:"kind"`
	Name  string          `json:"name"` // of the parameter, count or buffer
	From  uint64          `json:"from"` // as it is; bytes for a buffer
	To    uint64          `json:"to"`
	Limit sequences.Bytes `json:"limit"` // at To; that of a budget per event becomes smaller too
	Used  sequences.Bytes `json:"used"`  // at To
	Place
}

// Holds reports whether the budget was checked and is not exceeded.
func (r *Result) Holds() bool { return r.Over == 0 && r.Fault == "" }
