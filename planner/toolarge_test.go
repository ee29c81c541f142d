package planner_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// What makes a pool too large has a line, whatever it is, by every policy.
func TestTooLargePoolHasAPlace(t *testing.T) {
	for _, tc := range []struct {
		name, steps string
		line        int
		word        string
	}{
		{"an offset", `
  - {name: a, writes: {x: {type: u8, count: 1}}}
  - name: b
    writes:
      y: {type: u8, count: 1, offset: 9223372036854775808}
`, 9, "9223372036854775808"},
		{"a size that rounds up to more than there is", `
  - {name: a, writes: {x: {type: u8, count: 18446744073709551615}}}
  - {name: b, writes: {y: {type: u8, count: 18446744073709551615}}}
`, 6, `"x"`},
		{"the sum at one step", `
  - {name: a, writes: {x: {type: u8, count: 18446744073709551360}}}
  - {name: b, reads: [x], writes: {y: {type: u8, count: 18446744073709551360}}}
`, 6, `"x"`},
		{"the sum of all", `
  - {name: a, writes: {x: {type: u8, count: 1000000000000000000}}}
  - {name: b, stream: side, after: a, writes: {y: {type: u8, count: 1000000000000000000, gaps: [{after: b, before: c}]}}}
  - {name: c, stream: side, reads: [y], writes: {z: {type: u8, count: 5, in_place_of: y}}}
`, 7, `"y"`},
	} {
		for _, policy := range policies {
			t.Run(tc.name+", "+policy.String(), func(t *testing.T) {
				seq := withReuse(read(t, []byte("\nseqplan: 1\nname: large\ndevice: {align: 256}\nsteps:"+tc.steps)), policy)
				_, err := planner.Make(seq, planner.Options{})
				var diags sequences.Diagnostics
				require.True(t, errors.As(err, &diags), "%v", err)
				require.Len(t, diags, 1)
				require.Equal(t, planner.CodePoolSize, diags[0].Code)
				require.Equal(t, tc.line, diags[0].Pos.Line)
				require.Contains(t, diags[0].Message, tc.word)
			})
		}
	}
}
