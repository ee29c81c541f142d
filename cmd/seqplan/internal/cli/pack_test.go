package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
)

// fixedPacker returns one result, whatever the problem.
type fixedPacker pack.Result

func (p fixedPacker) Pack(context.Context, pack.Problem) (pack.Result, error) {
	return pack.Result(p), nil
}

// tableOf reads a table of the columns id,lower,upper,size,alignment,gaps,offset.
func tableOf(t *testing.T, rows ...string) *table {
	f, faults := csvfile.Read("in.csv", []byte("id,lower,upper,size,alignment,gaps,offset\n"+strings.Join(rows, "\n")))
	require.Empty(t, faults)
	return &table{"in.csv", f}
}

// TestCheckedPack: a wrong result does not come out.
func TestCheckedPack(t *testing.T) {
	p := tableOf(t, "a,0,2,4,1,,", "b,1,3,4,1,,").problem()
	good := pack.Result{Offsets: []uint64{0, 4}, Height: 8}
	r, err := checkedPack(t.Context(), fixedPacker(good), p)
	require.NoError(t, err)
	require.Equal(t, good, r)
	_, err = checkedPack(t.Context(), fixedPacker(pack.Result{Offsets: []uint64{0, 3}, Height: 7}), p)
	require.EqualError(t, err, "internal error: the packing is wrong: overlap: buffers 0 and 1 at step 1: both use the bytes [3, 4)")
}

