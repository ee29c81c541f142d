package kernel

import (
	"context"
	"fmt"
	"time"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

func Probe(p *rect.Problem, capacity uint64, level Level, widths ...int) {
	k := Reduce(context.Background(), p, capacity, level)
	for _, w := range widths {
		for _, back := range []bool{false, true} {
			s := newSweep(k.Problem)
			s.back = back
			t0 := time.Now()
			beam := []*state{s.first()}
			i := int32(1)
			hist := ""
			for ; i < s.sections && len(beam) > 0; i++ {
				n := s.nodes
				beam = s.cross(beam, i, w)
				if s.nodes-n > uint64(w)*1500 {
					l, c := s.ends.at(i), s.starts.at(i)
					if back {
						c, l = s.ends.at(s.sections-i), s.starts.at(s.sections-i)
					}
					hist += fmt.Sprintf(" %d:%d>%d", i, len(l), len(c))
				}
			}
			fmt.Println("level", level, "width", w, "back", back, "reached", i, "of", s.sections, s.nodes, time.Since(t0), len(beam) > 0, hist)
		}
	}
}
