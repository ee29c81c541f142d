package expr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/checked"
)

const huge = 1<<64 - 1

// analysed analyses buffers on demand, each once, as a planner does. counts[i]
// is the declared max of a count.
func analysed(box Box, counts []uint64, buffers []*Node, within limits) AnalysisEnv {
	known := map[int]Bounds{}
	var env AnalysisEnv
	env = AnalysisEnv{
		Count: func(ref int) (Bounds, error) {
			if ref >= len(counts) {
				return Bounds{}, ErrUnbounded
			}
			return Bounds{Hi: counts[ref]}, nil
		},
		CountOf: func(ref int) (Bounds, error) {
			b, ok := known[ref]
			if ok {
				return b, nil
			}
			b, err := analyze(buffers[ref], box, env, within)
			if err == nil {
				known[ref] = b
			}
			return b, err
		},
	}
	return env
}

func TestAnalyze(t *testing.T) {
	box := Box{{1, 1000}, {7, 7}, {0, 100}, {1, 1 << 40}}
	for _, c := range []struct {
		src    string
		lo, hi uint64
		proof  Proof
		dir    string
		at     []uint64 // nil if not looked at
	}{
		{"5 * 3", 15, 15, ProofConstant, "const const const const", []uint64{1, 7, 0, 1}},
		{"p1 + 1", 8, 8, ProofConstant, "const const const const", nil},
		{"0 * p0", 0, 0, ProofConstant, "const const const const", nil},
		{"min(p0, 1)", 1, 1, ProofConstant, "const const const const", nil},
		{"p0 * 64 + 1", 65, 64001, ProofMonotone, "inc const const const", []uint64{1000, 7, 0, 1}},
		{"1000 - p0", 0, 999, ProofMonotone, "dec const const const", []uint64{1, 7, 0, 1}},
		{"(2000 - p0) * p2", 0, 199900, ProofMonotone, "dec const inc const", []uint64{1, 7, 100, 1}},
		{"(p2 + 4) / p0", 0, 104, ProofMonotone, "dec const inc const", nil},
		{"ceil_div(p0, 32) + align_up(p0, 32)", 33, 32 + 1024, ProofMonotone, "inc const const const", nil},
		{"align_up(p2, p1)", 0, 105, ProofMonotone, "const const inc const", nil},
		{"p0 * p3", 1, 1000 << 40, ProofMonotone, "inc const const inc", []uint64{1000, 7, 0, 1 << 40}},
		// The argument that can never win has no say.
		{"max(p0 + 100, 100 - p2)", 101, 1100, ProofMonotone, "inc const const const", nil},
		{"min(p0, 2000 - p2)", 1, 1000, ProofMonotone, "inc const const const", nil},
		{"max(p0, 50)", 50, 1000, ProofMonotone, "inc const const const", nil},
		{"p2 % 101", 0, 100, ProofMonotone, "const const inc const", nil},
		{"(p2 + 400) % 250", 0, 249, ProofEnumerated, "const const unknown const", []uint64{1, 7, 99, 1}},
		// Equal terms cancel, whatever the size of the box.
		{"(p3 + 1) - p3", 1, 1, ProofConstant, "const const const const", nil},
		{"2 * p3 - p3", 1, 1 << 40, ProofMonotone, "const const const inc", []uint64{1, 7, 0, 1 << 40}},
		{"p3 * p0 - p3", 0, 999 << 40, ProofMonotone, "inc const const inc", nil},
		{"(p3 + 5000) - (p3 + p0)", 4000, 4999, ProofMonotone, "dec const const const", nil},
		{"align_up(p3, 32) + 1 - align_up(p3, 32)", 1, 1, ProofConstant, "const const const const", nil},
		{"p3 % 32 + p3 - p3 % 32", 1, 1 << 40, ProofMonotone, "const const const inc", nil},
		{"align_up(0 * p0, 32) + p3 - p3", 0, 0, ProofConstant, "const const const const", nil},
		{"align_up(p3, 32) - p3", 0, 31, ProofInterval, "const const const unknown", nil},
		{"p3 % 32", 0, 31, ProofInterval, "const const const unknown", nil},
		// All points.
		{"p0 - p0 / 2", 1, 500, ProofEnumerated, "inc const const const", []uint64{999, 7, 0, 1}},
		{"p0 % 32", 0, 31, ProofEnumerated, "unknown const const const", []uint64{31, 7, 0, 1}},
		{"p2 * p2 + 2500 - 100 * p2", 0, 2500, ProofEnumerated, "const const unknown const", []uint64{1, 7, 0, 1}},
	} {
		n := resolved(c.src)
		b, err := Analyze(n, box, AnalysisEnv{})
		require.NoError(t, err, c.src)
		require.Equal(t, [2]uint64{c.lo, c.hi}, [2]uint64{b.Lo, b.Hi}, c.src)
		require.Equal(t, c.proof.String(), b.Proof.String(), c.src)
		require.Equal(t, "["+c.dir+"]", fmt.Sprint(b.Dir), c.src)
		if c.at != nil {
			require.Equal(t, c.at, b.At, c.src)
		}
		if b.At != nil {
			v, err := Eval(n, values{params: b.At})
			require.NoError(t, err, c.src)
			require.Equal(t, b.Hi, v, c.src)
		}
		require.False(t, b.Dynamic)
	}
}

