package generate

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/seqplan/seqplan/planner/pack"
)

// What a perfect packing is refused for.
var (
	ErrCount = errors.New("no perfect packing of that many tiles")
	ErrGrid  = errors.New("the grid does not hold the tiles")
)

// CountError is a number of tiles that the cuts cannot make. It wraps ErrCount.
type CountError struct {
	Tiles int
	Want  string // the numbers that are possible
}

func (e *CountError) Error() string { return fmt.Sprintf("%v: %d, not %s", ErrCount, e.Tiles, e.Want) }

// Unwrap returns ErrCount.
func (e *CountError) Unwrap() error { return ErrCount }

// GridError is a grid that is too small for the tiles, or that has a side below
// 1 or 2^63 cells or more. It wraps ErrGrid.
type GridError struct {
	Width, Height int
	Tiles, Made   int // asked for, and cut before no tile could be cut any more
}

func (e *GridError) Error() string {
	return fmt.Sprintf("%v: %d x %d stops at %d of %d tiles", ErrGrid, e.Width, e.Height, e.Made, e.Tiles)
}

// Unwrap returns ErrGrid.
func (e *GridError) Unwrap() error { return ErrGrid }

// Sides of the usual grids: Width in steps, Height in bytes.
const (
	FineWidth  = 1 << 24
	FineHeight = 1 << 30
	CoarseSide = 2048 // both sides
)

// Perfect is a problem with an optimal packing that leaves no byte free.
type Perfect struct {
	Problem pack.Problem
	Height  uint64   // bytes, optimal: at each step in [0, width) exactly so many live
	Offsets []uint64 // of the packing that was cut, by index in Problem.Buffers
}

// tile is the rectangle of the steps [x, x+w) and the bytes [y, y+h).
type tile struct{ x, y, w, h int }

// area fits: that of the whole grid does.
func (t tile) area() uint64 { return uint64(t.w) * uint64(t.h) }

// cut replaces a tile by several. All of them have at least one cell.
type cut func(tile) []tile

// split cuts a grid to exactly n tiles. It always cuts the larger of two random
// tiles: the sizes then spread over some orders of magnitude, without a few
// large tiles that decide everything.
func split(r *rng, n, width, height int, cuttable func(tile) bool, c cut) (Perfect, error) {
	refused := &GridError{Width: width, Height: height, Tiles: n}
	if width < 1 || height < 1 {
		return Perfect{}, refused
	}
	if hi, area := bits.Mul64(uint64(width), uint64(height)); hi != 0 || area > math.MaxInt64 {
		return Perfect{}, refused
	}
	var open, done []tile
	add := func(t tile) {
		if cuttable(t) {
			open = append(open, t)
		} else {
			done = append(done, t)
		}
	}
	add(tile{w: width, h: height})
	for len(open)+len(done) < n {
		if len(open) == 0 {
			refused.Made = len(done)
			return Perfect{}, refused
		}
		last := len(open) - 1
		at, other := r.between(0, last), r.between(0, last)
		if open[other].area() > open[at].area() {
			at = other
		}
		t := open[at]
		open[at] = open[last]
		open = open[:last]
		for _, part := range c(t) {
			add(part)
		}
	}
	tiles := append(done, open...)
	r.shuffle(n, func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
	p := Perfect{Height: uint64(height), Offsets: make([]uint64, n)}
	p.Problem.Buffers = make([]pack.Buffer, n)
	for i, t := range tiles {
		p.Problem.Buffers[i] = pack.Buffer{First: uint64(t.x), End: uint64(t.x + t.w), Size: uint64(t.h), Align: 1}
		p.Offsets[i] = uint64(t.y)
	}
	return p, nil
}
