package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/verify"
	"github.com/seqplan/seqplan/sequences"
)

// The reader refuses a buffer that takes over storage whose content is still
// needed, so these sequences are made by hand: b takes over a after it was read.
func TestTakeovers(t *testing.T) {
	for name, change := range map[string]string{
		"a read":               "  - {name: s3, reads: [a]}\n",
		"a count":              "  - {name: s3, writes: {d: {type: u8, count: m}}}\n",
		"a count of a size":    "  - {name: s3, writes: {d: {type: u8, count: count_of(c)}}}\n",
		"a view":               "  - {name: s3, reads: [v]}\n",
		"a barrier":            "  - {name: s3, barrier: g}\n",
		"a barrier in a scope": "  - {name: s3, barrier: g}\nhost: {reuse: off}\n",
	} {
		t.Run(name, func(t *testing.T) {
			seq, diags := sequences.Read("t.yaml", []byte(`
seqplan: 1
name: t
device: {align: 64}
params: {n: {min: 1, max: 9}}
counts: {m: {at: "a[n]", max: "n * 9"}}
steps:
  - name: s0
    writes: {a: {type: u32, count: "n + 1", group: g}, v: {type: ptr, count: 1, views: [a]}}
  - {name: s1, writes: {c: {type: u8, count: m}}}
  - {name: s2, reads: [a], writes: {b: {type: u32, count: "n + 1"}}}
`+change))
			require.NoError(t, diags.Err())
			id := map[string]sequences.BufferID{}
			for i, b := range seq.Buffers {
				id[b.Name] = sequences.BufferID(i)
			}
			seq.Buffers[id["b"]].InPlaceOf = id["a"]
			plan, err := planner.Make(seq, planner.Options{SkipVerify: true})
			require.NoError(t, err)
			err = verify.Check(seq, plan.Layout)
			var faults verify.Faults
			require.ErrorAs(t, err, &faults)
			require.Equal(t, verify.NotInPlace, faults[0].Kind)
			require.Equal(t, 3, faults[0].Step)
			require.Equal(t, "a", faults[0].Other)
		})
	}
}