func TestAnalyzeFaults(t *testing.T) {
	box := Box{{1, 1000}, {7, 7}, {0, 100}, {1, 1 << 40}, {0, huge}}
	for _, c := range []struct {
		src, node string
		failure   Failure
		unproven  bool
		says      string
	}{
		{"p0 - 2", "p0 - 2", FailNegative, false, "p0 = 1"},
		{"1 + (999 - p0) * 2", "999 - p0", FailNegative, false, "p0 = 1000"},
		{"p0 - p2", "p0 - p2", FailNegative, false, "p0 = 1, p2 = 100"},
		{"p0 / p2", "p0 / p2", FailDivZero, false, "p2 = 0"},
		{"p0 % (p1 - 7)", "p0 % (p1 - 7)", FailDivZero, false, "division by zero"},
		{"ceil_div(1, p2) + align_up(1, p2)", "ceil_div(1, p2)", FailDivZero, false, "p2 = 0"},
		{"p4 + 1", "p4 + 1", FailOverflow, false, "p4 = 18446744073709551615"},
		{"p3 * p3", "p3 * p3", FailOverflow, false, "p3 = 1099511627776"},
		{"align_up(p4, 4096)", "align_up(p4, 4096)", FailOverflow, false, "p4 = 18446744073709551615"},
		// Fails otherwise than the intervals suggest.
		{"align_up(18446744073709551615, p0 % 3)", "align_up(18446744073709551615, p0 % 3)", FailOverflow, false, "p0 = 2"},
		// Not monotone: a point inside the box.
		{"1 - p2 % 3", "1 - p2 % 3", FailNegative, false, "p2 = 2"},
		{"p2 / ((p2 + 3) % 64)", "p2 / ((p2 + 3) % 64)", FailDivZero, false, "p2 = 61"},
		{"120 - p3 % 150", "120 - p3 % 150", FailNegative, false, "p3 = "},
		{"p3 * p3 - p3 * p0", "p3 * p3", FailOverflow, false, ""},
		{"align_up(p3, 32) - p3 - 31", "align_up(p3, 32) - p3 - 31", FailNegative, false, "p3 = "},
		// True, but neither the normal form nor the few points show it.
		{"p3 - p3 / 2", "p3 - p3 / 2", FailNegative, true, "cannot prove"},
		{"p0 + p2 - (p0 + p2) / 2", "p0 + p2 - (p0 + p2) / 2", FailNegative, true, "cannot prove"}, // 101000 points
		{"1 / (p3 / p3)", "1 / (p3 / p3)", FailDivZero, true, "cannot prove"},
	} {
		_, err := Analyze(resolved(c.src), box, AnalysisEnv{})
		var fault *Fault
		require.ErrorAs(t, err, &fault, c.src)
		require.Equal(t, c.node, Format(fault.Node), c.src)
		require.Equal(t, c.failure.String(), fault.Failure.String(), c.src)
		require.Equal(t, c.unproven, fault.Unproven, c.src)
		require.ErrorContains(t, err, c.says, c.src)
		require.Equal(t, c.failure, failure(fault.Err), c.src)
		if c.unproven {
			require.Nil(t, fault.At)
			continue
		}
		_, err = Eval(fault.Node, values{params: fault.At})
		require.ErrorIs(t, err, fault.Err, c.src)
	}
}

func TestAnalyzeInvalid(t *testing.T) {
	for _, c := range []struct {
		n   *Node
		box Box
		err error
	}{
		{param(1), Box{{1, 2}}, ErrMalformed},
		{param(-1), Box{{1, 2}}, ErrMalformed},
		{lit(1), Box{{2, 1}}, ErrMalformed},
		{count(0), nil, ErrMalformed},
		{countOf(0), nil, ErrMalformed},
		{op(Add, lit(1), &Node{Kind: Members, Ident: "g"}), nil, ErrUnresolved},
	} {
		_, err := Analyze(c.n, c.box, AnalysisEnv{})
		require.ErrorIs(t, err, c.err, "%v", c.n)
	}
	_, err := Analyze(countOf(0), nil, AnalysisEnv{
		CountOf: func(int) (Bounds, error) { return Bounds{Lo: 2, Hi: 1}, nil },
	})
	require.ErrorIs(t, err, ErrMalformed)
	_, err = Analyze(op(Add, param(0), count(0)), Box{{1, 2}}, AnalysisEnv{
		Count: func(int) (Bounds, error) { return Bounds{}, ErrUnbounded },
	})
	require.Equal(t, ErrUnbounded, err, "passed on as it is")
}

