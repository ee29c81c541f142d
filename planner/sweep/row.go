package sweep

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Row is the result of one plan.
type Row struct {
	Work   string `json:"work"` // the ID
	Row    int    `json:"row"`
	Rows   int    `json:"rows"` // in all shards
	File   string `json:"file"`
	Params Values `json:"params"`
	Result
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

// placed tells whether a row has a place in a grid.
func (r *Row) placed() bool { return 0 <= r.Row && r.Row < r.Rows && r.Rows <= MaxRows }

var errLine = errors.New("no row of a sweep")

// parseLine reads what line returns, and nothing else.
func parseLine(text []byte) (Row, error) {
	var r Row
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil || !r.whole() || !r.placed() || !bytes.Equal(r.line(), text) {
		return Row{}, errLine
	}
	return r, nil
}
