package sweep_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/sweep"
	"github.com/seqplan/seqplan/sequences"
)

// small is a sequence with two parameters, plans of which are made at once.
const small = `
seqplan: 1
name: small
params: {n: {min: 1, max: 100}, k: 7}
counts: {m: {at: "o[n]", typical: "n * 2", max: "n * 5"}}
steps:
  - name: s0
    writes: {o: {type: u32, count: "n + 1"}, p: {type: u8, count: "n * k * 100"}}
  - name: s1
    reads: [o, p]
    writes: {a: {type: u32, count: "m"}}
  - name: s2
    reads: [a]
    writes: {b: {type: u16, count: "n * 300"}}
`

func ranges(t testing.TB, texts ...string) []sweep.Range {
	t.Helper()
	var out []sweep.Range
	for _, text := range texts {
		r, err := sweep.ParseRanges(text)
		require.NoError(t, err)
		out = append(out, r...)
	}
	return out
}

func work(t testing.TB, texts ...string) *sweep.Work {
	t.Helper()
	return workOf(t, []sweep.File{{Path: "small.yaml", Data: []byte(small)}}, texts...)
}

func workOf(t testing.TB, files []sweep.File, texts ...string) *sweep.Work {
	t.Helper()
	w, err := sweep.NewWork("v1", files, ranges(t, texts...))
	require.NoError(t, err)
	return w
}

func run(t testing.TB, w *sweep.Work, o sweep.Options) ([]sweep.Row, sweep.Progress) {
	t.Helper()
	rows, done, err := w.Run(context.Background(), o)
	require.NoError(t, err)
	return rows, done
}

// The rows are in the order of the grid, each with what the planner says of its plan,
// however many are made at a time.
func TestRows(t *testing.T) {
	other := strings.Replace(small, "name: small", "name: other", 1)
	files := []sweep.File{{Path: "a.yaml", Data: []byte(small)}, {Path: "b.yaml", Data: []byte(other)}}
	w := workOf(t, files, "n=10:50:20", "k=1:2")
	rows, done := run(t, w, sweep.Options{Jobs: 4})
	require.Equal(t, sweep.Progress{Rows: 12, Done: 12, Made: 12}, done)
	i := 0
	for _, f := range files {
		for _, n := range []uint64{10, 30, 50} {
			for k := range uint64(2) {
				seq, diags := sequences.Read(f.Path, f.Data)
				require.NoError(t, diags.Err())
				seq, err := planner.WithParam(seq, "n", 1, n)
				require.NoError(t, err)
				seq, err = planner.WithParam(seq, "k", k+1, k+1)
				require.NoError(t, err)
				plan, err := planner.Make(seq, planner.Options{})
				require.NoError(t, err)
				r := rows[i]
				require.Equal(t, []any{w.ID(), i, 12, f.Path, ""}, []any{r.Work, r.Row, r.Rows, r.File, r.Error})
				require.Equal(t, sweep.Values{{Param: "n", Value: n}, {Param: "k", Value: k + 1}}, r.Params)
				require.Equal(t, plan.Hash, *r.Plan)
				for scope, p := range []*sweep.Pool{r.Device, r.Host} {
					q := plan.Pools[scope]
					require.Equal(t, sweep.Pool{Size: q.Size, Height: q.Height, LowerBound: q.LowerBound, Optimal: q.Optimal}, *p)
				}
				require.Equal(t, plan.Arena.Worst.Sum, r.Arena.Worst.Sum)
				require.Equal(t, plan.Arena.Worst.Peak, r.Arena.Worst.Peak)
				require.Equal(t, plan.Arena.Typical.Sum, r.Arena.Typical.Sum)
				require.Equal(t, plan.Arena.Typical.HostSum, r.Arena.Typical.HostSum)
				for basis, need := range map[planner.Basis]*sequences.Bytes{planner.BasisPeak: r.Need.Peak, planner.BasisTypical: r.Need.Typical, planner.BasisWorst: r.Need.Worst} {
					want, err := plan.DeviceNeed(basis)
					require.NoError(t, err)
					require.Equal(t, want, *need)
				}
				i++
			}
		}
	}
	alone, _ := run(t, w, sweep.Options{Jobs: 1})
	require.Equal(t, rows, alone)
}

