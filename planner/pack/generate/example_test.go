package generate_test

import (
	"fmt"

	"github.com/seqplan/seqplan/planner/pack/generate"
)

func ExamplePinwheel() {
	p, err := generate.Pinwheel(5, 16, 64, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("height", p.Height)
	for i, b := range p.Problem.Buffers {
		fmt.Printf("steps [%d, %d) bytes [%d, %d)\n", b.First, b.End, p.Offsets[i], p.Offsets[i]+b.Size)
	}
	// Output:
	// height 64
	// steps [0, 6) bytes [37, 64)
	// steps [0, 3) bytes [0, 37)
	// steps [6, 16) bytes [24, 64)
	// steps [3, 6) bytes [24, 37)
	// steps [3, 16) bytes [0, 24)
}
