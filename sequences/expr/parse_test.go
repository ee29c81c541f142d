package expr

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/internal/diag"
)

var (
	noPos  = diag.Pos{}
	origin = diag.Pos{File: "f.yaml", Line: 3, Col: 10}
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"0", "0"},
		{"18446744073709551615", "18446744073709551615"},
		{"0x1F", "31"},
		{"0XfF", "255"},
		{"64KiB", "65536"},
		{"64 KiB", "65536"},
		{"2\n MiB", "2097152"},
		{"1GiB+1TiB", "1073741824 + 1099511627776"},
		{"0x10KiB", "16384"},
		{"0 TiB", "0"},
		{"15 TiB * 2", "16492674416640 * 2"},
		{" n_events ", "n_events"},
		{"a.b.c", "a.b.c"},
		{"1+2*3", "1 + 2 * 3"},
		{"(1+2)*3", "(1 + 2) * 3"},
		{"((1))*(2*3)", "1 * (2 * 3)"},
		{"1-(2-3)-4", "1 - (2 - 3) - 4"},
		{"(a*b)/c%d", "a * b / c % d"},
		{"a*(b%c)", "a * (b % c)"},
		{"a+(b*c)", "a + b * c"},
		{"min(a,b , c)", "min(a, b, c)"},
		{"max(1,(2))", "max(1, 2)"},
		{"ceil_div(a+1,32)*align_up(b,8)", "ceil_div(a + 1, 32) * align_up(b, 8)"},
		{"count_of(x.y)+size_of( z )", "count_of(x.y) + size_of(z)"},
		{"sum_counts(g)/members(g)", "sum_counts(g) / members(g)"},
		{"KiB * minimum", "KiB * minimum"},
		{"min.x + max_tracks", "min.x + max_tracks"},
	} {
		n, err := Parse(c.src, origin)
		require.NoError(t, err, "%q", c.src)
		require.Equal(t, c.want, Format(n), "%q", c.src)
		again, err := Parse(c.want, origin)
		require.NoError(t, err)
		require.True(t, Equal(n, again), "%q", c.src)
	}
}

