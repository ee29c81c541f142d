package streams_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/streams"
)

func read(t *testing.T, text []byte) *sequences.Sequence {
	t.Helper()
	seq, diags := sequences.Read(streams.TriggerFile, text)
	require.Empty(t, diags, "neither errors nor warnings")
	return seq
}

func TestTrigger(t *testing.T) {
	seq := read(t, streams.Trigger())
	require.Equal(t, []string{"copy", "tracker", "calo"}, seq.Streams)
	require.Len(t, seq.Steps, 15)
	used := make([]int, len(seq.Streams))
	edges, gaps, shrinks, hints, inPlace, host := 0, 0, 0, 0, 0, 0
	for _, s := range seq.Steps {
		used[s.Stream]++
		edges += len(s.After)
	}
	for _, b := range seq.Buffers {
		gaps += len(b.Gaps)
		shrinks += len(b.Shrinks)
		if b.Hint != nil {
			hints++
		}
		if b.InPlaceOf != sequences.None {
			inPlace++
		}
		if b.Scope == sequences.Host {
			host++
		}
	}
	require.Equal(t, []int{5, 7, 3}, used)
	require.Equal(t, []int{4, 1, 1, 1, 1, 3}, []int{edges, gaps, shrinks, hints, inPlace, host}, "the README names them")
}

// policies is the table of README.md, as the plans of now make it.
func policies(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| `reuse` | height | lower bound | | added waits |\n|---|---:|---:|---|---|\n")
	for _, policy := range streams.Policies() {
		plan, err := planner.Make(read(t, streams.With(policy)), planner.Options{})
		require.NoError(t, err)
		pool := plan.Pools[sequences.Device]
		proof := "optimal"
		if !pool.Optimal {
			proof = fmt.Sprintf("%.1f %% above", 100*float64(pool.Height-pool.LowerBound)/float64(pool.LowerBound))
		}
		var added []string
		for _, e := range plan.Added {
			added = append(added, fmt.Sprintf("`%s` for `%s`, which saves %d B", plan.Steps[e.To].Name, plan.Steps[e.From].Name, e.Saved))
		}
		if len(added) == 0 {
			added = []string{"none"}
		}
		fmt.Fprintf(&b, "| `%s` | %d B | %d B | %s | %s |\n", policy, pool.Height, pool.LowerBound, proof, strings.Join(added, "; "))
	}
	return b.String()
}

// TestREADME keeps the figures of README.md true.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "\n"+policies(t)+"\n")
	plan, err := planner.Make(read(t, streams.Trigger()), planner.Options{})
	require.NoError(t, err)
	var sum sequences.Bytes
	for _, b := range plan.Buffers {
		if b.Class == planner.Static && b.Scope == sequences.Device {
			sum += b.Max
		}
	}
	require.Contains(t, string(readme), fmt.Sprintf("%d B without any reuse", sum))
}

// TestPoliciesDiffer: what a policy allows, it also saves.
func TestPoliciesDiffer(t *testing.T) {
	var heights []sequences.Bytes
	for _, policy := range streams.Policies() {
		plan, err := planner.Make(read(t, streams.With(policy)), planner.Options{})
		require.NoError(t, err)
		heights = append(heights, plan.Pools[sequences.Device].Height)
		require.Equal(t, policy == sequences.ReuseInternal, len(plan.Added) > 0, policy)
	}
	require.Greater(t, heights[0], heights[1]*5/4)
	require.Greater(t, heights[1], heights[2]*5/4)
}
