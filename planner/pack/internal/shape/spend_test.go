package shape_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// stack is pieces that start one after the other and end together.
func stack(n uint64) (pieces []shape.Piece) {
	for i := range n {
		pieces = append(pieces, shape.Piece{First: i, End: 2 * n, Low: 2 * i, High: 2*i + 1})
	}
	return pieces
}

func TestSpend(t *testing.T) {
	a, b := stack(20), stack(20)
	for name, do := range map[string]func(shape.Spend) bool{
		"forbidden": func(spend shape.Spend) bool { _, ok := shape.ForbiddenWithin(spend, a, b); return ok },
		"sections":  func(spend shape.Spend) bool { _, ok := shape.Sections(spend, [][]shape.Piece{a, b}); return ok },
	} {
		t.Run(name, func(t *testing.T) {
			need := 0
			require.True(t, do(func(units int) bool { need += units; return true }))
			require.Equal(t, map[string]int{"forbidden": 40 + 20*20, "sections": 40 + 2*(19*20/2) + 40}[name], need)
			for limit := range need {
				spent := 0
				require.False(t, do(func(units int) bool { spent += units; return spent <= limit }))
				require.LessOrEqual(t, spent, limit+40)
			}
		})
	}
}
