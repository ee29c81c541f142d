package audit_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
)

// faults returns what Check says, in its type.
func faults(t require.TestingT, p pack.Problem, r pack.Result) audit.Faults {
	err := audit.Check(p, r)
	if err == nil {
		return nil
	}
	var found audit.Faults
	require.ErrorAs(t, err, &found)
	require.NotEmpty(t, found)
	return found
}

// TestAgainstNaive compares with a check that looks at every byte at every step.
func TestAgainstNaive(t *testing.T) {
	valid, overlapping := 0, 0
	check := func(t *rapid.T) {
		p := problems(8).Draw(t, "problem")
		r := pack.Result{Offsets: make([]uint64, len(p.Buffers))}
		low := rapid.Bool().Draw(t, "free")
		for i, b := range p.Buffers {
			r.Offsets[i] = rapid.Uint64Range(0, 20).Draw(t, "offset")
			if low {
				r.Offsets[i] = lowest(&p, r.Offsets, i)
			}
			r.Height = max(r.Height, r.Offsets[i]+b.Size)
		}
		if rapid.IntRange(0, 7).Draw(t, "spoiled") == 0 {
			r.Height++
		}
		got := map[audit.Kind]bool{}
		all := collisions(&p, r.Offsets)
		met := map[int]bool{}
		for _, f := range faults(t, p, r) {
			got[f.Kind] = true
			if f.Kind != audit.Overlap {
				continue
			}
			low, high := shared(&p, r.Offsets, f.Buffer, f.Other, f.Step)
			require.Contains(t, all[couple{f.Buffer, f.Other}], f.Step)
			require.Contains(t, f.Detail, bytesText(low, high))
			met[f.Buffer], met[f.Other] = true, true
		}
		require.Equal(t, kinds(&p, &r), got)
		for pair := range all {
			require.True(t, met[pair.i] || met[pair.j])
		}
		if len(got) == 0 {
			valid++
		}
		if got[audit.Overlap] {
			overlapping++
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			check(t)
		}
	})
	require.Greater(t, valid, 10)
	require.Greater(t, overlapping, 10)
}

// TestGroups has large in-place groups in several layers, so that the highest block
// below another one is often of the same group.
func TestGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := pack.Problem{InPlace: make([][]int, 3)}
		var r pack.Result
		places := rapid.SliceOfN(rapid.Uint64Range(0, 8), 3, 3).Draw(t, "places")
		for i := range rapid.IntRange(2, 24).Draw(t, "buffers") {
			b := buffer(t)
			b.Align, b.Offset = 1, nil
			at := rapid.Uint64Range(0, 30).Draw(t, "offset")
			if g := rapid.IntRange(0, 5).Draw(t, "group"); g < 3 {
				p.InPlace[g] = append(p.InPlace[g], i)
				at = places[g]
			}
			p.Buffers, r.Offsets, r.Height = append(p.Buffers, b), append(r.Offsets, at), max(r.Height, at+b.Size)
		}
		all := collisions(&p, r.Offsets)
		met := map[int]bool{}
		for _, f := range faults(t, p, r) {
			require.Contains(t, all[couple{f.Buffer, f.Other}], f.Step)
			met[f.Buffer], met[f.Other] = true, true
		}
		for pair := range all {
			upper := pair.j
			if r.Offsets[pair.i] > r.Offsets[pair.j] {
				upper = pair.i
			}
			// Of gaps and windows the upper one may be the one whose bytes start lower.
			require.True(t, met[upper] || met[pair.i+pair.j-upper] && len(p.Buffers[pair.i].Gaps)+len(p.Buffers[pair.j].Gaps) > 0)
		}
	})
}

// TestStrayMember: a member that is not where its group is collides with the second
// highest of the others.
func TestStrayMember(t *testing.T) {
	p := pack.Problem{InPlace: [][]int{{0, 3}}}
	for _, size := range []uint64{20, 2, 7, 1} {
		p.Buffers = append(p.Buffers, pack.Buffer{First: 0, End: 1, Size: size, Align: 1})
	}
	found := faults(t, p, pack.Result{Offsets: []uint64{0, 1, 2, 5}, Height: 20})
	require.Contains(t, found, audit.Fault{Kind: audit.Overlap, Buffer: 2, Other: 3, Detail: "both use the bytes [5, 6)"})
}

