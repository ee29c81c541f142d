package expr

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/kernels/checked"
)

var errRefused = errors.New("no such leaf")

// refused is an Env without leaves, and noLeaves the same of Leaves.
type refused struct{}

func (refused) Count(int) (uint64, error) { return 0, errRefused }
func (refused) Param(int) (uint64, error) { return 0, errRefused }

func (refused) CountOf(int) (uint64, error) { return 0, errRefused }

type noLeaves struct{}

func (noLeaves) Count(int) (Code, error)    { return Code{}, errRefused }
func (noLeaves) Param(int) (Code, error)    { return Code{}, errRefused }
func (noLeaves) CountOf(int) (*Node, error) { return nil, errRefused }

func TestEval(t *testing.T) {
	env := values{params: []uint64{10, 3}, counts: []uint64{7}, buffers: []uint64{1 << 40}}
	for _, c := range []struct {
		src  string
		want uint64
	}{
		{"p0 + p1 * c0", 31},
		{"p0 - p1 - c0", 0},
		{"p0 / p1", 3},
		{"p0 % p1", 1},
		{"ceil_div(p0, p1)", 4},
		{"ceil_div(18446744073709551615, 2)", 1 << 63},
		{"align_up(p0, p1)", 12},
		{"align_up(0, 7)", 0},
		{"align_up(18446744073709551615, 5)", 1<<64 - 1},
		{"min(p0, p1, c0)", 3},
		{"max(p1, c0, p0)", 10},
		{"count_of(b0) * 16777215", 1<<64 - 1<<40},
		{"4/3*p0", 10},
		{"p0*4/3", 13},
	} {
		v, err := Eval(resolved(c.src), env)
		require.NoError(t, err, c.src)
		require.Equal(t, c.want, v, c.src)
	}
}

func TestEvalErrors(t *testing.T) {
	env := values{params: []uint64{10, 3}, counts: []uint64{7}}
	for _, c := range []struct {
		src, node string
		err       error
	}{
		{"1 + p1 - p0", "1 + p1 - p0", checked.ErrNegative},
		{"2 * (18446744073709551615 + p0)", "18446744073709551615 + p0", checked.ErrOverflow},
		{"p0 / (p1 - 3)", "p0 / (p1 - 3)", checked.ErrDivZero},
		// No short cut, and the first failure from the left.
		{"0 * (p0 / 0)", "p0 / 0", checked.ErrDivZero},
		{"min(0, p1 - p0)", "p1 - p0", checked.ErrNegative},
		{"(1 - p0) + 1 / 0", "1 - p0", checked.ErrNegative},
	} {
		_, err := Eval(resolved(c.src), env)
		var failed *EvalError
		require.ErrorAs(t, err, &failed, c.src)
		require.ErrorIs(t, err, c.err, c.src)
		require.Equal(t, c.node, Format(failed.Node), c.src)
		require.Equal(t, c.node+": "+c.err.Error(), err.Error())
	}
	_, err := Eval(resolved("1 + p0"), refused{})
	require.ErrorIs(t, err, errRefused)
	_, err = Eval(op(Add, lit(1), &Node{Kind: SizeOf, Ident: "b"}), env)
	require.ErrorIs(t, err, ErrUnresolved)
	require.ErrorContains(t, err, "size_of(b)")

	long := resolved("0 - (" + strings.Repeat("1 + ", 100) + "1)")
	_, err = Eval(long, env)
	require.Less(t, len(err.Error()), 100, "the text of the expression is cut")
}

// malformed are trees that no parser makes. None may end in a panic.
var malformed = []*Node{
	nil,
	{Kind: Add},
	{Kind: Sub, Args: []*Node{lit(1)}},
	{Kind: Div, Args: []*Node{lit(1), nil}},
	{Kind: Min, Args: []*Node{lit(1)}},
	{Kind: Max},
	{Kind: Lit, Args: []*Node{lit(1)}},
	{Kind: Kind(200)},
	{Kind: Mul, Args: []*Node{lit(1), lit(2), lit(3)}},
}

func TestMalformed(t *testing.T) {
	leaf := func(Kind, int, string) string { return "x" }
	for _, bad := range malformed {
		for _, n := range []*Node{bad, {Kind: Add, Args: []*Node{lit(1), bad}}} {
			_, err := Eval(n, refused{})
			require.ErrorIs(t, err, ErrMalformed)
			_, err = Analyze(n, nil, AnalysisEnv{})
			require.ErrorIs(t, err, ErrMalformed)
			_, err = PrintGo(n, "c", leaf)
			require.ErrorIs(t, err, ErrMalformed)
			_, err = PrintC(n, "e", leaf)
			require.ErrorIs(t, err, ErrMalformed)
			_, err = Compile(n, noLeaves{})
			require.ErrorIs(t, err, ErrMalformed)
			require.NotEmpty(t, Format(n))
			require.NotEmpty(t, err.Error())
			require.True(t, Equal(n, n))
			Warnings(n)
			Refs(n, Param)
		}
	}
}

func TestEvalAgainstReference(t *testing.T) {
	world := randomWorld{params: 3, counts: 2, buffers: 2, large: true}
	rapid.Check(t, func(t *rapid.T) {
		choose := drawn(t)
		n := world.expr(choose, 5)
		env := randomValues(choose)
		want, wantErr := refEval(n, env)
		got, err := Eval(n, env)
		if wantErr != nil {
			require.ErrorIs(t, err, wantErr, Format(n))
			return
		}
		require.NoError(t, err, Format(n))
		require.Equal(t, want.Uint64(), got, Format(n))
	})
}

// randomValues makes the values of three parameters, two counts and two buffers.
func randomValues(choose chooser) values {
	some := func(n int) []uint64 {
		v := make([]uint64, n)
		for i := range v {
			if v[i] = uint64(choose(64)); choose(4) == 0 {
				v[i] = someLiterals[choose(len(someLiterals))]
			}
		}
		return v
	}
	return values{params: some(3), counts: some(2), buffers: some(2)}
}