// What cannot be planned is a row with the reason, and the others are made.
func TestErrorsAreRows(t *testing.T) {
	files := []sweep.File{
		{Path: "small.yaml", Data: []byte(small)},
		{Path: "=bad\n|.yaml", Data: []byte("seqplan: 1\nname: x\nsteps: [{name: s, reads: [y]}]\n")},
		{Path: "no.yaml", Data: []byte("\x00")},
	}
	w := workOf(t, files, "n=0:2")
	rows, done := run(t, w, sweep.Options{})
	require.Equal(t, 9, done.Done)
	require.Equal(t, 7, done.Errors)
	require.Contains(t, rows[0].Error, "min 1 is above max 0")
	require.Empty(t, rows[1].Error)
	require.Contains(t, rows[3].Error, "error[SP")
	require.NotContains(t, rows[3].File+rows[3].Error, "\n")

	records, err := csv.NewReader(strings.NewReader(string(w.CSV(rows)))).ReadAll()
	require.NoError(t, err)
	require.Len(t, records, 10)
	require.Equal(t, "'=bad\\n|.yaml", records[4][3])
	require.True(t, strings.HasPrefix(records[4][5], "'=bad\\n|.yaml:"), records[4][5])
	require.Len(t, strings.Split(string(w.CSV(rows)), "\n"), 11, "one line for each row")
}

// A file that cannot be read is the error of its rows, and the others are made. It is not
// taken for the same work once it can be, nor for another error.
func TestUnreadableFile(t *testing.T) {
	good := sweep.File{Path: "good", Data: []byte(small)}
	bad := sweep.File{Path: "bad\n", Err: errors.New("bad\n: gone\x1b[2J")}
	cache, err := sweep.OpenCache(t.TempDir())
	require.NoError(t, err)
	w := workOf(t, []sweep.File{bad, good}, "n=1:2")
	for range 2 {
		rows, done := run(t, w, sweep.Options{Cache: cache})
		require.Equal(t, 2, done.Errors)
		require.Equal(t, `bad\n: gone\x1b[2J`, rows[0].Error)
		require.Equal(t, `bad\n`, rows[0].File)
		require.NotNil(t, rows[3].Plan)
	}
	for _, f := range []sweep.File{{Path: "bad\n"}, {Path: "bad\n", Data: []byte(small)}, {Path: "bad\n", Err: errors.New("denied")}} {
		require.NotEqual(t, w.ID(), workOf(t, []sweep.File{f, good}, "n=1:2").ID())
	}
}

// What is to be said about the files is there by file, with the warnings.
func TestFound(t *testing.T) {
	_, _, missing := sequences.Load("no such file")
	warned := strings.Replace(small, "n * 300", "n / 2 * 300", 1)
	w := workOf(t, []sweep.File{
		{Path: "good", Data: []byte(small)},
		{Path: "warned", Data: []byte(warned)},
		{Path: "bad", Data: []byte("x")},
		{Path: "missing", Err: missing},
		{Path: "-", Err: errors.New("closed")},
	})
	require.Empty(t, w.Found(0))
	require.False(t, w.Found(1).HasErrors())
	require.Len(t, w.Found(1), 1)
	require.True(t, w.Found(2).HasErrors())
	require.Equal(t, missing, w.Found(3))
	require.Empty(t, w.Found(4))
}

// Each row tells which budgets hold at its values, as a check with these does.
func TestBudgets(t *testing.T) {
	text := small + `budgets:
  total: 64KiB
  pools: {device: "4KiB + n * 700"}
  arena: {max: 600, basis: worst}
  classes: {dynamic_device: {max: 1KiB, basis: worst}}
`
	unbounded := strings.Replace(text, `, max: "n * 5"`, "", 1)
	files := []sweep.File{{Path: "a", Data: []byte(text)}, {Path: "b", Data: []byte(unbounded)}, {Path: "c", Data: []byte(small)}}
	w := workOf(t, files, "n=10:100:10", "k=7:8")
	rows, done := run(t, w, sweep.Options{})
	broken := map[string]int{}
	for _, r := range rows {
		if r.File == "c" {
			require.Nil(t, r.Budgets)
			continue
		}
		seq, diags := sequences.Read("f", []byte(map[string]string{"a": text, "b": unbounded}[r.File]))
		require.NoError(t, diags.Err())
		seq, err := planner.WithParam(seq, "n", 1, r.Params[0].Value)
		require.NoError(t, err)
		seq, err = planner.WithParam(seq, "k", r.Params[1].Value, r.Params[1].Value)
		require.NoError(t, err)
		plan, err := planner.Make(seq, planner.Options{})
		require.NoError(t, err)
		results, err := budget.Evaluate(seq, plan, budget.Options{})
		require.NoError(t, err)
		want := sweep.Budgets{Number: 4, Exceeded: []string{}, Unchecked: []string{}}
		for _, b := range results {
			switch {
			case b.Fault != "":
				want.Unchecked = append(want.Unchecked, b.Name)
			case b.Over > 0:
				want.Exceeded = append(want.Exceeded, b.Name)
			}
		}
		require.Equal(t, want, *r.Budgets)
		broken[fmt.Sprint(r.File, want.Exceeded, want.Unchecked)]++
	}
	require.Greater(t, len(broken), 4, "%v", broken)
	require.Equal(t, 40-broken["a[] []"], done.Exceeded)

	records, err := csv.NewReader(strings.NewReader(string(w.CSV(rows)))).ReadAll()
	require.NoError(t, err)
	column := func(name string) int { return slices.Index(records[0], name) }
	for i, r := range rows {
		cells := records[i+1][column("budgets"):]
		if r.Budgets == nil {
			require.Equal(t, []string{"", "", "", ""}, cells)
			continue
		}
		require.Equal(t, []string{
			"4", strconv.Itoa(len(r.Budgets.Exceeded)), strings.Join(r.Budgets.Exceeded, " "), strings.Join(r.Budgets.Unchecked, " "),
		}, cells)
	}
	cache, err := sweep.OpenCache(t.TempDir())
	require.NoError(t, err)
	for range 2 {
		again, _ := run(t, w, sweep.Options{Cache: cache})
		require.Equal(t, rows, again)
	}
}

