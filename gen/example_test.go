package gen_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Generate a header from a sequence file in memory and find a constant in it.
func ExampleC() {
	seq, diags := sequences.Read("velo.yaml", []byte(`
seqplan: 1
name: velo
params: {n_events: {min: 1, max: 1000}}
steps:
  - name: decode
    writes: {cluster_offsets: {type: u32, count: n_events + 1}}
`))
	if seq == nil {
		fmt.Println(diags)
		return
	}
	plan, err := planner.Make(seq, planner.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var header bytes.Buffer
	if err := gen.C(&header, seq, plan, gen.COptions{}); err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(header.String()) {
		if strings.HasPrefix(line, "#define VELO_CLUSTER_OFFSETS_SIZE") {
			fmt.Print(line)
		}
	}
	// Output: #define VELO_CLUSTER_OFFSETS_SIZE UINT64_C(4004)
}
