package sequences_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/sequences"
)

// stepsOf makes a sequence of steps with streams and edges only.
func stepsOf(steps ...sequences.Step) *sequences.Sequence {
	for i := range steps {
		steps[i].ID = sequences.StepID(i)
	}
	return &sequences.Sequence{Steps: steps}
}

func TestHappensBefore(t *testing.T) {
	seq := stepsOf(
		sequences.Step{Stream: 0},                                  // 0
		sequences.Step{Stream: 1},                                  // 1
		sequences.Step{Stream: 1, After: []sequences.StepID{0}},    // 2
		sequences.Step{Stream: 2, After: []sequences.StepID{1}},    // 3
		sequences.Step{Stream: 0},                                  // 4
		sequences.Step{Host: true},                                 // 5
		sequences.Step{Stream: 2},                                  // 6
		sequences.Step{Stream: 1, After: []sequences.StepID{4, 6}}, // 7
		sequences.Step{Stream: 0},                                  // 8
	)
	before := func(h *sequences.HappensBefore) []string {
		var out []string
		for a := range seq.Steps {
			row := ""
			for b := range seq.Steps {
				row += map[bool]string{true: "x", false: "."}[h.Before(sequences.StepID(a), sequences.StepID(b))]
			}
			out = append(out, row)
		}
		return out
	}
	require.Equal(t, []string{
		"..x.xxxxx",
		"..xx.xxxx",
		".....xxxx",
		".....xxxx",
		".....xxxx",
		"......xxx",
		".......x.",
		".........",
		".........",
	}, before(sequences.NewHappensBefore(seq)))
	require.Equal(t, []string{
		"....xxxxx",
		"..x..xxxx",
		".....xxxx",
		".....xxxx",
		".....xxxx",
		"......xxx",
		".........",
		".........",
		".........",
	}, before(sequences.NewStreamOrder(seq)))
	more := before(sequences.NewHappensBefore(seq, sequences.Edge{From: 2, To: 4}, sequences.Edge{From: 7, To: 8}, sequences.Edge{From: 3, To: 1}))
	require.Equal(t, []string{"..x.xxxxx", "..xxxxxxx", "....xxxxx", ".....xxxx"}, more[:4], "and no edge that goes back")
	require.Equal(t, []string{".......xx", "........x"}, more[6:8])
}

// The clocks say the same as a search along all edges.
func TestHappensBeforeIsReachability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 24).Draw(t, "steps")
		streams := rapid.IntRange(1, 5).Draw(t, "streams")
		reach := make([][]bool, n) // reach[b][a]: a is before b
		steps := make([]sequences.Step, n)
		var extra []sequences.Edge
		for b := range n {
			s := &steps[b]
			s.Host = rapid.IntRange(0, 9).Draw(t, "host") == 0
			if !s.Host {
				s.Stream = sequences.StreamID(rapid.IntRange(0, streams-1).Draw(t, "stream"))
			}
			reach[b] = make([]bool, n)
			join := func(a int) {
				reach[b][a] = true
				for c := range a {
					reach[b][c] = reach[b][c] || reach[a][c]
				}
			}
			for a := range b {
				edge := rapid.IntRange(0, 11).Draw(t, "edge")
				switch {
				case s.Host || steps[a].Host || s.Stream == steps[a].Stream:
					join(a)
				case edge == 0:
					s.After = append(s.After, sequences.StepID(a))
					join(a)
				case edge == 1:
					extra = append(extra, sequences.Edge{From: sequences.StepID(a), To: sequences.StepID(b)})
					join(a)
				}
			}
		}
		h := sequences.NewHappensBefore(stepsOf(steps...), extra...)
		for b := range n {
			for a := range n {
				if got := h.Before(sequences.StepID(a), sequences.StepID(b)); got != reach[b][a] {
					t.Fatalf("%d before %d: %v, want %v\n%+v\n%v", a, b, got, reach[b][a], steps, extra)
				}
			}
		}
	})
}
