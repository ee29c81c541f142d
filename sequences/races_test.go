package sequences_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// reach tells for every step which steps are before it, edge by edge.
func reach(s *sequences.Sequence) [][]bool {
	before := make([][]bool, len(s.Steps))
	for b, step := range s.Steps {
		before[b] = make([]bool, len(s.Steps))
		for a, other := range s.Steps[:b] {
			if step.Host || other.Host || step.Stream == other.Stream || slices.Contains(step.After, sequences.StepID(a)) {
				before[b][a] = true
				for c := range a {
					before[b][c] = before[b][c] || before[a][c]
				}
			}
		}
	}
	return before
}

// loads are the counts behind the size of a buffer.
func loads(s *sequences.Sequence, b sequences.BufferID) []int {
	counts := expr.Refs(s.Buffers[b].Count, expr.Count)
	for _, of := range expr.Refs(s.Buffers[b].Count, expr.CountOf) {
		counts = append(counts, loads(s, sequences.BufferID(of))...)
	}
	return counts
}

// uses are the steps that use a buffer, found in the dullest way.
func uses(s *sequences.Sequence, b sequences.BufferID) []sequences.StepID {
	var out []sequences.StepID
	for i, step := range s.Steps {
		used := slices.Contains(step.Reads, b) || s.Buffers[b].Step == sequences.StepID(i)
		for _, g := range step.Barriers {
			used = used || slices.Contains(s.Groups[g].Members, b) && int(s.Buffers[b].Step) < i
		}
		for _, w := range slices.Concat(step.Writes, step.Scratch) {
			for _, c := range loads(s, w) {
				used = used || s.Counts[c].At == b
			}
		}
		if used {
			out = append(out, sequences.StepID(i))
		}
	}
	for v, holder := range s.Buffers {
		if slices.Contains(holder.Views, b) {
			out = append(out, uses(s, sequences.BufferID(v))...)
		}
	}
	return out
}

// sound says what is wrong with the order of a model: "" is nothing.
func sound(s *sequences.Sequence) string {
	before := reach(s)
	fault := ""
	need := func(step sequences.StepID, earlier ...sequences.StepID) {
		for _, a := range earlier {
			if a != sequences.None && a != step && !before[step][a] {
				fault = fmt.Sprintf("step %d needs step %d", step, a)
			}
		}
	}
	for i, step := range s.Steps {
		i := sequences.StepID(i)
		for _, b := range step.Reads {
			need(i, s.Buffers[b].Step)
		}
		for _, g := range step.Barriers {
			for _, m := range s.Groups[g].Members {
				if s.Buffers[m].Step < i {
					need(i, s.Buffers[m].Step)
				}
			}
		}
		for _, id := range slices.Concat(step.Writes, step.Scratch) {
			b := s.Buffers[id]
			for _, v := range b.Views {
				need(i, s.Buffers[v].Step)
			}
			for _, c := range loads(s, id) {
				need(i, s.Buffers[s.Counts[c].At].Step)
			}
			if b.InPlaceOf != sequences.None {
				need(i, uses(s, b.InPlaceOf)...)
			}
		}
	}
	for id, b := range s.Buffers {
		if len(b.Gaps)+len(b.Shrinks) == 0 {
			continue
		}
		all := uses(s, sequences.BufferID(id))
		ends := func(what string, from, to sequences.StepID) {
			if !slices.Contains(all, from) || !slices.Contains(all, to) {
				fault = fmt.Sprintf("%s of buffer %d at steps that do not use it", what, id)
			}
			for _, u := range all {
				if u != from && u != to && !before[from][u] && !before[u][to] {
					fault = fmt.Sprintf("step %d is in a %s of buffer %d", u, what, id)
				}
			}
		}
		last := sequences.StepID(sequences.None)
		for _, g := range b.Gaps {
			ends("gap", g.After, g.Before)
			if !before[g.Before][g.After] || last != sequences.None && last != g.After && !before[g.After][last] {
				fault = fmt.Sprintf("a gap of buffer %d is not in order", id)
			}
			last = g.Before
		}
		last = sequences.None
		for _, shrink := range b.Shrinks {
			ends("shrink", shrink.After, shrink.After)
			if last != sequences.None && !before[shrink.After][last] {
				fault = fmt.Sprintf("a shrink of buffer %d is not in order", id)
			}
			last = shrink.After
		}
	}
	return fault
}

