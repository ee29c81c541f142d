package planner_test

import (
	"fmt"
	"log"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

func ExampleMake() {
	seq, diags := sequences.Read("small.yaml", []byte(`
seqplan: 1
name: small
params: {n_events: {min: 1, max: 1000}}
steps:
  - name: decode
    writes: {banks: {type: u32, count: "n_events * 64"}}
  - name: sort
    reads: [banks]
    writes: {sorted: {type: u32, count: "n_events * 64"}}
  - name: fit
    reads: [sorted]
    writes: {fits: {type: f32, count: "n_events * 16"}}
outputs: [fits]
`))
	if err := diags.Err(); err != nil {
		log.Fatal(err)
	}
	plan, err := planner.Make(seq, planner.Options{})
	if err != nil {
		log.Fatal(err)
	}
	pool := plan.Pools[sequences.Device]
	fmt.Println("height", pool.Height, "lower bound", pool.LowerBound, "optimal", pool.Optimal)
	for _, b := range plan.Buffers {
		fmt.Println(b.Name, b.Class, b.Lifetime, b.Max, b.Offset-pool.Reserved)
	}
	// Output:
	// height 512000 lower bound 512000 optimal true
	// banks static {0 2} 256000 256000
	// sorted static {1 3} 256000 0
	// fits static {2 3} 64000 256000
}
