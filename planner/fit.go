package planner

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
)

// Basis says how much of the arena counts when a device pool is compared with a
// capacity.
type Basis uint8

// The bases.
const (
	BasisStatic  Basis = iota // the static region alone
	BasisTypical              // and the arena with every count typical, as if nothing were reused
	BasisWorst                // and the arena with every count at its max, as if nothing were reused
	BasisPeak                 // and what is live at once with every count typical: no reuse needs less
)

// Bases are all of them, the smallest need first.
func Bases() []Basis { return []Basis{BasisStatic, BasisPeak, BasisTypical, BasisWorst} }

func (b Basis) String() string {
	names := [...]string{"static", "typical", "worst", "peak"}
	if int(b) < len(names) {
		return names[b]
	}
	return "unknown"
}

// MarshalText writes the word of the basis.
func (b Basis) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the word of a basis.
func (b *Basis) UnmarshalText(text []byte) error {
	for _, basis := range Bases() {
		if basis.String() == string(text) {
			*b = basis
			return nil
		}
	}
	return fmt.Errorf("%q is not a basis", text)
}

// The ways in which the question of Fit has no answer.
var (
	ErrNoBatch  = errors.New("the sequence has no batch-size parameter")
	ErrNoDemand = errors.New("a count has no bound to compute the arena from")
)

// DeviceNeed returns the bytes of one worker's device pool: the static region
// and, behind it, the arena of a basis.
func (p *Plan) DeviceNeed(basis Basis) (sequences.Bytes, error) {
	size := uint64(p.Pools[sequences.Device].Size)
	if basis == BasisStatic {
		return sequences.Bytes(size), nil
	}
	demand := p.Arena.Typical
	if basis == BasisWorst {
		demand = p.Arena.Worst
	}
	if demand == nil {
		return 0, fmt.Errorf("%w (%s)", ErrNoDemand, basis)
	}
	arena := demand.Sum
	if basis == BasisPeak {
		arena = demand.Peak
	}
	start, err := checked.AlignUp(size, uint64(p.Arena.Align))
	if err != nil {
		return 0, err
	}
	need, err := checked.Add(start, uint64(arena))
	return sequences.Bytes(need), err
}

// FitResult is the answer to how large a batch may be.
type FitResult struct {
	Param    string          `json:"param"` // the batch-size parameter
	Capacity sequences.Bytes `json:"capacity"`
	Basis    Basis           `json:"basis"`
	Fits     bool            `json:"fits"`    // false: not even the smallest value fits
	Value    uint64          `json:"value"`   // the largest value that fits; the smallest one if none does
	Need     sequences.Bytes `json:"need"`    // the device pool of one worker at Value
	Limited  bool            `json:"limited"` // Value is the declared max: limited by the declared range
	Next     sequences.Bytes `json:"next"`    // the need at Value+1; 0 if Limited or not Fits
	Workers  uint64          `json:"workers"` // how many workers fit at the declared max; 0 if none
}

// Fitter answers for several capacities how large a batch may be. It makes each plan
// once.
type Fitter struct {
	seq   *sequences.Sequence
	basis Basis
	opts  Options
	needs map[uint64]sequences.Bytes // by value of the batch-size parameter
}

// NewFitter returns a Fitter for a sequence, or ErrNoBatch.
func NewFitter(seq *sequences.Sequence, basis Basis, opts Options) (*Fitter, error) {
	if seq.Batch == sequences.None {
		return nil, ErrNoBatch
	}
	opts.SizesOnly = true
	return &Fitter{seq: seq, basis: basis, opts: opts, needs: map[uint64]sequences.Bytes{}}, nil
}

// Param returns the batch-size parameter.
func (f *Fitter) Param() sequences.Param { return f.seq.Params[f.seq.Batch] }

// need returns the device pool of one worker in the plan up to a value.
func (f *Fitter) need(value uint64) (sequences.Bytes, error) {
	if n, ok := f.needs[value]; ok {
		return n, nil
	}
	plan, err := Make(withRange(f.seq, f.seq.Batch, f.Param().Min, value), f.opts)
	if err != nil {
		return 0, err
	}
	n, err := plan.DeviceNeed(f.basis)
	if err == nil {
		f.needs[value] = n
	}
	return n, err
}

// Fit finds the largest value of the batch-size parameter, inside its declared
// range, for which the device pool of one worker fits a capacity. The answer
// comes from full plans: the plan up to Value fits and the plan up to Value+1
// does not. Where the size of a plan is not monotone in the parameter, because
// the packing or a typical size is not, there may be other values with both
// properties, larger ones too; the answer is always the same one of them.
func (f *Fitter) Fit(capacity sequences.Bytes) (FitResult, error) {
	param := f.Param()
	r := FitResult{Param: param.Name, Capacity: capacity, Basis: f.basis}
	top, err := f.need(param.Max)
	if err != nil {
		return r, err
	}
	if top > 0 {
		r.Workers = uint64(capacity / top)
	}
	if top <= capacity {
		r.Fits, r.Value, r.Need, r.Limited = true, param.Max, top, true
		return r, nil
	}
	bottom, err := f.need(param.Min)
	if err != nil {
		return r, err
	}
	r.Value, r.Need = param.Min, bottom
	if bottom > capacity {
		return r, nil
	}
	// fits at low, does not at high
	low, high := param.Min, param.Max
	r.Next = top
	for high-low > 1 {
		mid := low + (high-low)/2
		n, err := f.need(mid)
		if err != nil {
			return r, err
		}
		if n <= capacity {
			low, r.Need = mid, n
		} else {
			high, r.Next = mid, n
		}
	}
	r.Fits, r.Value = true, low
	return r, nil
}

// Fit answers for one capacity, see Fitter.
func Fit(seq *sequences.Sequence, capacity sequences.Bytes, basis Basis, opts Options) (FitResult, error) {
	f, err := NewFitter(seq, basis, opts)
	if err != nil {
		return FitResult{Capacity: capacity, Basis: basis}, err
	}
	return f.Fit(capacity)
}

// WithParam returns the sequence with another range of one parameter. min and
// max may be equal: then it is a property.
func WithParam(seq *sequences.Sequence, name string, min, max uint64) (*sequences.Sequence, error) {
	if min > max {
		return nil, fmt.Errorf("parameter %s: min %d is above max %d", name, min, max)
	}
	for i, p := range seq.Params {
		if p.Name == name {
			return withRange(seq, sequences.ParamID(i), min, max), nil
		}
	}
	return nil, fmt.Errorf("no parameter %s", name)
}

func withRange(seq *sequences.Sequence, id sequences.ParamID, min, max uint64) *sequences.Sequence {
	out := *seq
	out.Params = append([]sequences.Param(nil), seq.Params...)
	out.Params[id].Min, out.Params[id].Max = min, max
	if min == max && id == seq.Batch {
		// As the reader does where nothing is marked: the first that has a range.
		out.Batch = sequences.None
		for i, p := range out.Params {
			if !p.Fixed() {
				out.Batch = sequences.ParamID(i)
				break
			}
		}
	}
	return &out
}