func TestAnalyzeDynamic(t *testing.T) {
	box := Box{{1, 10}, {0, 5}}
	buffers := []*Node{resolved("c0 * 2"), resolved("p0 * 3"), resolved("count_of(b0) + count_of(b1)")}
	env := analysed(box, []uint64{1000, 0}, buffers, defaultLimits)
	for _, c := range []struct {
		src    string
		lo, hi uint64
	}{
		{"c0", 0, 1000},
		{"c0 * p0 + 1", 1, 10001},
		{"c0 - p0", 0, 999},
		{"c0 - c0", 0, 1000},
		{"p0 - c0", 0, 10},
		{"100 / c0", 0, 100},
		{"(c0 + 7) / p1", 1, 1007}, // fails for p1 = 0, when it runs
		{"ceil_div(c0 + 1, c0)", 1, 1001},
		{"p0 % c0", 0, 10},
		{"align_up(p0, c0)", 1, 1009},
		{"max(c0, p0)", 1, 1000},
		{"min(c0, 0)", 0, 0},
		{"count_of(b2)", 3, 2030},
		{"count_of(b2) - count_of(b1)", 0, 2027},
	} {
		b, err := Analyze(resolved(c.src), box, env)
		require.NoError(t, err, c.src)
		require.Equal(t, [2]uint64{c.lo, c.hi}, [2]uint64{b.Lo, b.Hi}, c.src)
		require.True(t, b.Dynamic, c.src)
		require.Equal(t, ProofInterval, b.Proof, c.src)
		require.Nil(t, b.At, c.src)
	}
	for _, c := range []struct {
		src     string
		failure Failure
	}{
		{"c0 * 18446744073709551615", FailOverflow},
		{"c0 + 18446744073709551615", FailOverflow},
		{"align_up(c0, 18446744073709551615) * 2", FailOverflow},
		{"c0 - 1001", FailNegative},     // for no value of the count
		{"c0 / c1", FailDivZero},        // nor here
		{"c0 + (p0 - 2)", FailNegative}, // on parameters only
		{"c0 % (p1 * 1) + 1 / p1", FailDivZero},
	} {
		_, err := Analyze(resolved(c.src), box, env)
		var fault *Fault
		require.ErrorAs(t, err, &fault, c.src)
		require.Equal(t, c.failure, fault.Failure, c.src)
		require.False(t, fault.Unproven)
	}
}

// Analyze looks through count_of where it can, and is sound where it cannot.
func TestAnalyzeCountOf(t *testing.T) {
	box := Box{{1, 1 << 40}, {1, 100}}
	buffers := []*Node{resolved("p0 + 1"), resolved("count_of(b0) * 2"), resolved("p1 % 7")}
	env := analysed(box, nil, buffers, defaultLimits)
	b, err := Analyze(resolved("count_of(b1) - count_of(b0) - 2"), box, env)
	require.NoError(t, err)
	require.Equal(t, [2]uint64{0, 1<<40 - 1}, [2]uint64{b.Lo, b.Hi})
	require.Equal(t, ProofMonotone, b.Proof)
	require.Equal(t, []Dir{Inc, Const}, b.Dir)

	b, err = Analyze(resolved("count_of(b2)"), box, env)
	require.NoError(t, err)
	require.Equal(t, ProofEnumerated, b.Proof)
	require.Equal(t, []uint64{1, 6}, b.At)
	b, err = Analyze(resolved("p1 + 2 - count_of(b2)"), box, env)
	require.NoError(t, err)
	require.Equal(t, [2]uint64{2, 100}, [2]uint64{b.Lo, b.Hi}, "p1 = 97 gives 99 - 6, p1 = 98 gives 100")

	_, err = Analyze(resolved("count_of(b0) - p1 - 1"), box, env)
	var fault *Fault
	require.ErrorAs(t, err, &fault)
	require.Equal(t, []uint64{1, 100}, fault.At)

	opaque := AnalysisEnv{CountOf: func(ref int) (Bounds, error) {
		b, err := env.CountOf(ref)
		b.node = nil
		return b, err
	}}
	_, err = Analyze(resolved("count_of(b1) - count_of(b0)"), box, opaque)
	require.ErrorAs(t, err, &fault)
	require.True(t, fault.Unproven)
	_, err = Analyze(resolved("p1 - count_of(b0)"), box, opaque)
	require.ErrorAs(t, err, &fault)
	require.False(t, fault.Unproven, "the directions point to where it fails")
	require.Equal(t, []uint64{1 << 40, 1}, fault.At)
	b, err = Analyze(resolved("2 * count_of(b0) - count_of(b0)"), box, opaque)
	require.NoError(t, err, "cancels without looking through")
	require.Equal(t, [2]uint64{2, 1<<40 + 1}, [2]uint64{b.Lo, b.Hi})

	// Bounds of another number of parameters are only an interval.
	b, err = Analyze(countOf(0), box, AnalysisEnv{CountOf: func(int) (Bounds, error) { return Bounds{Lo: 3, Hi: 4}, nil }})
	require.NoError(t, err)
	require.Equal(t, ProofInterval, b.Proof)
	require.Equal(t, []Dir{Unknown, Unknown}, b.Dir)
}

