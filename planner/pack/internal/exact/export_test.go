package exact

import (
	"context"
	"math"
	"slices"
)

// State is what a search has to restore when it goes back.
type State struct {
	Placed, Rests      []bool
	Low, Rest, Floor   []uint64
	Open, Left, Lowest []int32
	Cross              []int32
	Area               uint64
	Trail, Stack       int
}

func (s *Searcher) state() State {
	return State{
		slices.Clone(s.placed), slices.Clone(s.rests), slices.Clone(s.low), slices.Clone(s.rest), slices.Clone(s.floor),
		slices.Clone(s.open), slices.Clone(s.left), slices.Clone(s.lowest), slices.Clone(s.cross), s.area, len(s.trail), len(s.stack),
	}
}

// Walk places tiles at their lows and leaves sections out, as draw says, and at last
// goes back. It returns the state before each step, and the one after it was undone.
func Walk(p *Problem, capacity uint64, draw func(n int) int) (before, after []State) {
	g, _ := NewGraph(context.Background(), p, math.MaxUint64)
	s := NewSearcher(g)
	s.Options, s.ctx = Options{Capacity: capacity}, context.Background()
	if !s.reset() {
		return nil, nil
	}
	var marks []mark
	for ok := true; ok; {
		before, marks = append(before, s.state()), append(marks, s.mark())
		i := int32(draw(len(s.Tiles)))
		switch k := int32(draw(s.Sections)); {
		case len(s.stack) == len(s.Tiles):
			ok = false
		case draw(3) == 0 && s.left[k] > 0:
			ok = s.waste(k)
		case !s.placed[i]:
			ok = s.put(i, s.low[i])
		}
	}
	for n := len(marks) - 1; n >= 0; n-- {
		s.back(marks[n])
		after = append(after, s.state())
	}
	slices.Reverse(after)
	return before, after
}