func TestPackReport(t *testing.T) {
	two := []string{"a,0,2,4,1,,", "b,1,3,4,1,,", "c,2,4,1,1,,"}
	capacity := uint64(7)
	for _, c := range []struct {
		name     string
		rows     []string
		capacity *uint64
		result   pack.Result
		want     string
	}{
		{"interrupted", two, nil, pack.Result{Offsets: []uint64{0, 4, 0}, Height: 8, Interrupted: true, Bound: pack.Bound{Bytes: 6, First: 1, End: 2}}, `in.csv: 3 buffers
  status    feasible, interrupted
  height    8 B
  bound     6 B, max live in the steps [1, 2)
  gap       33.3 %
  nodes     0, effort normal, seed 0

Proof: no packing is lower than 6 B
  at step 1 they use 8 B
  buffer  line  lifetime  size  takes
  a       2     [0, 2)    4     4
  b       3     [1, 3)    4     4
  sum                           8
`},
		{"unknown", two, &capacity, pack.Result{Status: pack.Unknown, Offsets: []uint64{0, 4, 0}, Height: 8, Method: "m"}, `in.csv: 3 buffers
  status    unknown
  height    8 B
  capacity  7 B
  bound     0 B
  gap       800 %
  method    m
  nodes     0, effort normal, seed 0

Proof: no packing is lower than 0 B
  no height is below 0
`},
		{"search", []string{"a,0,2,4,1,,", "b,1,3,4,1,,", "c,3,4,4,1,,"}, &capacity, pack.Result{Status: pack.Infeasible, Conflict: []int{1, 2}, Nodes: 9, Bound: pack.Bound{Bytes: 4, First: 2, End: 3}}, `in.csv: 3 buffers
  status    infeasible
  capacity  7 B
  bound     4 B, max live in the steps [2, 3)
  conflict  2 buffers: b, c
  nodes     9, effort normal, seed 0

Proof: these buffers have no packing of at most 7 B
  a search of 9 nodes found none; only the same search can check that
  buffer  line  lifetime  size
  b       3     [1, 3)    4
  c       4     [3, 4)    4
`},
		{"gaps", []string{"a,0,3,8,1,1-2@2:4,", "b,1,2,6,1,,"}, &capacity, pack.Result{Status: pack.Infeasible, Conflict: []int{0, 1}}, `in.csv: 2 buffers
  status    infeasible
  capacity  7 B
  bound     0 B
  conflict  2 buffers: a, b
  nodes     0, effort normal, seed 0

Proof: these buffers have no packing of at most 7 B
  at step 0 they use 8 B
  buffer  line  lifetime  size  takes
  a       2     [0, 3)    8     8
  sum                           8
`},
		{"fixed above the capacity", []string{"a,0,3,4,4,,", "b,1,2,4,4,,4"}, &capacity, pack.Result{Status: pack.Infeasible, Conflict: []int{1}, Minimal: true, Bound: pack.Bound{Bytes: 8, Kind: pack.Placed, First: 1, End: 2}}, `in.csv: 2 buffers
  status    infeasible
  capacity  7 B
  bound     8 B, fixed offset in the steps [1, 2)
  conflict  1 buffer, minimal: b
  nodes     0, effort normal, seed 0

Proof: this buffer has no packing of at most 7 B
  of the fixed offsets (in.csv:3: over capacity: b: it ends at 8, above the capacity 7)
  buffer  line  lifetime  size  alignment  fixed at
  b       3     [1, 2)    4     4          4
`},
		{"fixed", []string{"a,0,3,4,4,,", "b,1,2,4,4,,4"}, nil, pack.Result{Offsets: []uint64{0, 4}, Height: 8, Status: pack.Optimal, Bound: pack.Bound{Bytes: 8, Kind: pack.Placed, First: 1, End: 2}}, `in.csv: 2 buffers
  status    optimal
  height    8 B
  bound     8 B, fixed offset in the steps [1, 2)
  gap       0 %
  nodes     0, effort normal, seed 0

Proof: no packing is lower than 8 B
  this buffer is fixed, and that is its end
  buffer  line  lifetime  size  alignment  fixed at
  b       3     [1, 2)    4     4          4
`},
		{"alignment", []string{"a,0,2,3,8,,", "b,1,2,3,8,,", "c,1,3,1,1,,"}, nil, pack.Result{Offsets: []uint64{0, 8, 3}, Height: 11, Status: pack.Optimal, Bound: pack.Bound{Bytes: 11, Kind: pack.Alignment, First: 0, End: 3}}, `in.csv: 3 buffers
  status    optimal
  height    11 B
  bound     11 B, alignment in the steps [0, 3)
  gap       0 %
  nodes     0, effort normal, seed 0

Proof: no packing is lower than 11 B
  at step 1 they use 11 B when each is rounded up to a multiple of 8, as each starts at one; the topmost may end before
  buffer                   line  lifetime  size  alignment  takes
  a                        2     [0, 2)    3     8          8
  b                        3     [1, 2)    3     8          8
  the end of the last one                                   -5
  sum                                                       11
`},
		{"refuted", two, nil, pack.Result{Offsets: []uint64{0, 4, 0}, Height: 8, Status: pack.Optimal, Bound: pack.Bound{Bytes: 8, Kind: pack.Refuted, First: 1, End: 2}}, `in.csv: 3 buffers
  status    optimal
  height    8 B
  bound     8 B, refuted window in the steps [1, 2)
  gap       0 %
  nodes     0, effort normal, seed 0

Proof: no packing is lower than 8 B
  a search found no lower packing of the parts of these buffers that lie in the steps [1, 2); only the same search can check that
  buffer  line  lifetime  size
  a       2     [0, 2)    4
  b       3     [1, 3)    4
`},
		{"one buffer", []string{"a,0,3,8,1,0-3@2:4,"}, nil, pack.Result{Offsets: []uint64{0}, Height: 8, Status: pack.Optimal, Bound: pack.Bound{Bytes: 8, First: 1, End: 2}}, `in.csv: 1 buffer
  status    optimal
  height    8 B
  bound     8 B, max live in the steps [1, 2)
  gap       0 %
  nodes     0, effort normal, seed 0

Proof: no packing is lower than 8 B
  that is the size of this buffer
  buffer  line  lifetime  size
  a       2     [0, 3)    8
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tableOf(t, c.rows...)
			p := table.problem()
			p.Capacity = c.capacity
			r := packReport{table, p, c.result, pack.Engine{}}
			require.NoError(t, audit.Check(p, c.result))
			var out bytes.Buffer
			require.NoError(t, r.text(&out, true))
			require.Equal(t, c.want, out.String())
			out.Reset()
			require.NoError(t, r.json(&out, true))
			var read struct {
				Interrupted bool
				Conflict    []string
				Proof       struct{ Reason string }
				Offsets     map[string]uint64
			}
			require.NoError(t, json.Unmarshal(out.Bytes(), &read))
			require.Len(t, read.Offsets, len(c.result.Offsets))
			require.Equal(t, c.result.Interrupted, read.Interrupted)
			require.Len(t, read.Conflict, len(c.result.Conflict))
			require.NotEmpty(t, read.Proof.Reason)
		})
	}
}

// TestConflictNames: a long conflict is not listed in its line.
func TestConflictNames(t *testing.T) {
	var rows []string
	r := packReport{result: pack.Result{Status: pack.Infeasible, Minimal: true}}
	for i, id := range strings.Split("abcdefghijkl", "") {
		rows = append(rows, id+",0,1,4,1,,")
		r.result.Conflict = append(r.result.Conflict, i)
	}
	r.table = tableOf(t, rows...)
	require.Equal(t, "12 buffers, minimal: a, b, c, d, e, f, g, h, i, j and 2 more; -proof lists them", r.conflict())
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := &progress{w: &out, now: func() time.Time { return now }}
	p.clear()
	require.Empty(t, out.String())
	at := pack.Progress{Bound: 100, Nodes: 7, Doing: "first"}
	p.tell()(at)
	require.Equal(t, "\rbound 100  nodes 7  first\x1b[K", out.String())
	at.Height, at.Doing = 103, strings.Repeat("x", 100)
	for range 25 {
		now = now.Add(10 * time.Millisecond)
		p.show(at)
	}
	lines := strings.Split(out.String(), "\r")
	require.Len(t, lines, 4) // at 0, 100 and 200 ms
	require.Equal(t, "bound 100  height 103  gap 3 %  nodes 7  "+strings.Repeat("x", 38)+"\x1b[K", lines[2])
	p.clear()
	require.True(t, strings.HasSuffix(out.String(), "\r\x1b[K"))
}

// TestNoProgress: what is no terminal gets none.
func TestNoProgress(t *testing.T) {
	require.Nil(t, newProgress(&bytes.Buffer{}).tell())
	f, err := os.Create(t.TempDir() + "/log")
	require.NoError(t, err)
	require.Nil(t, newProgress(f).tell())
	require.NoError(t, f.Close())
}