// wrong are expressions that are refused: the kind, the byte offset of the
// position, and a word of the message or the hint.
var wrong = []struct {
	src  string
	kind SyntaxKind
	at   int
	says string
}{
	{"", SyntaxEmpty, 0, "empty"},
	{"  ", SyntaxEmpty, 0, "empty"},
	{"90%", SyntaxEnd, 3, "no share of something"},
	{"a % ", SyntaxEnd, 4, "remainder"},
	{"a $ b", SyntaxChar, 2, "'$'"},
	{"a × b", SyntaxChar, 2, "'×'"},
	{"a < b", SyntaxChar, 2, "'<'"},
	{"a \xff", SyntaxChar, 2, "0xFF"},
	{"a.", SyntaxChar, 1, "'.'"},
	{"a + * b", SyntaxToken, 4, "operand"},
	{"a ** b", SyntaxToken, 3, `"*"`},
	{"+a", SyntaxToken, 0, "operand"},
	{"()", SyntaxToken, 1, "operand"},
	{"(a b)", SyntaxToken, 3, "operator"},
	{"min(1,)", SyntaxToken, 6, "operand"},
	{"min + 1", SyntaxToken, 0, "function"},
	{"count_of(1)", SyntaxToken, 9, "name of one buffer"},
	{"count_of(min)", SyntaxToken, 9, "name of one buffer"},
	{"size_of(a+b)", SyntaxToken, 9, "name of one buffer"},
	{"members(a b)", SyntaxToken, 10, "name of one group"},
	{"a +", SyntaxEnd, 3, "missing"},
	{"(a *", SyntaxEnd, 4, "missing"},
	{"min(a,", SyntaxEnd, 6, "missing"},
	{"1 + (a", SyntaxParen, 4, "never closed"},
	{"min(a, b", SyntaxParen, 3, "never closed"},
	{"count_of(", SyntaxParen, 8, "never closed"},
	{"count_of(a", SyntaxParen, 8, "never closed"},
	{"0x", SyntaxNumber, 0, "hexadecimal"},
	{"0xZ", SyntaxNumber, 0, `"0xZ"`},
	{"1.5", SyntaxNumber, 0, "whole"},
	{"2 * 1e5", SyntaxNumber, 4, "1e5"},
	{"1_000", SyntaxNumber, 0, "1_000"},
	{"012", SyntaxNumber, 0, "leading zeros"},
	{"0b11", SyntaxNumber, 0, "0b11"},
	{"a + 18446744073709551616", SyntaxNumberRange, 4, "18446744073709551616"},
	{"16777216 TiB", SyntaxNumberRange, 0, "16777216 TiB is too large"},
	{"0x1FFFFFFFFFFFFFFFF", SyntaxNumberRange, 0, "too large"},
	{"12 KB", SyntaxUnit, 3, "KiB"},
	{"12kb", SyntaxUnit, 2, "KiB"},
	{"3 MB", SyntaxUnit, 2, "MiB"},
	{"3 kib", SyntaxUnit, 2, "KiB"},
	{"12 XB", SyntaxUnit, 3, "KiB"},
	{"1 B", SyntaxUnit, 2, "KiB"},
	{"2n", SyntaxUnit, 1, "write *"},
	{"foo(1)", SyntaxFunction, 0, "foo"},
	{"a + round (1)", SyntaxFunction, 4, "ceil_div"},
	{"min(1)", SyntaxArgs, 0, "two or more"},
	{"max()", SyntaxArgs, 0, "two or more"},
	{"1+ceil_div(1,2,3)", SyntaxArgs, 2, "two arguments"},
	{"align_up(1)", SyntaxArgs, 0, "two arguments"},
	{"count_of()", SyntaxArgs, 0, "one buffer"},
	{"sum_counts(a, b)", SyntaxArgs, 0, "one group"},
	{"a << 2", SyntaxBitOperator, 2, "n * 2"},
	{"a >> 2", SyntaxBitOperator, 2, "n / 2"},
	{"a ^ 2", SyntaxBitOperator, 2, "bind differently"},
	{"a & b", SyntaxBitOperator, 2, "bind differently"},
	{"a | b", SyntaxBitOperator, 2, "bind differently"},
	{"~a", SyntaxBitOperator, 0, "bind differently"},
	{"-1", SyntaxNegative, 0, "sign"},
	{"a * -b", SyntaxNegative, 4, "sign"},
	{"1 2", SyntaxTrailing, 2, `"2"`},
	{"a b", SyntaxTrailing, 2, `"b"`},
	{"2 n", SyntaxTrailing, 2, "operator"},
	{"a)", SyntaxTrailing, 1, "without an opening"},
	{"a, b", SyntaxTrailing, 1, `","`},
	{strings.Repeat("(", 10000) + "1" + strings.Repeat(")", 10000), SyntaxDeep, 200, "200"},
	{strings.Repeat("min(1,", 9000) + "1" + strings.Repeat(")", 9000), SyntaxDeep, 200*6 + 3, "200"},
	{"1" + strings.Repeat("+1", 10000), SyntaxDeep, 399, "200"},
	{strings.Repeat(" ", MaxLength) + "1", SyntaxLong, 0, "65537"},
}

func TestParseErrors(t *testing.T) {
	seen := map[SyntaxKind]bool{}
	for _, c := range wrong {
		label := c.src[:min(40, len(c.src))]
		n, err := Parse(c.src, origin)
		require.Nil(t, n, "%q", label)
		var syntax *SyntaxError
		require.ErrorAs(t, err, &syntax, "%q", label)
		require.Equal(t, c.kind.String(), syntax.Kind.String(), "%q: %v", label, err)
		want := origin
		want.Col += c.at
		require.Equal(t, want, syntax.Pos, "%q: %v", label, err)
		require.Contains(t, syntax.Msg+"; "+syntax.Hint, c.says, "%q", label)
		require.NotEmpty(t, syntax.Error())
		seen[c.kind] = true
	}
	for k := range numSyntaxKinds {
		require.True(t, seen[k], "no test of the kind %q", k)
	}
	require.Equal(t, "unknown", numSyntaxKinds.String())
}

