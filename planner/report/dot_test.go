package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
)

func dotOf(t *testing.T, p *planner.Plan, most int) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, report.Dot(&out, p, most))
	return out.String()
}

// A graph has the largest buffers, and says how many there are.
func TestDotMost(t *testing.T) {
	nodes := func(s string) int { return strings.Count(s, "label=\"") - strings.Count(s, "[shape=box") }
	p := plans(t)["reco"]
	all, some, few := dotOf(t, p, len(p.Buffers)), dotOf(t, p, 0), dotOf(t, p, 5)
	require.NotContains(t, all, "largest")
	require.Contains(t, some, `, the 100 largest of 449 buffers (-top 449 has all)"`)
	require.Contains(t, few, `, the 5 largest of 449 buffers"`)
	require.Equal(t, len(p.Buffers)-100, nodes(all)-nodes(some))
	require.Equal(t, 95, nodes(some)-nodes(few))
	for _, b := range report.New(p, report.Options{Top: 5}).Top {
		require.Contains(t, few, `label="`+b.Name+`\n`)
	}
	velo := plans(t)["velo"]
	require.Equal(t, dotOf(t, velo, len(velo.Buffers)), dotOf(t, velo, 0))
}

// Graphviz reads a graph of some buffers, in which no edge makes a node.
func TestDotMostNodes(t *testing.T) {
	path := tooltest.Need(t, "dot")
	for _, name := range []string{"velo", "streams"} {
		p := plans(t)[name]
		out := graphviz(t, path, []byte(dotOf(t, p, 5)))
		require.Equal(t, len(p.Steps)+5+len(p.Waits), strings.Count(out, "\nnode "))
	}
}
