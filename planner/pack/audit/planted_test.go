package audit_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
)

func bytesText(low, high uint64) string { return fmt.Sprintf("[%d, %d)", low, high) }

// sound is a problem with every feature and its best packing.
func sound() (pack.Problem, pack.Result) {
	p := pack.Problem{
		Buffers: []pack.Buffer{
			{First: 0, End: 8, Size: 16, Align: 4, Gaps: []pack.Gap{{First: 2, End: 4, Low: 4, High: 8}, {First: 4, End: 6}}},
			{First: 2, End: 4, Size: 8, Align: 8},                                                        // in the gap above the window
			{First: 4, End: 6, Size: 16, Align: 4},                                                       // in the gap without one
			{First: 0, End: 5, Size: 8, Align: 4},                                                        // the first of a group
			{First: 3, End: 8, Size: 4, Align: 8},                                                        // takes its place over
			{First: 0, End: 1, Size: 8, Align: 1},                                                        // fixed
			{First: 6, End: 7, Size: 8, Align: 1},                                                        // never together with the fixed one
			{First: 0, End: 8, Size: 0, Align: 16},                                                       // takes nothing
			{First: 2, End: 3, Size: 4, Align: 4},                                                        // in the gap below the window
			{First: 4, End: 8, Size: 8, Align: 1, Gaps: []pack.Gap{{First: 6, End: 8, Low: 0, High: 2}}}, // shrinks
			{First: 6, End: 8, Size: 6, Align: 2},                                                        // in what it gave back
		},
		InPlace:  [][]int{{3, 4}},
		Excluded: [][2]int{{6, 5}, {7, 5}},
		Capacity: ptr(50),
	}
	p.Buffers[5].Offset = ptr(24)
	return p, pack.Result{
		Status: pack.Feasible, Offsets: []uint64{0, 8, 0, 16, 16, 24, 32, 32, 0, 40, 42}, Height: 48,
		Bound: pack.Bound{Kind: pack.MaxLive, Bytes: 36, First: 6, End: 7},
	}
}

