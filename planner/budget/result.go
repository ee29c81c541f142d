package budget

import (
	"encoding/json"

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
	// Workers is how many workers Used and what it is made of count, where they are several.
	Workers int `json:"workers,omitempty"`
	// Buffers is how many buffers are in Used; for pools those that take most memory together.
	Buffers  int       `json:"buffers"`
	Culprits []Culprit `json:"culprits,omitempty"` // the largest of them, largest first
	// Reserved and Holes are what is in Used besides the bytes of all Buffers: what the
	// control block, the slots, the parameters and the program take of the device pool, and
	// what lies in a pool and none of the buffers has.
	Reserved sequences.Bytes `json:"reserved,omitempty"`
	Holes    sequences.Bytes `json:"holes,omitempty"`
	// Ways are the ways back under the limit that were found, each alone enough, in the order
	// of their kinds, of one kind those that change least first. There are none if the budget
	// holds.
	Ways []Way `json:"ways,omitempty"`
	// More is how many further changes, of the kinds of Ways, may be enough too. They were
	// not tried.
	More int `json:"more,omitempty"`
	// NoBatch says that the budget is exceeded with the smallest batch too.
	NoBatch bool `json:"no_batch,omitempty"`
	// Cut says that more ways were not looked for, because each would take many plans, or looks at all sizes.
	Cut bool `json:"cut,omitempty"`
	// Fault is why the budget cannot be checked; empty if it can. What is not known then, see
	// HasLimit and HasUsed, is 0, and the JSON form does not have it.
	Fault string `json:"fault,omitempty"`
	// Idle is why the budget can never be exceeded; empty if it can.
	Idle string `json:"idle,omitempty"`
	// Code is that of the diagnostic that the result is worth; empty if there is none.
	Code diag.Code     `json:"code,omitempty"`
	Pos  sequences.Pos `json:"-"` // of the diagnostic
}

// Holds reports whether the budget was checked and is not exceeded.
func (r *Result) Holds() bool { return r.Over == 0 && r.Fault == "" }

// HasLimit reports whether Limit is known.
func (r *Result) HasLimit() bool { return r.Code != CodeLimit }

// HasUsed reports whether Used and Over are known.
func (r *Result) HasUsed() bool { return r.Fault == "" }

// MarshalJSON leaves out the figures that are not known.
func (r Result) MarshalJSON() ([]byte, error) {
	type plain Result // without this method
	out := struct {
		Name  string               `json:"name"`
		Kind  sequences.BudgetKind `json:"kind"`
		Text  string               `json:"text"`
		Limit *sequences.Bytes     `json:"limit,omitempty"`
		Used  *sequences.Bytes     `json:"used,omitempty"`
		Over  *sequences.Bytes     `json:"over,omitempty"`
		plain                      // all but these
	}{Name: r.Name, Kind: r.Kind, Text: r.Text, plain: plain(r)}
	if r.HasLimit() {
		out.Limit = &r.Limit
	}
	if r.HasUsed() {
		out.Used, out.Over = &r.Used, &r.Over
	}
	return json.Marshal(out)
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

// with is the basis of sizes of both bases.
func (b Basis) with(other Basis) Basis {
	switch {
	case other == "" || other == b:
		return b
	case b == "":
		return other
	}
	return Mixed
}

// Culprit is a buffer that a budget counts.
type Culprit struct {
	Name    string          `json:"name"`
	Class   planner.Class   `json:"class"`
	Scope   sequences.Scope `json:"scope"`
	Step    string          `json:"step"`            // that declares it; empty for an input
	Bytes   sequences.Bytes `json:"bytes"`           // in Used, rounded as there; of all workers for the total
	Percent float64         `json:"percent"`         // of Used
	Basis   Basis           `json:"basis,omitempty"` // of a dynamic buffer
	Formula string          `json:"formula"`         // of one buffer: "4 B * (n_events * 8)"
	// Instances is how many buffers have this formula, where there are several: those of the
	// instances of a template. A change of it changes all of them.
	Template  string `json:"template,omitempty"`
	Instances int    `json:"instances,omitempty"`
	Place
}
