package planner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// ErrFormat marks a plan file of another version.
var ErrFormat = errors.New("plan format is not supported")

// ReadPlan reads the JSON form of a plan. The layout and the packing problems are not
// part of it: Layout and Packings are nil. Unknown fields, and other versions than
// PlanFormat, are refused. What it returns is whole: every id is one of the plan, lifetimes
// lie in the steps and buffers in their pools. What is not so is a *FieldError, with the
// place in the file where it is known. A byte order mark is skipped.
func ReadPlan(r io.Reader) (*Plan, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	p, err := newPlanText(data).plan()
	if err != nil {
		return nil, fmt.Errorf("reading a plan: %w", err)
	}
	return p, nil
}

func (t planText) plan() (*Plan, error) {
	if err := t.characters(); err != nil {
		return nil, err
	}
	var version struct {
		Format int `json:"seqplan_plan"`
	}
	if err := json.Unmarshal(t, &version); err != nil {
		return nil, t.decodeError(err)
	}
	if version.Format != PlanFormat {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrFormat, version.Format, PlanFormat)
	}
	p := new(Plan)
	dec := json.NewDecoder(bytes.NewReader(t))
	dec.DisallowUnknownFields()
	if err := dec.Decode(p); err != nil {
		return nil, t.decodeError(err)
	}
	if err := t.keys(); err != nil {
		return nil, err
	}
	if len(p.Pools) != 2 {
		return nil, fmt.Errorf("%w: it has no device pool and host pool", ErrFormat)
	}
	err := check(p)
	if at := new(FieldError); errors.As(err, &at) {
		return nil, t.fault(t.offset(at.Field), at.Field, "%s", at.Msg)
	}
	return p, err
}

// WriteJSON writes the JSON form of the plan, indented, with a final newline.
func (p *Plan) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(p)
}

// MarshalText writes a hash as 16 hexadecimal digits.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads 16 hexadecimal digits.
func (h *Hash) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || len(text) != 16 {
		return fmt.Errorf("%q is not a hash of 16 hexadecimal digits", text)
	}
	*h = Hash(v)
	return nil
}

func (c Class) String() string {
	if c == Dynamic {
		return "dynamic"
	}
	return "static"
}

// MarshalText writes the word of the class.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the word of a class.
func (c *Class) UnmarshalText(text []byte) error {
	switch string(text) {
	case "static":
		*c = Static
	case "dynamic":
		*c = Dynamic
	default:
		return fmt.Errorf("%q is not a class", text)
	}
	return nil
}
