package expr

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// noTrying are limits under which nothing is proved point by point.
var noTrying = limits{work: defaultLimits.work}

// randomBox makes ranges of a few values, some of them large.
func randomBox(choose chooser, params int) Box {
	box := make(Box, params)
	for i := range box {
		start := uint64(choose(12))
		if choose(6) == 0 {
			start = someLiterals[choose(len(someLiterals))]
		}
		width := uint64(choose(7))
		if start+width < start {
			start -= width
		}
		box[i] = Range{start, start + width}
	}
	return box
}

// forEachPoint visits all points of a box.
func forEachPoint(box Box, visit func(point []uint64)) {
	point := make([]uint64, len(box))
	var next func(i int)
	next = func(i int) {
		if i == len(box) {
			visit(point)
			return
		}
		for v := box[i].Min; ; v++ {
			point[i] = v
			next(i + 1)
			if v == box[i].Max {
				return
			}
		}
	}
	next(0)
}

// The claims of Analyze about a static expression against the evaluation at
// every point, with and without enumeration, and through buffers.
func TestAnalyzeStaticAgainstAllPoints(t *testing.T) {
	inner := randomWorld{params: 3, large: true}
	outer := randomWorld{params: 3, buffers: 2, large: true}
	proofs := map[string]int{}
	check := func(t require.TestingT, choose chooser, within limits) {
		box := randomBox(choose, 3)
		buffers := []*Node{inner.expr(choose, 2), inner.expr(choose, 2)}
		n := outer.expr(choose, 4)
		b, err := analyze(n, box, analysed(box, nil, buffers, within), within)
		label := fmt.Sprintf("%v, box %v, buffers %v: %+v, %v", n, box, buffers, b, err)
		all := evaluateAll(n, box, buffers)
		if err != nil {
			proofs[checkFault(t, err, all, within, label)]++
			return
		}
		require.Zero(t, all.failed, label)
		checkBounds(t, b, all, label)
		proofs[b.Proof.String()]++
	}
	t.Run("default", rapid.MakeCheck(func(t *rapid.T) { check(t, drawn(t), defaultLimits) }))
	t.Run("without trying", rapid.MakeCheck(func(t *rapid.T) { check(t, drawn(t), noTrying) }))
	rng := rand.New(rand.NewPCG(3, 4))
	for range 4000 { // more than rapid does without a flag
		check(t, rng.IntN, defaultLimits)
		check(t, rng.IntN, noTrying)
	}
	for _, outcome := range []string{"constant", "monotone", "interval", "enumerated", "fault", "unproven"} {
		require.Greater(t, proofs[outcome], 20, "too few of %s: %v", outcome, proofs)
	}
}

// evaluation is what an expression is at every point of a box.
type evaluation struct {
	box    Box
	env    func(point []uint64) Env
	value  map[string]uint64 // by fmt.Sprint of the point
	failed int
}

// pointEnv evaluates buffers at one point.
type pointEnv struct {
	point   []uint64
	buffers []*Node
}

func (e pointEnv) Param(ref int) (uint64, error)   { return e.point[ref], nil }
func (e pointEnv) Count(int) (uint64, error)       { return 0, errRefused }
func (e pointEnv) CountOf(ref int) (uint64, error) { return Eval(e.buffers[ref], e) }

func evaluateAll(n *Node, box Box, buffers []*Node) evaluation {
	all := evaluation{box: box, value: map[string]uint64{}}
	all.env = func(point []uint64) Env { return pointEnv{point, buffers} }
	forEachPoint(box, func(point []uint64) {
		v, err := Eval(n, all.env(point))
		if err != nil {
			all.failed++
			return
		}
		all.value[fmt.Sprint(point)] = v
	})
	return all
}

// checkFault requires that a fault is true and returns its kind.
func checkFault(t require.TestingT, err error, all evaluation, within limits, label string) string {
	var fault *Fault
	require.ErrorAs(t, err, &fault, label)
	if fault.Unproven {
		require.Zero(t, within.points, "small boxes are tried: "+label)
		return "unproven"
	}
	require.NotNil(t, fault.At, label)
	for i, v := range fault.At {
		require.True(t, all.box[i].Min <= v && v <= all.box[i].Max, label)
	}
	_, err = Eval(fault.Node, all.env(fault.At))
	require.ErrorIs(t, err, fault.Err, label)
	return "fault"
}

func checkBounds(t require.TestingT, b Bounds, all evaluation, label string) {
	lo, hi := uint64(huge), uint64(0)
	forEachPoint(all.box, func(point []uint64) {
		v := all.value[fmt.Sprint(point)]
		lo, hi = min(lo, v), max(hi, v)
		for i, d := range b.Dir {
			if point[i] == all.box[i].Max {
				continue
			}
			point[i]++
			next := all.value[fmt.Sprint(point)]
			point[i]--
			fits := d == Unknown || d == Const && next == v || d == Inc && next >= v || d == Dec && next <= v
			require.True(t, fits, "not %v in parameter %d at %v: %s", d, i, point, label)
		}
	})
	require.False(t, b.Dynamic, label)
	require.True(t, b.Lo <= lo && hi <= b.Hi, "[%d, %d]: %s", lo, hi, label)
	if b.Proof != ProofInterval {
		require.Equal(t, [2]uint64{lo, hi}, [2]uint64{b.Lo, b.Hi}, label)
		require.NotNil(t, b.At, label)
	}
	if b.Proof == ProofConstant {
		require.Equal(t, lo, hi, label)
	}
	if b.At != nil {
		require.Equal(t, hi, all.value[fmt.Sprint(b.At)], label)
	}
}

// Where the evaluation of a dynamic expression succeeds, its value is within the
// bounds; where Analyze says that it never can, it never does.
func TestAnalyzeDynamicAgainstValues(t *testing.T) {
	world := randomWorld{params: 2, counts: 2, large: true}
	check := func(t require.TestingT, choose chooser) {
		box := randomBox(choose, 2)
		most := []uint64{uint64(choose(7)), uint64(choose(7))}
		n := world.expr(choose, 4)
		b, err := Analyze(n, box, analysed(box, most, nil, defaultLimits))
		label := fmt.Sprintf("%v, box %v, counts %v: %+v, %v", n, box, most, b, err)
		var fault *Fault
		if err != nil {
			require.ErrorAs(t, err, &fault, label)
			n = fault.Node
			if fault.Failure == FailOverflow && Has(n, Count) {
				return // of the bound only
			}
		}
		if err == nil && b.Dynamic {
			require.NotContains(t, b.Dir, Inc, label)
			require.NotContains(t, b.Dir, Dec, label)
		}
		succeeded := false
		forEachPoint(append(Box{{0, most[0]}, {0, most[1]}}, box...), func(point []uint64) {
			v, err := Eval(n, values{counts: point[:2], params: point[2:]})
			if err != nil {
				return
			}
			succeeded = true
			if fault == nil {
				require.True(t, b.Lo <= v && v <= b.Hi, "%d: %s", v, label)
			}
		})
		if fault != nil && Has(n, Count) {
			require.False(t, succeeded, label)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, drawn(t)) })
	rng := rand.New(rand.NewPCG(5, 6))
	for range 4000 {
		check(t, rng.IntN)
	}
}
