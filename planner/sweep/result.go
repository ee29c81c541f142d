package sweep

import (
	"cmp"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/sequences"
)

// Result is what a row says of its plan: either Error, or what follows it. Sizes are bytes
// of one worker.
type Result struct {
	Error   string        `json:"error,omitempty"`
	Plan    *planner.Hash `json:"plan,omitempty"`
	Device  *Pool         `json:"device,omitempty"`
	Host    *Pool         `json:"host,omitempty"`
	Arena   *Arena        `json:"arena,omitempty"`
	Need    *Need         `json:"need,omitempty"`
	Budgets *Budgets      `json:"budgets,omitempty"` // nil if the file has none
}

// Pool is a static pool, see planner.Pool.
type Pool struct {
	Size       sequences.Bytes `json:"size"`
	Height     sequences.Bytes `json:"height"`
	LowerBound sequences.Bytes `json:"lower_bound"`
	Optimal    bool            `json:"optimal"`
}

// Arena is the demand of the dynamic buffers, see planner.Arena; nil where a count has
// no such figure.
type Arena struct {
	Worst   *planner.Demand `json:"worst,omitempty"`
	Typical *planner.Demand `json:"typical,omitempty"`
}

// Need is what the device needs by each basis with an arena, see planner.Plan.DeviceNeed;
// nil where a count has no such figure. The need by the basis static is the size of the
// device pool.
type Need struct {
	Peak    *sequences.Bytes `json:"peak,omitempty"`
	Typical *sequences.Bytes `json:"typical,omitempty"`
	Worst   *sequences.Bytes `json:"worst,omitempty"`
}

// Budgets says which budgets of a file hold, declared capacities among them, at the values
// of the row. The names are in the order of the file.
type Budgets struct {
	Number    int      `json:"number"`
	Exceeded  []string `json:"exceeded"`
	Unchecked []string `json:"unchecked"` // of those it is not known, see budget.Result.Fault
}

func failed(err error) Result {
	return Result{Error: prose.Plain(cmp.Or(err.Error(), "failed"))}
}

func newResult(p *planner.Plan, budgets []budget.Result) Result {
	pool := func(s sequences.Scope) *Pool {
		p := &p.Pools[s]
		return &Pool{p.Size, p.Height, p.LowerBound, p.Optimal}
	}
	need := func(basis planner.Basis) *sequences.Bytes {
		n, err := p.DeviceNeed(basis)
		if err != nil {
			return nil
		}
		return &n
	}
	return Result{
		Plan: &p.Hash, Device: pool(sequences.Device), Host: pool(sequences.Host),
		Arena: &Arena{p.Arena.Worst, p.Arena.Typical}, Budgets: newBudgets(budgets),
		Need: &Need{need(planner.BasisPeak), need(planner.BasisTypical), need(planner.BasisWorst)},
	}
}

func newBudgets(list []budget.Result) *Budgets {
	if len(list) == 0 {
		return nil
	}
	out := &Budgets{Number: len(list), Exceeded: []string{}, Unchecked: []string{}}
	for i := range list {
		switch r := &list[i]; {
		case r.Fault != "":
			out.Unchecked = append(out.Unchecked, prose.Plain(r.Name))
		case !r.Holds():
			out.Exceeded = append(out.Exceeded, prose.Plain(r.Name))
		}
	}
	return out
}

// Hold reports whether all budgets hold, or there is none.
func (b *Budgets) Hold() bool { return b == nil || len(b.Exceeded)+len(b.Unchecked) == 0 }

// String names the budgets that do not hold, and those that cannot be checked.
func (b *Budgets) String() string {
	text := strings.Join(b.Exceeded, ", ")
	if len(b.Unchecked) == 0 {
		return text
	}
	if text != "" {
		text += "; "
	}
	return text + "not checked: " + strings.Join(b.Unchecked, ", ")
}

// whole tells whether a result is one that a run makes.
func (r *Result) whole() bool {
	if r.Error != "" {
		return *r == Result{Error: r.Error}
	}
	return r.Plan != nil && r.Device != nil && r.Host != nil && r.Arena != nil && r.Need != nil
}
