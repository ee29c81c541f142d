package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/report"
)

// No name of a plan file makes a report for people endless; those for programs keep it.
func TestLongNames(t *testing.T) {
	const long = 50_000
	for _, name := range []string{"velo", "streams", "places", "trigger"} {
		p := rename(t, plans(t)[name], func(i int) string { return fmt.Sprintf("n%d.%s", i, strings.Repeat("x", long)) })
		p.Source = strings.Repeat("s", long)
		for i := range p.Pools {
			p.Pools[i].Method, p.Pools[i].BoundBy = strings.Repeat("m", long), strings.Repeat("b", long)
			if p.Pools[i].Reuse != "" {
				p.Pools[i].Reuse = strings.Repeat("r", long)
			}
		}
		normal := formats(t, plans(t)[name])
		for format, text := range formats(t, p) {
			switch format {
			case "json", "csv", "trace.json":
				require.Greater(t, len(text), long, "%s.%s", name, format)
			default:
				require.Less(t, len(text), 10*len(normal[format])+20_000, "%s.%s", name, format)
				require.NotContains(t, string(text), strings.Repeat("x", 200), "%s.%s", name, format)
			}
		}
		var out bytes.Buffer
		for i := range p.Buffers {
			require.NoError(t, report.Explain(&out, p, p.Buffers[i].Name))
		}
		require.NoError(t, report.Summary(&out, p))
		require.NotContains(t, out.String(), strings.Repeat("x", 3000))
		require.Less(t, out.Len(), 10_000*len(p.Buffers))
		require.Less(t, len(strings.Join(report.Near(p, strings.Repeat("x", long)), "")), 1000)
	}
	_, p := trigger(t)
	endless := strings.Repeat("e", long)
	text, md := textAndMarkdown(t, report.New(p, report.Options{
		FitUnknown: endless, Fit: &planner.FitResult{Param: endless}, Budgets: []budget.Result{{Name: endless, Fault: endless}},
	}))
	require.Less(t, len(text), 12_000)
	require.Less(t, len(md), 10_000)
}

// Names that are no longer than a sequence file allows, in lists too, are cut only where
// they are longer than a line.
func TestLongLists(t *testing.T) {
	p := *plans(t)["velo"]
	var list []string
	for i := range 30 {
		list = append(list, fmt.Sprintf("some_algorithm_of_the_reconstruction.dev_buffer_%d", i))
	}
	p.Waits = []planner.Wait{{Step: 1, Reason: "it reads them", Buffers: list}}
	text, _ := textAndMarkdown(t, report.New(&p, report.Options{}))
	require.Contains(t, text, strings.Join(list, ", "))
}

// An explanation has the whole formula.
func TestLongFormula(t *testing.T) {
	p := planOf(t, "steps:\n  - {name: a, writes: {x: {type: u8, count: \"1"+strings.Repeat(" + 1", 150)+"\"}}}\n")
	var out bytes.Buffer
	require.NoError(t, report.Explain(&out, p, "x"))
	require.Contains(t, out.String(), "1 B * (1"+strings.Repeat(" + 1", 150)+")\n")
	text, _ := textAndMarkdown(t, report.New(p, report.Options{}))
	require.Contains(t, text, "1 B * (1 + 1 + 1")
	require.NotContains(t, text, strings.Repeat(" + 1", 40))
}
