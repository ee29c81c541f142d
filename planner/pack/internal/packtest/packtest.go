// Package packtest brings problems into the forms of the engines, for their tests.
package packtest

import (
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/internal/exact"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// Rects makes the plain problem of the buffers that are not empty, and says how
// many bytes a unit of it is.
func Rects(t require.TestingT, p pack.Problem) (*rect.Problem, uint64) {
	var list []rect.Buffer
	for _, b := range p.Buffers {
		if b.Size > 0 {
			list = append(list, rect.Buffer{First: b.First, End: b.End, Size: b.Size, Align: b.Align})
		}
	}
	r, unit, err := rect.Compress(list)
	require.NoError(t, err)
	return r, unit
}

// Tiles makes the tiles of Rects.
func Tiles(t require.TestingT, p pack.Problem) (*exact.Problem, uint64) {
	r, unit := Rects(t, p)
	return exact.FromRect(r), unit
}