func randomStreams(i int) []byte {
	r := rand.New(rand.NewPCG(9, uint64(i)))
	return randseq.YAML(r, randseq.Streams(r))
}

// Random sequences with several streams, gaps and shrinks are read, and are sound.
func TestRandomStreams(t *testing.T) {
	edges, loans := 0, 0
	for i := range 400 {
		data := randomStreams(i)
		seq, diags := sequences.Read("random.yaml", data)
		require.NoError(t, diags.Err(), string(data))
		checkModel(t, seq)
		require.Empty(t, sound(seq))
		for _, s := range seq.Steps {
			edges += len(s.After)
		}
		for _, b := range seq.Buffers {
			loans += len(b.Gaps) + len(b.Shrinks)
		}
	}
	require.Greater(t, edges, 400)
	require.Greater(t, loans, 400)
}

var afterLine = regexp.MustCompile(`(?m)^    after: .*\n`)

// Without one of its edges a sequence is refused if, and only if, something needs the
// edge.
func TestDroppedEdges(t *testing.T) {
	refused, fine := 0, 0
	for i := range 400 {
		data := randomStreams(i)
		seq := read(t, string(data))
		var steps []int
		for s := range seq.Steps {
			if len(seq.Steps[s].After) > 0 {
				steps = append(steps, s)
			}
		}
		lines := afterLine.FindAllIndex(data, -1)
		require.Len(t, lines, len(steps))
		for k, line := range lines {
			dropped := *seq
			dropped.Steps = slices.Clone(seq.Steps)
			dropped.Steps[steps[k]].After = nil
			without := string(data[:line[0]]) + string(data[line[1]:])
			_, diags := sequences.Read("random.yaml", []byte(without))
			want := sound(&dropped)
			require.Equal(t, want == "", diags.Err() == nil, "%s\n%v\n%s", want, diags, without)
			for _, d := range diags {
				require.Contains(t, []string{"SP0073", "SP0109", "SP0115", "SP0116"}, string(d.Code))
			}
			if want == "" {
				fine++
			} else {
				refused++
			}
		}
	}
	require.Greater(t, refused, 100)
	require.Greater(t, fine, 20)
}

var (
	writeHint = regexp.MustCompile(`^write "after: \[(.*)\]" in step "(.*)"$`)
	addHint   = regexp.MustCompile(`^add "(.*)" to the "after" of step "(.*)"$`)
)

// Without any edge, the hints name all that are missing, and no step twice for one
// stream.
func TestRaceHints(t *testing.T) {
	hints := 0
	for i := range 200 {
		r := rand.New(rand.NewPCG(10, uint64(i)))
		config := randseq.Streams(r)
		config.Loans = 0
		text := afterLine.ReplaceAllString(string(randseq.YAML(r, config)), "")
		_, diags := sequences.Read("random.yaml", []byte(text))
		edges := map[string][]string{}
		for _, d := range diags {
			if !strings.HasPrefix(sequences.Title(d.Code), "warning: ") {
				require.Equal(t, sequences.CodeRace, d.Code)
				m := writeHint.FindStringSubmatch(d.Hint)
				require.Len(t, m, 3, d.Hint)
				edges[m[2]] = append(edges[m[2]], m[1])
				hints++
			}
		}
		for step, after := range edges {
			line := fmt.Sprintf("  - name: %s\n", step)
			text = strings.Replace(text, line, line+fmt.Sprintf("    after: [%s]\n", strings.Join(after, ", ")), 1)
		}
		seq, diags := sequences.Read("random.yaml", []byte(text))
		require.NoError(t, diags.Err(), text)
		for _, s := range seq.Steps {
			streams := map[sequences.StreamID]bool{}
			for _, a := range s.After {
				require.False(t, streams[seq.Steps[a].Stream])
				streams[seq.Steps[a].Stream] = true
			}
		}
	}
	require.Greater(t, hints, 100)
}

// A step that has edges already is told to get another one.
func TestRaceHintOfStepWithEdges(t *testing.T) {
	_, diags := sequences.Read("x.yaml", []byte(`
seqplan: 1
name: x
steps:
  - {name: s0, writes: {a: {type: u8, count: 1}}}
  - {name: s1, stream: b, writes: {b: {type: u8, count: 1}}}
  - {name: s2, stream: c, after: [s0], reads: [a, b]}
`))
	require.Len(t, diags, 1)
	require.Equal(t, []string{"s1", "s2"}, addHint.FindStringSubmatch(diags[0].Hint)[1:])
}
