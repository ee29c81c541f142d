package page_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	budgettext "github.com/seqplan/seqplan/planner/budget/text"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// limited is a sequence with budgets that hold, that are exceeded, and one that cannot be
// checked.
func limited(t testing.TB) *sequences.Sequence {
	t.Helper()
	return read(t, hlt1.VeloFile, append(hlt1.Velo(), `
budgets:
  total: 8GiB
  pools: {device: 16MiB, host: "n_events - 2000"}
  arena: "n_events * 2MiB + 64MiB"
  algorithms: {velo_search_by_triplet: 10MiB}
`...))
}

func evaluate(t testing.TB, seq *sequences.Sequence, plan *planner.Plan) []budget.Result {
	t.Helper()
	out, err := budget.Evaluate(seq, plan, budget.Options{Ways: true})
	require.NoError(t, err)
	return out
}

// shown is the text of the nodes that a selector finds.
func (tb *tab) shown(selector string) []string {
	tb.t.Helper()
	return eval[[]string](tb, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((n) => n.textContent)`, selector))
}

// The budgets stand above the plots, with their figures, what takes most, and the ways back.
func TestBudgets(t *testing.T) {
	seq := limited(t)
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	results := evaluate(t, seq, plan)
	tb := open(t, writeWith(t, seq, plan, report.Options{Budgets: results}), 1280, 900)
	items := tb.shown(".budgets > li")
	require.Len(t, items, len(results))
	require.Equal(t, "Budgets: 2 of 5 exceeded, 1 unknown at the largest values of the parameters", tb.shown("#budgets h2")[0])
	require.True(t, eval[bool](tb, `document.getElementById("budgets").getBoundingClientRect().bottom <= document.getElementById("curve").getBoundingClientRect().top`))
	require.Contains(t, items[0], "exceeded", "what is exceeded comes first")
	for _, r := range results {
		i := slices.IndexFunc(items, func(s string) bool { return strings.Contains(s, r.Name+" line") })
		switch {
		case r.Fault != "":
			require.Contains(t, items[i], "unknown")
			require.Contains(t, items[i], r.Fault)
			continue
		case r.Over > 0:
			require.Contains(t, items[i], "exceeded by "+report.Bytes(r.Over))
			require.NotEmpty(t, r.Ways)
			for _, w := range r.Ways {
				require.Contains(t, items[i], budgettext.Way(&w)+": needs "+report.Bytes(w.Used))
			}
			for _, c := range r.Culprits[:min(5, len(r.Culprits))] {
				require.Contains(t, items[i], c.Name+report.Bytes(c.Bytes))
			}
		default:
			require.Contains(t, items[i], report.Bytes(r.Limit-r.Used)+" left")
		}
		require.Contains(t, items[i], report.Bytes(r.Used)+" used")
		require.Contains(t, items[i], "limit "+report.Bytes(r.Limit))
	}
	tb.shoot("budgets-1280.png", false)
	// A culprit leads to its buffer.
	first := tb.shown(".budgets .exceeded .link")[0]
	tb.do(chromedp.Click(chromedp.CSS(".budgets .exceeded .link")))
	require.Equal(t, []string{first}, tb.shown("#detail-name"))

	// Many that hold are folded away.
	holds := slices.DeleteFunc(slices.Clone(results), func(r budget.Result) bool { return !r.Holds() })
	tb.show(writeWith(t, seq, plan, report.Options{Budgets: slices.Repeat(holds, 5), Baseline: diff.New(plan, plan)}))
	require.Equal(t, []string{"Budgets: all hold at the largest values of the parameters"}, tb.shown("#budgets h2"))
	require.Equal(t, []string{fmt.Sprintf("%d hold", 5*len(holds))}, tb.shown("#budgets details:not([open]) > summary"))
	require.Equal(t, []string{"no difference"}, tb.shown("#baseline > .verdict"))
	require.Empty(t, tb.shown("#since-buffers"))

	tb.show(writeWith(t, seq, plan, report.Options{}))
	require.Empty(t, tb.shown("#budgets, #baseline"), "there is nothing to say")

	// Where no way was found that is said, as check does.
	seq = read(t, hlt1.VeloFile, append(hlt1.Velo(), "\nbudgets: {classes: {dynamic_device: 0}}\n"...))
	results = evaluate(t, seq, plan)
	require.Empty(t, results[0].Ways)
	tb.show(writeWith(t, seq, plan, report.Options{Budgets: results}))
	d, _ := budgettext.Diagnostic(&results[0])
	found := 0
	for _, note := range d.Notes {
		if note.Label != "what takes most" {
			require.Contains(t, tb.shown(".budgets .exceeded .causes")[0], note.Message)
			found++
		}
	}
	require.Contains(t, tb.shown(".budgets .exceeded .causes")[0], "Back under the limit:no single change was found that is enough")
	require.Greater(t, found, 1)
}

// older is a plan in which some things are otherwise.
func older(t testing.TB) *planner.Plan {
	t.Helper()
	text := strings.Replace(string(hlt1.Velo()), "max: 1000", "max: 900", 1)
	plan, err := planner.Make(read(t, "old.yaml", []byte(text)), planner.Options{})
	require.NoError(t, err)
	plan.Buffers = slices.Delete(plan.Buffers, 4, 5)
	plan.Buffers[7].Name = "gone"
	plan.Buffers[9].Class = planner.Dynamic
	return plan
}

// What changed since the baseline stands there with the numbers of the comparison, and the
// map colours it.
func TestBaseline(t *testing.T) {
	seq := read(t, hlt1.VeloFile, hlt1.Velo())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	since := diff.New(older(t), plan)
	text := writeWith(t, seq, plan, report.Options{Baseline: since})
	tb := open(t, text, 1280, 900)
	require.Equal(t, []string{since.Verdict}, tb.shown("#baseline > .verdict"))
	names, changes := tb.column("since-buffers", 0), tb.column("since-buffers", 2)
	require.Len(t, names, len(since.Buffers))
	var sizes []uint64
	for i, name := range names {
		b := &since.Buffers[slices.IndexFunc(since.Buffers, func(b diff.Buffer) bool { return b.Name == name })]
		size, _ := b.Change.Size().Uint64()
		sizes = append(sizes, size)
		want := report.Bytes(sequences.Bytes(size))
		if sign := b.Change.Sign(); sign != 0 {
			want = map[int]string{1: "+", -1: "-"}[sign] + want
		}
		require.Equal(t, want, changes[i], name)
	}
	require.Equal(t, "moved class", tb.column("since-buffers", 1)[0])
	require.IsNonIncreasing(t, sizes[1:], "the largest change comes first")
	for i, p := range since.Pools {
		now, _ := p.Size.New.Uint64()
		require.Equal(t, report.Bytes(sequences.Bytes(now)), tb.column("since-pools", 3)[i])
	}
	require.Equal(t, strings.Join(since.Lines(diff.Options{}), "\n"), tb.shown("#baseline pre")[0])
	tb.shoot("baseline-1280.png", false)

	eval[bool](tb, `(document.querySelector("input[name=colour][value=change]").click(), true)`)
	var back struct {
		Buffers []struct{ Name string }
	}
	require.NoError(t, json.Unmarshal(dataOf(t, text), &back))
	looks := map[diff.Kind]string{}
	for i, b := range back.Buffers {
		at := slices.IndexFunc(since.Buffers, func(c diff.Buffer) bool { return c.New != nil && c.Name == b.Name })
		if at < 0 || plan.Buffers[i].Class != planner.Static || plan.Buffers[i].Scope != sequences.Device {
			continue
		}
		look := tb.look(i)
		if known, ok := looks[since.Buffers[at].Kind]; ok {
			require.Equal(t, known, look, b.Name)
		}
		looks[since.Buffers[at].Kind] = look
	}
	require.GreaterOrEqual(t, len(looks), 2)
}

// look is the look of the shape of a buffer.
func (tb *tab) look(id int) string {
	tb.t.Helper()
	return eval[string](tb, fmt.Sprintf(`document.getElementById("b%d").dataset.look`, id))
}

// A pool whose bound is of buffers in no order is told so, with those buffers; the step with
// most in use is told too.
func TestMissingOrder(t *testing.T) {
	seq := read(t, "trigger.yaml", trigger(t))
	text, plan := write(t, seq)
	pool := &plan.Pools[sequences.Device]
	require.Equal(t, planner.BoundByOrder, pool.BoundBy)
	tb := open(t, text, 1280, 900)
	r := report.New(plan, report.Options{}).Pools[sequences.Device]
	set := fmt.Sprintf("%d buffers that may be in use together, in no order: %s", len(pool.AtPeak), report.Bytes(r.Peak.Bytes))
	require.Contains(t, tb.shown("#readout")[0], set)
	require.Contains(t, tb.shown("#readout")[0], fmt.Sprintf("in the order of the file most at step %d %s: %s live", pool.PeakStep, plan.Steps[pool.PeakStep].Name, report.Bytes(r.Peak.Live)))
	table := strings.Join(tb.shown("#pools td"), "\n")
	require.Contains(t, table, set)
	require.Contains(t, table, report.Bytes(pool.LowerBound)+", by "+planner.BoundByOrder)
	for _, a := range pool.AtPeak[:5] {
		require.Contains(t, table, a.Name+report.Bytes(a.Bytes))
	}
	require.NotContains(t, tb.shown(".slider output")[0], "peak")
	tb.pick(sequences.Host)
	require.Contains(t, tb.shown("#readout")[0], "peak at step")
}
