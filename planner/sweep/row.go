package sweep

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Row is the result of one plan. Either Error is set or what follows it.
type Row struct {
	Work   string `json:"work"` // the ID
	Row    int    `json:"row"`
	Rows   int    `json:"rows"` // in all shards
	File   string `json:"file"`
	Params Values `json:"params"`
	Result
}

// Result is what a row says of its plan. Sizes are bytes of one worker.
type Result struct {
	Error  string        `json:"error,omitempty"`
	Plan   *planner.Hash `json:"plan,omitempty"`
	Device *Pool         `json:"device,omitempty"`
	Host   *Pool         `json:"host,omitempty"`
	Arena  *Arena        `json:"arena,omitempty"`
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
	Worst   *Demand `json:"worst,omitempty"`
	Typical *Demand `json:"typical,omitempty"`
}

// Demand is a planner.Demand.
type Demand struct {
	Sum     sequences.Bytes `json:"sum"`
	Peak    sequences.Bytes `json:"peak"`
	HostSum sequences.Bytes `json:"host_sum"`
}

func newResult(p *planner.Plan, err error) Result {
	if err != nil {
		return Result{Error: prose.Plain(cmp.Or(err.Error(), "failed"))}
	}
	pool := func(s sequences.Scope) *Pool {
		p := &p.Pools[s]
		return &Pool{p.Size, p.Height, p.LowerBound, p.Optimal}
	}
	demand := func(d *planner.Demand) *Demand {
		if d == nil {
			return nil
		}
		return &Demand{d.Sum, d.Peak, d.HostSum}
	}
	return Result{
		Plan: &p.Hash, Device: pool(sequences.Device), Host: pool(sequences.Host),
		Arena: &Arena{demand(p.Arena.Worst), demand(p.Arena.Typical)},
	}
}

// whole tells whether a result is one that newResult returns.
func (r *Result) whole() bool {
	if r.Error != "" {
		return *r == Result{Error: r.Error}
	}
	return r.Plan != nil && r.Device != nil && r.Host != nil && r.Arena != nil
}

// Value is a value of a parameter.
type Value struct {
	Param string
	Value uint64
}

// Values are in JSON an object in their order.
type Values []Value

// MarshalJSON writes the object.
func (v Values) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, p := range v {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(p.Param)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s:%d", name, p.Value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// UnmarshalJSON reads the object.
func (v *Values) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.New("want an object of parameters")
	}
	*v = Values{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		number, err := dec.Token()
		if err != nil {
			return err
		}
		n, ok := number.(json.Number)
		value, err := strconv.ParseUint(string(n), 10, 64)
		if !ok || err != nil {
			return errors.New("want the value of a parameter")
		}
		*v = append(*v, Value{name.(string), value})
	}
	return nil
}

// sorted returns the values by parameter.
func (v Values) sorted() Values {
	out := slices.Clone(v)
	slices.SortFunc(out, func(a, b Value) int { return cmp.Compare(a.Param, b.Param) })
	return out
}

// line is a row as a line of JSON, without its end.
func (r Row) line() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // no row can cause one
	}
	return text
}

var errLine = errors.New("no row of a sweep")

// parseLine reads what line returns, and nothing else.
func parseLine(text []byte) (Row, error) {
	var r Row
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil || !r.whole() || !bytes.Equal(r.line(), text) {
		return Row{}, errLine
	}
	return r, nil
}