// lowest returns an offset for buffer i that collides with none before it.
func lowest(p *pack.Problem, offsets []uint64, i int) uint64 {
	b := &p.Buffers[i]
	if b.Offset != nil {
		return *b.Offset
	}
	for j := range i {
		if together(p, i, j) {
			return offsets[j]
		}
	}
next:
	for at := uint64(0); ; at += b.Align {
		offsets[i] = at
		for j := range i {
			if !apart(p, offsets, j, i) {
				continue next
			}
		}
		return at
	}
}

// TestBounds: a bound that passes is none that a packing is below, and the bytes in
// use at a step are a bound that passes.
func TestBounds(t *testing.T) {
	tight := 0
	check := func(t *rapid.T) {
		p := problems(4).Draw(t, "problem")
		p.Capacity = nil
		best := optimum(&p, 24)
		for _, kind := range []pack.BoundKind{pack.MaxLive, pack.Alignment, pack.Placed} {
			first := rapid.Uint64Range(0, steps-1).Draw(t, "first")
			r := pack.Result{Status: pack.Unknown, Bound: pack.Bound{
				Kind: kind, Bytes: best, First: first, End: rapid.Uint64Range(first+1, steps).Draw(t, "end"),
			}}
			if best > 0 && audit.Check(p, r) == nil {
				tight++
			}
			r.Bound.Bytes++
			if best < 24 {
				require.Error(t, audit.Check(p, r))
			}
			if kind == pack.Placed {
				continue
			}
			r.Bound.Bytes = 0
			for s := r.Bound.First; s < r.Bound.End; s++ {
				r.Bound.Bytes = max(r.Bound.Bytes, bytesInUse(&p, s))
				for _, u := range audit.InUse(p, s) {
					if kind == pack.Alignment {
						r.Bound.Bytes = max(r.Bound.Bytes, audit.Need(audit.InUse(p, s), u.Align))
					}
				}
			}
			require.NoError(t, audit.Check(p, r))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			check(t)
		}
	})
	require.Greater(t, tight, 10)
}

// bytesInUse counts the bytes in use at a step, those of an in-place group once.
func bytesInUse(p *pack.Problem, step uint64) (sum uint64) {
	for x := uint64(0); x < maxSize; x++ {
		for i := range p.Buffers {
			counts := uses(&p.Buffers[i], 0, step, x)
			for j := range i {
				counts = counts && !(together(p, i, j) && uses(&p.Buffers[j], 0, step, x))
			}
			if counts {
				sum++
			}
		}
	}
	return sum
}

func TestFaults(t *testing.T) {
	found := faults(t, pack.Problem{Buffers: []pack.Buffer{{First: 0, End: 2, Size: 4, Align: 4}, {First: 1, End: 2, Size: 8, Align: 1}}},
		pack.Result{Offsets: []uint64{2, 4}, Height: 99})
	require.EqualError(t, found, "the packing is wrong: misaligned: buffer 0: the offset 2 is not a multiple of the alignment 4 (and 2 more)")
	require.Equal(t, audit.Fault{Kind: audit.Overlap, Buffer: 0, Other: 1, Step: 1, Detail: "both use the bytes [4, 6)"}, found[1])
	require.EqualError(t, found[1], "overlap: buffers 0 and 1 at step 1: both use the bytes [4, 6)")
	require.EqualError(t, found[2], "wrong height: buffer 1: the height is 99, the largest end of a buffer 12")
	var one audit.Fault
	require.True(t, errors.As(found, &one))
	require.Equal(t, found[0], one)
	require.Equal(t, "unknown", audit.Kind(99).String())
	require.EqualError(t, audit.Faults{}, "no faults")
}

// TestExtremes: numbers at the end of uint64 are numbers like others.
func TestExtremes(t *testing.T) {
	const top = math.MaxUint64
	p := pack.Problem{Buffers: []pack.Buffer{
		{First: 0, End: top, Size: top, Align: 1},
		{First: top - 1, End: top, Size: 1, Align: 1 << 63},
	}}
	require.EqualError(t, faults(t, p, pack.Result{Offsets: []uint64{1, 1 << 63}, Height: 1<<63 + 1}),
		"the packing is wrong: out of range: buffer 0: offset 1 and size 18446744073709551615 together leave uint64")
	require.EqualError(t, faults(t, p, pack.Result{Offsets: []uint64{0, 1 << 63}, Height: top}),
		"the packing is wrong: overlap: buffers 0 and 1 at step 18446744073709551614: both use the bytes [9223372036854775808, 9223372036854775809)")
	p.Buffers[0].Size = 1 << 63
	r := pack.Result{Offsets: []uint64{0, 1 << 63}, Height: 1<<63 + 1, Status: pack.Optimal, Bound: pack.Bound{Bytes: 1<<63 + 1, First: top - 1, End: top}}
	require.NoError(t, audit.Check(p, r))
	p.Buffers[1].Size = top
	r = pack.Result{Status: pack.Unknown, Bound: pack.Bound{Bytes: top, First: 0, End: top, Kind: pack.Alignment}}
	require.NoError(t, audit.Check(p, r))
}

