package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
)

// packFormat is the version of the JSON form of a packing.
const packFormat = 1

// packJSON is the JSON form of a packing.
type packJSON struct {
	Format      int        `json:"seqplan_pack"`
	Buffers     int        `json:"buffers"`
	Status      string     `json:"status"`
	Interrupted bool       `json:"interrupted"`
	Height      *uint64    `json:"height,omitempty"`
	Capacity    *uint64    `json:"capacity,omitempty"`
	Bound       jsonBound  `json:"bound"`
	Gap         *float64   `json:"gap,omitempty"` // as a part of the bound
	Method      string     `json:"method"`
	Nodes       uint64     `json:"nodes"`
	Effort      string     `json:"effort"`
	Seed        uint64     `json:"seed"`
	Conflict    []string   `json:"conflict,omitempty"`
	Minimal     *bool      `json:"minimal,omitempty"`
	Hints       *jsonHints `json:"hints,omitempty"`
	Proof       *proof     `json:"proof,omitempty"`
	Offsets     *placing   `json:"offsets,omitempty"`
}

type jsonBound struct {
	Bytes uint64 `json:"bytes"`
	Kind  string `json:"kind"`
	First uint64 `json:"first"`
	End   uint64 `json:"end"`
}

type jsonHints struct {
	Given int `json:"given"`
	Kept  int `json:"kept"`
}

// placing is the offset of each id. In JSON it is an object in the order of the rows.
type placing struct {
	rows    []csvfile.Buffer
	offsets []uint64
}

// MarshalJSON prints the object.
func (p *placing) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	names := json.NewEncoder(&out)
	names.SetEscapeHTML(false)
	out.WriteByte('{')
	for i := range p.rows {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := names.Encode(p.rows[i].ID); err != nil {
			return nil, err
		}
		out.Truncate(out.Len() - 1) // the line break
		out.WriteByte(':')
		out.WriteString(strconv.FormatUint(p.offsets[i], 10))
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// json prints the report for programs.
func (r *packReport) json(w io.Writer, proof bool) error {
	res := &r.result
	out := packJSON{
		Format: packFormat, Buffers: len(r.table.Buffers), Status: res.Status.String(), Interrupted: res.Interrupted,
		Capacity: r.problem.Capacity, Bound: newJSONBound(res.Bound),
		Method: res.Method, Nodes: res.Nodes, Effort: r.engine.Effort.String(), Seed: r.engine.Seed,
	}
	if r.placed() {
		gap := res.Gap()
		out.Height, out.Gap, out.Offsets = &res.Height, &gap, &placing{r.table.Buffers, res.Offsets}
		out.Hints = r.hints()
	}
	if res.Status == pack.Infeasible {
		out.Conflict, out.Minimal = r.conflictIDs(), &res.Minimal
	}
	if proof {
		out.Proof = r.proof()
	}
	return writeJSON(w, out)
}

func newJSONBound(b pack.Bound) jsonBound { return jsonBound{b.Bytes, b.Kind.String(), b.First, b.End} }

// writeJSON prints an object with a line for each value.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
