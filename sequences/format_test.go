package sequences_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"indentation", "a:\n    b:   1\n    c:\n    - d\n    -   e: 2\n        f: 3\n", "a:\n  b: 1\n  c:\n    - d\n    - e: 2\n      f: 3\n"},
		{"comments", "# head\n\n\n\n# second\na: 1     # keeps its distance\n#below\nb:  # of b\n  c: 2\n  # end\n", "# head\n\n# second\na: 1     # keeps its distance\n#below\nb:  # of b\n  c: 2\n# end\n"},
		{"flow", "a: {b: 1,c: [ d,e ] , }\nf: []\ng: {}\n", "a: {b: 1, c: [d, e]}\nf: []\ng: {}\n"},
		{"broken flow", "a: [b, c,\n         d,  # of d\n     e]\nf:\n   {g: 1,\n  h: 2}\ni: {\n j: 1\n }\n", "a: [b, c,\n  d,  # of d\n  e]\nf:\n  {g: 1,\n   h: 2}\ni: {\n  j: 1\n}\n"},
		{"quotes", "a: 'it''s'\nb: \"x\\u0041\"\nc: \"x\n    y\"\n", "a: 'it''s'\nb: \"x\\u0041\"\nc: \"x\n  y\"\n"},
		{"block scalar", "a: |\n      x\n        y\n\n      z\nb: >-\n  q # no comment\n", "a: |\n  x\n    y\n\n  z\nb: >-\n  q # no comment\n"},
		{"anchors", "a:   &x {b: 1}\nc:  *x\nd: &y\n    e: 1\n", "a: &x {b: 1}\nc: *x\nd: &y\n  e: 1\n"},
		{"nothing", "a:\nb: ~\nc: {d, e: }\n", "a:\nb: ~\nc: {d, e}\n"},
		{"lists in lists", "- - a\n  - b\n-\n  c: 1\n", "- - a\n  - b\n- c: 1\n"},
		{"line ends", "\ufeffa: 1\r\n# c\r\nb: [x,\r\n y]", "a: 1\n# c\nb: [x,\n  y]\n"},
		{"hash in a value", "a: x#y\nb: \"# no\" # yes\n", "a: x#y\nb: \"# no\" # yes\n"},
		{"JSON", "{\"a\":[1,{\"b\":\"c\"}],\"d\":18446744073709551615}", "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"c\"\n    }\n  ],\n  \"d\": 18446744073709551615\n}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := sequences.Format([]byte(c.in))
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
			again, err := sequences.Format(got)
			require.NoError(t, err)
			require.Equal(t, c.want, string(again))
		})
	}
}

// The examples are in canonical form.
func TestExamplesAreFormatted(t *testing.T) {
	for name, data := range examples(t) {
		got, err := sequences.Format(data)
		require.NoError(t, err)
		if name != "testdata/valid/same.json" {
			require.Equal(t, string(data), string(got), name)
		}
	}
}

func TestFormatErrors(t *testing.T) {
	_, err := sequences.Format([]byte("a: [1"))
	var diags sequences.Diagnostics
	require.ErrorAs(t, err, &diags)
	for _, text := range []string{"a: !t 1\n", "? [a]\n: b\n", "a: |2\n   x\n"} {
		_, err := sequences.Format([]byte(text))
		require.ErrorContains(t, err, "line 1 cannot be formatted")
	}
}