// A tree as high as allowed parses, one level more does not.
func TestParseDepthLimit(t *testing.T) {
	for _, c := range []struct{ head, unit, tail string }{
		{"", "(", ")"},
		{"", "max(0,", ")"},
		{"", "2*(", ")"},
	} {
		nested := func(levels int) string {
			return strings.Repeat(c.unit, levels) + "1" + strings.Repeat(c.tail, levels)
		}
		limit := MaxDepth
		if c.unit != "(" {
			limit-- // the 1 itself is a level of the tree
		}
		n, err := Parse(nested(limit), origin)
		require.NoError(t, err)
		_, err = Parse(Format(n), origin)
		require.NoError(t, err)
		_, err = Parse(nested(limit+1), origin)
		require.ErrorContains(t, err, "deeper")
	}
}

func TestParsePositions(t *testing.T) {
	n, err := Parse("(a +\n  b) * min(c,\n\n d)", origin)
	require.NoError(t, err)
	got := map[string]diag.Pos{}
	Walk(n, func(n *Node) bool {
		got[n.Kind.String()+n.Ident] = n.Pos
		return true
	})
	at := func(line, col int) diag.Pos { return diag.Pos{File: "f.yaml", Line: line, Col: col} }
	require.Equal(t, map[string]diag.Pos{
		"*": at(3, 10), "+": at(3, 11), "namea": at(3, 11), "nameb": at(4, 3),
		"min": at(4, 8), "namec": at(4, 12), "named": at(6, 2),
	}, got)

	_, err = Parse("a +\n %", origin)
	require.EqualError(t, err, "f.yaml:4:2: unexpected \"%\" where an operand is expected")
	_, err = Parse("a + %", diag.Pos{File: "f.yaml"})
	require.EqualError(t, err, "f.yaml: unexpected \"%\" where an operand is expected")
}

// unresolved turns a random expression into one that the parser could make.
func unresolved(n *Node) *Node {
	out := &Node{Kind: n.Kind, Value: n.Value, Ident: n.Ident, Ref: -1}
	switch n.Kind {
	case Param:
		out.Kind = Name
	case Count:
		out.Kind = SizeOf
	}
	for _, arg := range n.Args {
		out.Args = append(out.Args, unresolved(arg))
	}
	return out
}

func TestFormatRoundTrip(t *testing.T) {
	world := randomWorld{params: 3, counts: 1, buffers: 1, large: true}
	rapid.Check(t, func(t *rapid.T) {
		n := unresolved(world.expr(drawn(t), 5))
		text := Format(n)
		again, err := Parse(text, origin)
		require.NoError(t, err, text)
		require.True(t, Equal(n, again), text)
		require.Equal(t, text, Format(again))
	})
}

// Without any one of the parentheses that Format prints around operands, the
// text means something else.
func TestFormatMinimal(t *testing.T) {
	world := randomWorld{params: 3}
	rapid.Check(t, func(t *rapid.T) {
		n := unresolved(world.expr(drawn(t), 4))
		text := Format(n)
		for open := range len(text) {
			if text[open] != '(' || open > 0 && isLetter(text[open-1]) {
				continue // the parenthesis of a call
			}
			shut, depth := open, 0
			for ; ; shut++ {
				depth += strings.Count(text[shut:shut+1], "(") - strings.Count(text[shut:shut+1], ")")
				if depth == 0 {
					break
				}
			}
			less, err := Parse(text[:open]+text[open+1:shut]+text[shut+1:], origin)
			require.NoError(t, err, text)
			require.False(t, Equal(n, less), text)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, c := range wrong {
		if len(c.src) < 100 {
			f.Add(c.src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		n, err := Parse(src, origin)
		if err != nil {
			var syntax *SyntaxError
			if n != nil || !errors.As(err, &syntax) || syntax.Msg == "" || syntax.Kind >= numSyntaxKinds {
				t.Fatalf("%q: %v, %#v", src, n, err)
			}
			if syntax.Pos.Line < origin.Line || syntax.Pos.Line > origin.Line+strings.Count(src, "\n") || syntax.Pos.Col < 1 {
				t.Fatalf("%q: position %v", src, syntax.Pos)
			}
			return
		}
		text := Format(n)
		again, err := Parse(text, origin)
		if len(text) <= MaxLength && (err != nil || !Equal(n, again)) {
			t.Fatalf("%q: %q: %v", src, text, err)
		}
		_, _ = Eval(n, refused{})
		_, _ = Analyze(n, nil, AnalysisEnv{})
		_, _ = PrintC(n, "&e", func(Kind, int, string) string { return "x" })
		_, _ = Compile(n, noLeaves{})
		Warnings(n)
	})
}
