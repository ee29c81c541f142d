package expr

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
)

func TestPrint(t *testing.T) {
	leaf := func(_ Kind, _ int, ident string) string { return "x_" + ident }
	for _, c := range []struct{ src, goText, cText string }{
		{"7", "uint64(7)", "UINT64_C(7)"},
		{"p0", "x_p0", "x_p0"},
		{"p0 + 1", "c.Add(x_p0, 1)", "seqplan_add(&err, x_p0, UINT64_C(1))"},
		{
			"min(p0, c0, 18446744073709551615) - count_of(b0)",
			"c.Sub(c.Min(c.Min(x_p0, x_c0), 18446744073709551615), x_b0)",
			"seqplan_sub(&err, seqplan_min(&err, seqplan_min(&err, x_p0, x_c0), UINT64_C(18446744073709551615)), x_b0)",
		},
		{
			"ceil_div(p0 % 2, align_up(p0 / 3, 4)) * max(1, 2)",
			"c.Mul(c.CeilDiv(c.Mod(x_p0, 2), c.AlignUp(c.Div(x_p0, 3), 4)), c.Max(1, 2))",
			"seqplan_mul(&err, seqplan_ceil_div(&err, seqplan_mod(&err, x_p0, UINT64_C(2)), seqplan_align_up(&err, seqplan_div(&err, x_p0, UINT64_C(3)), UINT64_C(4))), seqplan_max(&err, UINT64_C(1), UINT64_C(2)))",
		},
	} {
		got, err := PrintGo(resolved(c.src), "c", leaf)
		require.NoError(t, err)
		require.Equal(t, c.goText, got)
		got, err = PrintC(resolved(c.src), "&err", leaf)
		require.NoError(t, err)
		require.Equal(t, c.cText, got)
	}
	for _, print := range []func(*Node, string, LeafName) (string, error){PrintGo, PrintC} {
		_, err := print(op(Add, lit(1), &Node{Kind: Name, Ident: "n"}), "c", leaf)
		require.ErrorIs(t, err, ErrUnresolved)
	}
}

func TestPreludeCode(t *testing.T) {
	code := regexp.MustCompile(`#define SEQPLAN_BAD_ARITHMETIC (\d+)`).FindStringSubmatch(CPrelude())
	require.Equal(t, fmt.Sprint(uint64(abi.BadArithmetic)), code[1])
}
