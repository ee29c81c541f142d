package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// useAll makes everything of a plan that was read.
func useAll(t *testing.T, p, other *planner.Plan) {
	t.Helper()
	r := report.New(p, report.Options{Capacity: 1 << 20, Baseline: diff.New(other, p)})
	for _, write := range []func(io.Writer) error{
		func(w io.Writer) error { return report.Text(w, p, r, report.MapOptions{}) },
		func(w io.Writer) error { return report.Summary(w, p) },
		r.JSON, r.Markdown,
		func(w io.Writer) error { return report.CSV(w, p) },
		func(w io.Writer) error { return report.SVG(w, p, report.SVGOptions{Capacity: 1 << 20}) },
		func(w io.Writer) error { return report.SVG(w, p, report.SVGOptions{Color: report.ByKind}) },
		func(w io.Writer) error { return report.Trace(w, p) },
		func(w io.Writer) error { return report.Dot(w, p, 0) },
		diff.New(p, other).JSON,
		diff.New(p, p).JSON,
	} {
		require.NoError(t, write(io.Discard))
	}
	for _, b := range p.Buffers {
		require.NoError(t, report.Explain(io.Discard, p, b.Name))
	}
	report.Near(p, "x")
}

// place is a value in decoded JSON: that of a key of an object, or of an index of a list.
type place struct {
	in any
	at any
}

func (p place) get() any {
	if list, ok := p.in.([]any); ok {
		return list[p.at.(int)]
	}
	return p.in.(map[string]any)[p.at.(string)]
}

func (p place) set(v any) {
	if list, ok := p.in.([]any); ok {
		list[p.at.(int)] = v
	} else {
		p.in.(map[string]any)[p.at.(string)] = v
	}
}

// placesOf lists all values below one, in an order that is always the same.
func placesOf(v any) (out []place) {
	switch v := v.(type) {
	case []any:
		for i := range v {
			out = append(append(out, place{v, i}), placesOf(v[i])...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = append(append(out, place{v, key}), placesOf(v[key])...)
		}
	}
	return out
}

// mutate changes one value of a plan.
func mutate(r *rand.Rand, plan any) {
	all := placesOf(plan)
	p, other := all[r.IntN(len(all))], all[r.IntN(len(all))].get()
	switch v := p.get().(type) {
	case json.Number:
		numbers := []string{"-1", "0", "1", "2", "3", "77", "256", "4294967296", "9223372036854775807", "18446744073709551615", "-9223372036854775808"}
		p.set(json.Number(numbers[r.IntN(len(numbers))]))
	case bool:
		p.set(!v)
	case string:
		p.set(hostile[r.IntN(len(hostile))])
		if s, ok := other.(string); ok && r.IntN(2) == 0 {
			p.set(s)
		}
	case []any:
		switch {
		case len(v) == 0 || r.IntN(3) == 0:
			p.set(nil)
		case r.IntN(2) == 0:
			p.set(slices.Delete(slices.Clone(v), 0, 1+r.IntN(len(v))))
		default:
			p.set(append(slices.Clone(v), v[r.IntN(len(v))]))
		}
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		delete(v, keys[r.IntN(len(keys))])
	}
}

// A plan file with anything else in it is refused, or gives some report, and no panic.
func TestBrokenPlans(t *testing.T) {
	read := map[string]int{}
	other := plans(t)["places"]
	for name, p := range plans(t) {
		if name == "reco" {
			continue
		}
		var data bytes.Buffer
		require.NoError(t, p.WriteJSON(&data))
		for seed := range uint64(150) {
			dec := json.NewDecoder(bytes.NewReader(data.Bytes()))
			dec.UseNumber()
			var plan any
			require.NoError(t, dec.Decode(&plan))
			r := rand.New(rand.NewPCG(seed, 13))
			for range 1 + r.IntN(2) {
				mutate(r, plan)
			}
			text, err := json.Marshal(plan)
			require.NoError(t, err)
			q, err := planner.ReadPlan(bytes.NewReader(text))
			if err != nil {
				read["refused"]++
				continue
			}
			read["read"]++
			require.NotPanics(t, func() { useAll(t, q, other) }, "%s, seed %d", name, seed)
		}
	}
	t.Log(read)
	require.Greater(t, read["read"], 150)
	require.Greater(t, read["refused"], 200)
}

// The same of any bytes.
func FuzzPlanFile(f *testing.F) {
	f.Add([]byte(`{"seqplan_plan": 1, "workers": 1, "pools": [{"scope": "device", "align": 1}, {"scope": "host", "align": 1}], "arena": {"align": 1}}`))
	small, diags := sequences.Read("small.yaml", []byte("seqplan: 1\nname: small\nsteps: [{name: a, writes: {x: {type: u8, count: 5}}}]\n"))
	require.NoError(f, diags.Err())
	p, err := planner.Make(small, planner.Options{})
	require.NoError(f, err)
	var text bytes.Buffer
	require.NoError(f, p.WriteJSON(&text))
	f.Add(text.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := planner.ReadPlan(bytes.NewReader(data))
		if err != nil {
			return
		}
		useAll(t, read, p)
	})
}
