package planner_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/verify"
	"github.com/seqplan/seqplan/sequences"
)

// With the policy stream a stream gets what it has left itself. What other streams do with
// a buffer counts when it is left, and not when it takes bytes over: they are behind the
// step that writes it.
func TestPolicyStreamIsOfWhoTakes(t *testing.T) {
	for _, tc := range []struct {
		name, steps string
		height      sequences.Bytes
	}{
		{"the stream that has left it", `
  - {name: a, writes: {x: {type: u8, count: 1024}}}
  - {name: b, writes: {y: {type: u8, count: 1024}}}
`, 1024},
		{"and another one uses what is written then", `
  - {name: a, writes: {x: {type: u8, count: 1024}}}
  - {name: b, writes: {y: {type: u8, count: 1024}}}
  - {name: c, stream: side, after: b, reads: [y]}
`, 1024},
		{"another stream, along an edge", `
  - {name: a, writes: {x: {type: u8, count: 1024}}}
  - {name: b, stream: side, after: a, writes: {y: {type: u8, count: 1024}}}
`, 2048},
		{"another stream has used it too", `
  - {name: a, writes: {x: {type: u8, count: 1024}}}
  - {name: b, stream: side, after: a, reads: [x]}
  - {name: c, after: b, writes: {y: {type: u8, count: 1024}}}
`, 2048},
		{"behind a host step", `
  - {name: a, writes: {x: {type: u8, count: 1024}}}
  - {name: h, on: host}
  - {name: b, stream: side, writes: {y: {type: u8, count: 1024}}}
`, 1024},
	} {
		t.Run(tc.name, func(t *testing.T) {
			seq := read(t, []byte("seqplan: 1\nname: takes\ndevice: {reuse: stream}\nsteps:"+tc.steps))
			require.Equal(t, tc.height, makePlan(t, seq).Pools[sequences.Device].Height)

			// The verifier lets share what the planner does, and nothing else.
			seq = read(t, []byte("seqplan: 1\nname: takes\ndevice: {reuse: event}\nsteps:"+tc.steps))
			p := makePlan(t, seq)
			require.Equal(t, sequences.Bytes(1024), p.Pools[sequences.Device].Height)
			err := verify.Check(withReuse(seq, sequences.ReuseStream), p.Layout)
			if tc.height == 1024 {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "which nothing puts behind it")
			}
		})
	}
}

// Of many streams with many pairs that are out of order, the whole search for edges costs
// a few searches with little effort.
func TestManyStreamsHaveABudget(t *testing.T) {
	var b strings.Builder
	b.WriteString("seqplan: 1\nname: many\nsteps:\n")
	x := uint64(7)
	for i := range 120 {
		x = x*6364136223846793005 + 1442695040888963407
		fmt.Fprintf(&b, "  - {name: p%d, stream: s%d, writes: {b%d: {type: u8, count: %d}}", i, x>>33%13, i, x>>40%99999+1)
		if i > 0 {
			fmt.Fprintf(&b, ", after: [p%d], reads: [b%d]", x>>20%uint64(i), x>>20%uint64(i))
		}
		b.WriteString("}\n")
	}
	seq := read(t, []byte(b.String()))
	for _, policy := range []sequences.Reuse{sequences.ReuseEvent, sequences.ReuseInternal} {
		c := &counting{}
		_, err := planner.Make(withReuse(seq, policy), planner.Options{Packer: c})
		require.NoError(t, err)
		require.Less(t, c.work, uint64(100_000_000), policy)
	}
}

// counting counts what packings cost as the search for edges does.
type counting struct{ work uint64 }

// Pack implements pack.Packer.
func (c *counting) Pack(ctx context.Context, p pack.Problem) (pack.Result, error) {
	r, err := pack.FirstFit{Order: pack.ByArea}.Pack(ctx, p)
	r.Nodes += 3000 // of a search that ends without a proof
	c.work += (r.Nodes + uint64(len(p.Buffers))) * uint64(len(p.Buffers)+len(p.Excluded))
	return r, err
}