func TestPlanted(t *testing.T) {
	p, r := sound()
	require.NoError(t, audit.Check(p, r))
	for _, c := range []struct {
		name  string
		spoil func(p *pack.Problem, r *pack.Result)
		want  []string
	}{
		{"too few offsets", func(p *pack.Problem, r *pack.Result) { r.Offsets = r.Offsets[1:] }, []string{"incomplete: 10 offsets for 11 buffers"}},
		{"no offsets", func(p *pack.Problem, r *pack.Result) { r.Offsets = nil }, []string{"incomplete: 0 offsets for 11 buffers"}},
		{
			"alignment", func(p *pack.Problem, r *pack.Result) { r.Offsets[8] = 2 },
			[]string{"misaligned: buffer 8: the offset 2 is not a multiple of the alignment 4", "overlap: buffers 0 and 8 at step 2: both use the bytes [4, 6)"},
		},
		{
			"alignment of a zero-sized one", func(p *pack.Problem, r *pack.Result) { r.Offsets[7] = 8 },
			[]string{"misaligned: buffer 7: the offset 8 is not a multiple of the alignment 16"},
		},
		{
			"alignment of a member", func(p *pack.Problem, r *pack.Result) {
				r.Offsets[3], r.Offsets[4], r.Height = 52, 52, 60
				p.Capacity = nil
			},
			[]string{"misaligned: buffer 4: the offset 52 is not a multiple of the alignment 8"},
		},
		{
			"above the window", func(p *pack.Problem, r *pack.Result) { p.Buffers[0].Gaps[0].High = 9 },
			[]string{"overlap: buffers 0 and 1 at step 2: both use the bytes [8, 9)"},
		},
		{
			"below the window", func(p *pack.Problem, r *pack.Result) { p.Buffers[0].Gaps[0].Low = 3 },
			[]string{"overlap: buffers 0 and 8 at step 2: both use the bytes [3, 4)"},
		},
		{
			"before the gap", func(p *pack.Problem, r *pack.Result) { p.Buffers[0].Gaps[0].First = 3 },
			[]string{"overlap: buffers 0 and 1 at step 2: both use the bytes [8, 16)", "overlap: buffers 0 and 8 at step 2: both use the bytes [0, 4)"},
		},
		{
			"after the gap", func(p *pack.Problem, r *pack.Result) { p.Buffers[0].Gaps[1].End = 5 },
			[]string{"overlap: buffers 0 and 2 at step 5: both use the bytes [0, 16)"},
		},
		{
			"what did not shrink", func(p *pack.Problem, r *pack.Result) { p.Buffers[9].Gaps[0].High = 4 },
			[]string{"overlap: buffers 9 and 10 at step 6: both use the bytes [42, 44)"},
		},
		{
			"in place", func(p *pack.Problem, r *pack.Result) { r.Offsets[4] = 48; r.Height = 52; p.Capacity = nil },
			[]string{"not in place: buffers 3 and 4: their offsets are 16 and 48"},
		},
		{
			"no group", func(p *pack.Problem, r *pack.Result) { p.InPlace = nil },
			[]string{"overlap: buffers 3 and 4 at step 3: both use the bytes [16, 20)"},
		},
		{"fixed", func(p *pack.Problem, r *pack.Result) { r.Offsets[5] = 40 }, []string{"moved: buffer 5: the offset is 40, fixed is 24"}},
		{"excluded", func(p *pack.Problem, r *pack.Result) { r.Offsets[6] = 31 }, []string{"excluded: buffers 5 and 6: both have the bytes [31, 32)"}},
		{
			"out of range", func(p *pack.Problem, r *pack.Result) { r.Offsets[6] = 1<<64 - 8 },
			[]string{"out of range: buffer 6: offset 18446744073709551608 and size 8 together leave uint64"},
		},
		{
			"out of range, its window not", func(p *pack.Problem, r *pack.Result) {
				p.Buffers[10].Gaps = []pack.Gap{{First: 6, End: 8, Low: 4, High: 6}}
				r.Offsets[10], r.Bound = 1<<64-4, pack.Bound{}
			},
			[]string{"out of range: buffer 10: offset 18446744073709551612 and size 6 together leave uint64"},
		},
		{
			"height", func(p *pack.Problem, r *pack.Result) { r.Height = 47 },
			[]string{"wrong height: buffer 9: the height is 47, the largest end of a buffer 48"},
		},
		{
			"capacity", func(p *pack.Problem, r *pack.Result) { *p.Capacity = 47 },
			[]string{"over capacity: buffer 9: it ends at 48, above the capacity 47"},
		},
		{
			"optimal", func(p *pack.Problem, r *pack.Result) { r.Status = pack.Optimal },
			[]string{"wrong status: optimal, but the height is 48 and the bound 36"},
		},
		{
			"unknown", func(p *pack.Problem, r *pack.Result) { r.Status = pack.Unknown },
			[]string{"wrong status: unknown, but there is a packing of height 48"},
		},
		{
			"unknown without a capacity", func(p *pack.Problem, r *pack.Result) { r.Status, p.Capacity = pack.Unknown, nil },
			[]string{"wrong status: unknown, but there is a packing of height 48"},
		},
		{"no status", func(p *pack.Problem, r *pack.Result) { r.Status = 9 }, []string{"wrong status: it is 9"}},
		{
			"bound", func(p *pack.Problem, r *pack.Result) { r.Bound.Bytes++ },
			[]string{"wrong bound: max live in the steps [6, 7) needs 36 bytes, not 37"},
		},
		{
			"bound elsewhere", func(p *pack.Problem, r *pack.Result) { r.Bound.First, r.Bound.End = 7, 8 },
			[]string{"wrong bound: max live in the steps [7, 8) needs 28 bytes, not 36"},
		},
		{"bound nowhere", func(p *pack.Problem, r *pack.Result) { r.Bound.End = 6 }, []string{"wrong bound: its steps [6, 6) are none"}},
		{"bound of no kind", func(p *pack.Problem, r *pack.Result) { r.Bound.Kind = 9 }, []string{"wrong bound: its kind is 9", "wrong bound: invalid in the steps [6, 7) needs 0 bytes, not 36"}},
		{
			"placed", func(p *pack.Problem, r *pack.Result) {
				r.Bound = pack.Bound{Kind: pack.Placed, Bytes: 33, First: 0, End: 8}
			},
			[]string{"wrong bound: fixed offset in the steps [0, 8) needs 32 bytes, not 33"},
		},
		{
			"placed elsewhere", func(p *pack.Problem, r *pack.Result) {
				r.Bound = pack.Bound{Kind: pack.Placed, Bytes: 32, First: 1, End: 8}
			},
			[]string{"wrong bound: fixed offset in the steps [1, 8) needs 0 bytes, not 32"},
		},
		{
			"size elsewhere", func(p *pack.Problem, r *pack.Result) {
				p.Buffers[5].Size, r.Offsets[6], r.Height = 40, 64, 72
				p.Capacity = nil
				r.Bound = pack.Bound{Bytes: 40, First: 5, End: 8}
			},
			[]string{"wrong bound: max live in the steps [5, 8) needs 36 bytes, not 40"},
		},
		{
			"refuted", func(p *pack.Problem, r *pack.Result) {
				r.Bound = pack.Bound{Kind: pack.Refuted, Bytes: 49, First: 0, End: 8}
			},
			[]string{"wrong bound: the packing is 48 bytes high, below the bound 49"},
		},
		{
			"conflict", func(p *pack.Problem, r *pack.Result) { r.Conflict = []int{1} },
			[]string{"wrong conflict: the result is feasible, but has a conflict of 1 buffers"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, r := sound()
			c.spoil(&p, &r)
			var got []string
			for _, f := range faults(t, p, r) {
				got = append(got, f.Error())
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestMalformed(t *testing.T) {
	for _, c := range []struct {
		spoil func(p *pack.Problem)
		want  string
	}{
		{func(p *pack.Problem) { p.Buffers[1].End = 2 }, "buffer 1: the lifetime [2, 2) is empty"},
		{func(p *pack.Problem) { p.Buffers[1].Align = 0 }, "buffer 1: the alignment 0 is not a power of two"},
		{func(p *pack.Problem) { p.Buffers[1].Align = 12 }, "buffer 1: the alignment 12 is not a power of two"},
		{func(p *pack.Problem) { p.Buffers[0].Gaps[0].End = 2 }, "buffer 0: the gap [2, 2) is empty"},
		{func(p *pack.Problem) { p.Buffers[0].First = 3 }, "buffer 0: the gap [2, 4) starts before step 3"},
		{func(p *pack.Problem) { p.Buffers[0].Gaps[1].First = 3 }, "buffer 0: the gap [3, 6) starts before step 4"},
		{func(p *pack.Problem) { p.Buffers[0].End = 5 }, "buffer 0: the gap [4, 6) ends after the lifetime [0, 5)"},
		{func(p *pack.Problem) { p.Buffers[0].Gaps[0].Low = 9 }, "buffer 0: the gap [2, 4) leaves the bytes [9, 8) of 16 in use"},
		{func(p *pack.Problem) { p.Buffers[0].Gaps[0].High = 17 }, "buffer 0: the gap [2, 4) leaves the bytes [4, 17) of 16 in use"},
		{func(p *pack.Problem) { p.InPlace[0][1] = 11 }, "in-place group 0 has the buffer 11 of 11"},
		{func(p *pack.Problem) { p.InPlace[0][0] = -1 }, "in-place group 0 has the buffer -1 of 11"},
		{func(p *pack.Problem) { p.InPlace = append(p.InPlace, []int{4}) }, "buffer 4: it is in in-place group 1 and in another one, or twice in it"},
		{func(p *pack.Problem) { p.Excluded[0][1] = 6 }, "excluded pair 0 is of the buffers 6 and 6 of 11"},
		{func(p *pack.Problem) { p.Excluded[1][0] = 11 }, "excluded pair 1 is of the buffers 11 and 5 of 11"},
		{func(p *pack.Problem) { p.Excluded[1][1] = -1 }, "excluded pair 1 is of the buffers 7 and -1 of 11"},
	} {
		p, r := sound()
		c.spoil(&p)
		require.EqualError(t, audit.Check(p, r), "the packing is wrong: malformed problem: "+c.want)
	}
}

func TestConflict(t *testing.T) {
	limited := pack.Problem{Buffers: []pack.Buffer{
		{First: 0, End: 2, Size: 6, Align: 1}, {First: 1, End: 3, Size: 5, Align: 8}, {First: 2, End: 4, Size: 2, Align: 1},
	}, Capacity: ptr(10)}
	fixed := limited
	fixed.Buffers = append([]pack.Buffer{}, limited.Buffers...)
	fixed.Buffers[0].Offset = ptr(5)
	grouped := limited
	grouped.InPlace = [][]int{{0, 1}}
	torn := grouped
	torn.Excluded = [][2]int{{1, 0}}
	for _, c := range []struct {
		name     string
		p        pack.Problem
		conflict []int
		offsets  []uint64
		want     string
	}{
		{"above the capacity", limited, []int{1, 0}, nil, ""},
		{"fixed", fixed, []int{0}, nil, ""},
		{"one place for what may not share", torn, []int{0, 1}, nil, ""},
		{"none", limited, nil, nil, "wrong conflict: the result is infeasible, but has no conflict"},
		{"no buffer", limited, []int{3}, nil, "wrong conflict: it has the buffer 3 of 3"},
		{"negative", limited, []int{-1}, nil, "wrong conflict: it has the buffer -1 of 3"},
		{"twice", limited, []int{0, 1, 0}, nil, "wrong conflict: it has the buffer 0 twice"},
		{"fits", limited, []int{1, 2}, nil, "wrong conflict: stacked, its buffers are 7 bytes high"},
		{"fits in one place", grouped, []int{0, 1}, nil, "wrong conflict: stacked, its buffers are 6 bytes high"},
		{"no capacity", pack.Problem{Buffers: limited.Buffers}, []int{0, 1}, nil, "wrong conflict: stacked, its buffers are 11 bytes high"},
		{"placed", limited, []int{0, 1}, []uint64{0, 8, 0}, "wrong status: infeasible, but there are offsets"},
	} {
		r := pack.Result{Status: pack.Infeasible, Conflict: c.conflict, Offsets: c.offsets}
		if c.offsets != nil {
			r.Height = 13
		}
		err := audit.Check(c.p, r)
		if c.want == "" {
			require.NoError(t, err, c.name)
			continue
		}
		require.EqualError(t, err, "the packing is wrong: "+c.want, c.name)
	}
}
