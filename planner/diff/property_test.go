package diff_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// A plan does not differ from itself, nor from itself after its way through JSON, whatever
// is in it.
func TestSelf(t *testing.T) {
	empty := func(a, b *planner.Plan) {
		d := diff.New(a, b)
		require.True(t, d.Empty)
		require.False(t, d.NeedChanged)
		require.False(t, d.LayoutChanged)
		require.Empty(t, d.Buffers)
		require.Equal(t, "no difference", d.Verdict)
		require.Equal(t, []string{"no difference"}, d.Lines(diff.Options{}))
		require.Empty(t, d.Over(diff.LimitBytes(0), planner.BasisTypical))
	}
	eachPair(t, func(t *testing.T, a, b *planner.Plan) {
		empty(a, a)
		empty(b, clone(t, b))
	})
}

// The changes of the buffers add up to the changes of the classes, exactly, and the
// classes are those of a report.
func TestSums(t *testing.T) {
	eachPair(t, func(t *testing.T, a, b *planner.Plan) {
		d := diff.New(a, b)
		var total big.Int
		rows := make([]big.Int, 4)
		add := func(s *diff.State, sign int64) {
			if s != nil {
				n := new(big.Int).SetUint64(uint64(s.Bytes))
				row := &rows[2*int(s.Class)+int(s.Scope)]
				row.Add(row, n.Mul(n, big.NewInt(sign)))
			}
		}
		for i := range d.Buffers {
			x := &d.Buffers[i]
			total.Add(&total, diff.Big(x.Change))
			add(x.Old, -1)
			add(x.New, 1)
		}
		require.Equal(t, total.String(), diff.Big(d.Total.Bytes.Change).String())
		for i, c := range d.Classes {
			require.Equal(t, rows[i].String(), diff.Big(c.Bytes.Change).String())
		}
		for _, side := range []struct {
			plan *planner.Plan
			of   func(diff.Figure) diff.Amount
		}{{a, func(f diff.Figure) diff.Amount { return f.Old }}, {b, func(f diff.Figure) diff.Amount { return f.New }}} {
			p := &planner.Plan{Buffers: slices.Clone(side.plan.Buffers), Pools: make([]planner.Pool, 2), Steps: make([]planner.Step, 1)}
			for i := range p.Buffers {
				p.Buffers[i].Lifetime, p.Buffers[i].Uses, p.Buffers[i].Lent = planner.Interval{End: 1}, nil, nil
			}
			classes := report.New(p, report.Options{}).Classes
			for i, row := range classes.Rows {
				require.Equal(t, row.Class, d.Classes[i].Class)
				require.Equal(t, row.Scope, d.Classes[i].Scope)
				same(t, row.Total, side.of(d.Classes[i].Buffers), side.of(d.Classes[i].Bytes))
			}
			same(t, classes.Total, side.of(d.Total.Buffers), side.of(d.Total.Bytes))
		}
	})
}

// same compares a row of a report, which stops at 64 bits.
func same(t *testing.T, row report.Total, buffers, size diff.Amount) {
	t.Helper()
	require.Equal(t, diff.NewAmount(uint64(row.Buffers)), buffers)
	if n, ok := size.Uint64(); ok {
		require.Equal(t, row.Bytes, sequences.Bytes(n))
	} else {
		require.Equal(t, ^sequences.Bytes(0), row.Bytes)
	}
}

// The comparison the other way round says the opposite.
func TestMirror(t *testing.T) {
	eachPair(t, func(t *testing.T, a, b *planner.Plan) {
		there, back := tree(t, diff.New(a, b)), tree(t, diff.New(b, a))
		require.Equal(t, sorted(there), sorted(mirror(back)))
	})
}

func tree(t *testing.T, d *diff.Diff) any {
	var text bytes.Buffer
	require.NoError(t, d.JSON(&text))
	dec := json.NewDecoder(&text)
	dec.UseNumber()
	var out any
	require.NoError(t, dec.Decode(&out))
	delete(out.(map[string]any), "verdict")
	return out
}

var opposite = map[string]string{
	"old": "new", "new": "old", "added": "removed", "removed": "added",
	"grew": "shrank", "shrank": "grew", "appeared": "disappeared", "disappeared": "appeared",
}

func mirror(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = mirror(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			value = mirror(value)
			if n, ok := value.(json.Number); ok && (key == "change" || key == "worst") && n != "0" {
				if text, negative := strings.CutPrefix(string(n), "-"); negative {
					value = json.Number(text)
				} else {
					value = json.Number("-" + n)
				}
			}
			if kind, ok := value.(string); ok && key == "kind" {
				value = cmp.Or(opposite[kind], kind)
			}
			out[cmp.Or(opposite[key], key)] = value
		}
		if out["was"] != nil {
			out["name"], out["was"] = out["was"], out["name"]
		}
		if young, ok := out["new"].(map[string]any); ok && out["what"] != nil {
			out["name"] = young["name"]
		}
		return out
	}
	return v
}

// sorted puts the lists in an order that does not depend on the direction.
func sorted(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = sorted(v[i])
		}
		slices.SortFunc(out, func(a, b any) int { return cmp.Compare(text(a), text(b)) })
		return out
	case map[string]any:
		for key := range v {
			v[key] = sorted(v[key])
		}
	}
	return v
}

func text(v any) string {
	out, _ := json.Marshal(v)
	return string(out)
}

// The list of buffers is sorted, by kind, then the largest change first, then by name.
func TestSorted(t *testing.T) {
	eachPair(t, func(t *testing.T, a, b *planner.Plan) {
		list := diff.New(a, b).Buffers
		kinds := diff.Kinds()
		for i := 1; i < len(list); i++ {
			p, q := &list[i-1], &list[i]
			size := func(c diff.Change) *big.Int { return new(big.Int).Abs(diff.Big(c)) }
			require.LessOrEqual(t, cmp.Or(
				cmp.Compare(slices.Index(kinds, p.Kind), slices.Index(kinds, q.Kind)),
				size(q.Change).Cmp(size(p.Change)), size(q.Worst).Cmp(size(p.Worst)), strings.Compare(p.Name, q.Name),
			), 0)
		}
	})
}

// All formats are printed, in the same bytes each time; JSON reads back as what it was.
func TestForms(t *testing.T) {
	eachPair(t, func(t *testing.T, a, b *planner.Plan) {
		d := diff.New(a, b)
		var one, two bytes.Buffer
		for _, x := range []struct {
			d  *diff.Diff
			to *bytes.Buffer
		}{{d, &one}, {diff.New(clone(t, a), clone(t, b)), &two}} {
			require.NoError(t, x.d.Text(x.to, diff.Options{Top: 3}))
			require.NoError(t, x.d.Markdown(x.to, diff.Options{Top: 3}))
			require.NoError(t, x.d.JSON(x.to))
		}
		require.Equal(t, one.String(), two.String())
		require.NotContains(t, d.Verdict, "\x01")
		var text bytes.Buffer
		require.NoError(t, d.JSON(&text))
		var back diff.Diff
		require.NoError(t, json.Unmarshal(text.Bytes(), &back))
		var again bytes.Buffer
		require.NoError(t, back.JSON(&again))
		require.Equal(t, text.String(), again.String())
		require.Equal(t, d.Lines(diff.Options{}), back.Lines(diff.Options{}))
	})
}
