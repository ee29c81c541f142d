package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"4/3*p0", []string{"4 / 3 * p0"}},
		{"p0*4/3", nil},
		{"p0*(p1/3)", []string{"p0 * (p1 / 3)"}},
		{"p0/3*p1*p2", []string{"p0 / 3 * p1"}},
		{"1 + min(p0/2*3, p1/2*5)", []string{"p0 / 2 * 3", "p1 / 2 * 5"}},
		{"4/2*p0", nil}, // without remainder
		{"4/0*p0", []string{"4 / 0 * p0"}},
		{"ceil_div(p0, 3)*4", nil},
		{"(p0/3 + 1)*4", nil},
		{"p0%3*4", nil},
	} {
		var got []string
		for _, n := range Warnings(resolved(c.src)) {
			require.Equal(t, Mul, n.Kind)
			got = append(got, Format(n))
		}
		require.Equal(t, c.want, got, c.src)
	}
}

func TestRefs(t *testing.T) {
	n := resolved("p2 + p0 * c1 - min(p2, count_of(b4), p1)")
	require.Equal(t, []int{2, 0, 1}, Refs(n, Param))
	require.Equal(t, []int{1}, Refs(n, Count))
	require.Equal(t, []int{4}, Refs(n, CountOf))
	require.Empty(t, Refs(n, Name))
	require.True(t, Has(n, Min))
	require.False(t, Has(n, Max))
}

func TestEqual(t *testing.T) {
	exprs := []string{
		"1", "2", "p0", "p1", "c0", "count_of(b0)", "1 + 2", "2 + 1", "1 - 2",
		"min(1, 2)", "min(1, 2, 2)", "max(1, 2)", "(p0 + p1) + p2", "p0 + (p1 + p2)",
	}
	for i, x := range exprs {
		for j, y := range exprs {
			require.Equal(t, i == j, Equal(resolved(x), resolved(y)), "%s, %s", x, y)
		}
	}
	require.False(t, Equal(nil, lit(0)))
	a, err := Parse("1 + p0", origin)
	require.NoError(t, err)
	b, err := Parse("1\n+p0", noPos)
	require.NoError(t, err)
	require.True(t, Equal(a, b), "positions do not matter")
}

func TestWalkPrunes(t *testing.T) {
	var seen []string
	Walk(resolved("(p0 + p1) * max(p2, 1)"), func(n *Node) bool {
		seen = append(seen, n.String())
		return n.Kind != Add
	})
	require.Equal(t, []string{"(p0 + p1) * max(p2, 1)", "p0 + p1", "max(p2, 1)", "p2", "1"}, seen)
}

func TestKindNames(t *testing.T) {
	for k := Lit; k <= Members; k++ {
		require.NotEqual(t, "unknown", k.String())
	}
	require.Equal(t, "unknown", (Members + 1).String())
	for _, f := range []string{"min", "max", "ceil_div", "align_up", "count_of", "size_of", "sum_counts", "members"} {
		require.True(t, IsFunction(f), f)
	}
	for _, f := range []string{"", "+", "name", "count", "Min", "literal"} {
		require.False(t, IsFunction(f), f)
	}
}
