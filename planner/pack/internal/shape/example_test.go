package shape_test

import (
	"fmt"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

func Example() {
	// 8 bytes, of which only the last 2 stay in use in the steps 2 and 3.
	a := shape.Pieces(8, 0, 6, []shape.Piece{{First: 2, End: 4, Low: 6, High: 8}})
	b := shape.Pieces[shape.Piece](4, 2, 4, nil)
	fmt.Println(a)
	fmt.Println(shape.Forbidden(a, b))
	// Output:
	// [{0 2 0 8} {2 4 6 8} {4 6 0 8}]
	// [{2 8}]
}