// Without bounds of a count the arena has no such figures.
func TestUnknownDemand(t *testing.T) {
	text := strings.Replace(small, `, max: "n * 5"`, "", 1)
	w := workOf(t, []sweep.File{{Path: "f", Data: []byte(text)}})
	rows, _ := run(t, w, sweep.Options{})
	require.Nil(t, rows[0].Arena.Worst)
	require.Nil(t, rows[0].Need.Worst)
	require.NotNil(t, rows[0].Arena.Typical)
	require.Contains(t, string(w.CSV(rows)), ",,,,"+fmt.Sprint(uint64(rows[0].Arena.Typical.Sum))+",")
}

// The ID changes with all that the rows depend on.
func TestID(t *testing.T) {
	f := sweep.File{Path: "f", Data: []byte(small)}
	g := sweep.File{Path: "f", Data: []byte(small + "\n")}
	h := sweep.File{Path: "g", Data: []byte(small)}
	seen := map[string]bool{}
	for _, w := range []*sweep.Work{
		workOf(t, []sweep.File{f}), workOf(t, []sweep.File{g}), workOf(t, []sweep.File{h}), workOf(t, []sweep.File{f, h}), workOf(t, []sweep.File{h, f}),
		workOf(t, []sweep.File{f}, "n=1"), workOf(t, []sweep.File{f}, "n=1:2"), workOf(t, []sweep.File{f}, "k=1:2"),
		workOf(t, []sweep.File{f}, "k=1", "n=1"), workOf(t, []sweep.File{f}, "n=1", "k=1"),
	} {
		require.False(t, seen[w.ID()])
		seen[w.ID()] = true
	}
	v2, err := sweep.NewWork("v2", []sweep.File{f}, nil)
	require.NoError(t, err)
	require.False(t, seen[v2.ID()])
	require.Equal(t, workOf(t, []sweep.File{f}, "n=1:6").ID(), workOf(t, []sweep.File{f}, "n=4:6", "n=1:5").ID(), "the same grid")
}

func TestNoSuchParameter(t *testing.T) {
	_, err := sweep.NewWork("", []sweep.File{{Path: "f", Data: []byte(small)}}, ranges(t, "q=1"))
	require.ErrorIs(t, err, sweep.ErrNoParam)
	require.ErrorContains(t, err, `"q"`)
}

// A run that is cancelled says so, and what it has finished is kept.
func TestCancel(t *testing.T) {
	w := work(t, "n=1:50")
	ctx, cancel := context.WithCancel(context.Background())
	part := filepath.Join(t.TempDir(), "part")
	_, done, err := w.Run(ctx, sweep.Options{Jobs: 1, Part: part, Progress: func(p sweep.Progress) {
		if p.Done == 10 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, done.Done, 10)
	require.Less(t, done.Done, 50)
	rows, again := run(t, w, sweep.Options{Part: part})
	require.Equal(t, 50-done.Done, again.Made)
	whole, _ := run(t, w, sweep.Options{})
	require.Equal(t, whole, rows)

	_, _, err = w.Run(context.Background(), sweep.Options{Part: filepath.Join(t.TempDir(), "no", "dir")})
	require.ErrorIs(t, err, os.ErrNotExist)
}
