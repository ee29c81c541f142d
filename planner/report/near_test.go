package report_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
)

func TestNear(t *testing.T) {
	p := &planner.Plan{}
	for _, name := range []string{"hits", "fit.tracks", "seed.vertices", "fit.space", "sort.space", "find.space", "last.space", "fit.tracks.good", ""} {
		p.Buffers = append(p.Buffers, planner.Buffer{Name: name})
	}
	for name, want := range map[string][]string{
		"tracks":       {`"fit.tracks"`},
		"tracks.good":  {`"fit.tracks.good"`},
		"good":         {`"fit.tracks.good"`},
		"track":        {`"fit.tracks"`},
		"fit.track":    {`"fit.tracks"`},
		"other.tracks": {`"fit.tracks"`},
		"other.track":  {`"fit.tracks"`},
		"verticse":     {`"seed.vertices"`},
		"hist":         {`"hits"`},
		"space":        {`"fit.space"`, `"sort.space"`, `"find.space"`},
		"nothing":      {},
		"":             {},
		".":            {},
		"racks":        {`"fit.tracks"`},
	} {
		require.Equal(t, want, report.Near(p, name), name)
	}
	require.Empty(t, report.Near(&planner.Plan{}, "x"))
	p.Buffers[0].Name = strings.Repeat("x", 1000)
	require.Empty(t, report.Near(p, strings.Repeat("x", 999)))
}