// A chain of buffers, each twice in the next, has 2^60 paths.
func TestAnalyzeSharedBuffers(t *testing.T) {
	box := Box{{1, 1000}}
	buffers := []*Node{resolved("p0 % 2 + 1")}
	for i := range 60 {
		twice := fmt.Sprintf("max(count_of(b%d), count_of(b%d) + 1 - 1)", i, i)
		buffers = append(buffers, resolved(twice))
	}
	env := analysed(box, nil, buffers, defaultLimits)
	b, err := Analyze(resolved("count_of(b60) * 2 - count_of(b60) % 3"), box, env)
	require.NoError(t, err)
	require.Equal(t, [2]uint64{1, 2}, [2]uint64{b.Lo, b.Hi})
}

// An expression made to be expensive ends within the limit of work, with an
// answer that says so.
func TestAnalyzeWorkIsBounded(t *testing.T) {
	box := Box{{1, 1 << 16}}
	term := "(p0 % 1000 + p0 - p0 % 999 - p0 / 7 + p0 / 9 - p0 / 11)"
	n := resolved("max(" + strings.Repeat(term+",", 900) + "1)")
	_, err := Analyze(n, box, AnalysisEnv{})
	var fault *Fault
	require.ErrorAs(t, err, &fault)

	n = resolved("p0 - p0 / 2")
	_, err = analyze(n, Box{{1, 1000}}, AnalysisEnv{}, defaultLimits)
	require.NoError(t, err)
	_, err = analyze(n, Box{{1, 1000}}, AnalysisEnv{}, limits{points: 1 << 16, work: 2000})
	require.ErrorAs(t, err, &fault)
	require.True(t, fault.Unproven)

	sum := "(" + strings.Repeat("p0 % 3 + p0 % 5 + ", 20) + "1)"
	n = resolved("(" + sum + "*" + sum + "*" + sum + "-" + sum + ") + p0")
	_, err = analyze(n, box, AnalysisEnv{}, limits{work: 1 << 12})
	require.ErrorAs(t, err, &fault)
	require.True(t, fault.Unproven)
}

// Directions found by trying all points are found along every parameter.
func TestAnalyzeEnumeratedDirections(t *testing.T) {
	box := Box{{1, 5}, {0, 3}, {2, 4}}
	for src, want := range map[string]string{
		"(p0 + p1) - (p0 + p1) / 2":            "[inc inc const]",
		"(p0 + p1 + 9 - p2) - (p0 + p1) / 2":   "[inc inc dec]",
		"(p0 + 9) - (p0 + p1) / 2 - p2 / 2":    "[inc dec dec]",
		"(p0 % 2 + p1 * 9) - p2 * p0 % 2 / p2": "[unknown inc const]",
	} {
		b, err := Analyze(resolved(src), box, AnalysisEnv{})
		require.NoError(t, err, src)
		require.Equal(t, want, fmt.Sprint(b.Dir), src)
		require.Equal(t, ProofEnumerated, b.Proof, src)
	}
}

// Bounds that an env gives out under another id make a buffer part of itself.
func TestAnalyzeCyclicEnv(t *testing.T) {
	env := AnalysisEnv{CountOf: func(int) (Bounds, error) {
		return Bounds{Hi: 9, Dir: []Dir{Unknown}, node: op(Add, countOf(0), lit(1))}, nil
	}}
	_, err := Analyze(resolved("count_of(b0) - p0"), Box{{1, 9}}, env)
	var fault *Fault
	require.ErrorAs(t, err, &fault)
	require.True(t, fault.Unproven)
}

func TestFaultText(t *testing.T) {
	f := &Fault{Node: resolved("p1 - p0 - p1"), Err: checked.ErrNegative, At: []uint64{3, 4}}
	require.EqualError(t, f, "p1 - p0 - p1: result is negative at p1 = 4, p0 = 3")
	require.True(t, errors.Is(f, checked.ErrNegative))
	require.Equal(t, "constant monotone interval enumerated", fmt.Sprint(ProofConstant, ProofMonotone, ProofInterval, ProofEnumerated))
	require.Equal(t, "overflow", FailOverflow.String())
}