func TestInUse(t *testing.T) {
	p, _ := sound()
	p.Buffers[4].Size = 12
	require.Equal(t, []audit.Use{
		{Buffers: []int{0}, Align: 4, Low: 4, High: 8}, {Buffers: []int{1}, Align: 8, Low: 0, High: 8}, {Buffers: []int{3, 4}, Align: 8, Low: 0, High: 12},
	}, audit.InUse(p, 3))
	p.Buffers[4].Size = 6
	require.Equal(t, audit.Use{Buffers: []int{3, 4}, Align: 8, Low: 0, High: 8}, audit.InUse(p, 3)[2])
	p.Buffers[3].Gaps = []pack.Gap{{First: 3, End: 4, Low: 6, High: 8}}
	require.Equal(t, audit.Use{Buffers: []int{3, 4}, Align: 8, Low: 0, High: 8}, audit.InUse(p, 3)[2])
	p.Buffers[3].Gaps[0].Low = 7
	require.Equal(t, []audit.Use{
		{Buffers: []int{3}, Align: 8, Low: 7, High: 8}, {Buffers: []int{4}, Align: 8, Low: 0, High: 6},
	}, audit.InUse(p, 3)[2:])
	require.Empty(t, audit.InUse(p, 8))
}

func TestNeed(t *testing.T) {
	uses := []audit.Use{{Align: 4, Low: 0, High: 5}, {Align: 8, Low: 0, High: 9}, {Align: 8, Low: 4, High: 8}, {Align: 2, Low: 0, High: 3}}
	for align, want := range map[uint64]uint64{1: 21, 2: 23, 4: 21, 8: 9, 16: 0} {
		require.Equal(t, want, audit.Need(uses, align), align)
	}
	// Both fit into four bytes: the window of the first lies behind the second.
	uses = []audit.Use{{Align: 4, Low: 2, High: 4}, {Align: 4, Low: 0, High: 2}}
	require.EqualValues(t, 2, audit.Need(uses, 4))
	require.EqualValues(t, uint64(math.MaxUint64), audit.Need([]audit.Use{{Align: 4, High: math.MaxUint64}}, 4))
}

// TestWholeBuffer: the height holds all bytes of a buffer, whatever is in use.
func TestWholeBuffer(t *testing.T) {
	p := pack.Problem{Buffers: []pack.Buffer{{First: 0, End: 2, Size: 8, Align: 1, Gaps: []pack.Gap{{First: 0, End: 2, Low: 2, High: 3}}}}}
	r := pack.Result{Status: pack.Optimal, Offsets: []uint64{0}, Height: 8, Bound: pack.Bound{Bytes: 8, First: 1, End: 2}}
	require.NoError(t, audit.Check(p, r))
}

// TestFixedOutOfRange: a fixed buffer that leaves uint64 is above every height.
func TestFixedOutOfRange(t *testing.T) {
	p := pack.Problem{Buffers: []pack.Buffer{{First: 0, End: 2, Size: 8, Align: 1, Offset: ptr(math.MaxUint64 - 1)}}}
	r := pack.Result{Status: pack.Infeasible, Conflict: []int{0}, Bound: pack.Bound{Kind: pack.Placed, Bytes: math.MaxUint64 - 1, First: 1, End: 2}}
	require.NoError(t, audit.Check(p, r))
}

// TestGroupAlignment: a member gives its alignment to the others of its group, at
// steps too at which it is not alive.
func TestGroupAlignment(t *testing.T) {
	p := pack.Problem{Buffers: []pack.Buffer{
		{First: 0, End: 1, Size: 1, Align: 4}, {First: 1, End: 2, Size: 5, Align: 1}, {First: 1, End: 2, Size: 3, Align: 8},
	}, InPlace: [][]int{{0, 1}}}
	r := pack.Result{
		Status: pack.Optimal, Offsets: []uint64{4, 4, 0}, Height: 9,
		Bound: pack.Bound{Kind: pack.Alignment, Bytes: 9, First: 1, End: 2},
	}
	require.NoError(t, audit.Check(p, r))
}
