package report_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
)

// A plan file with other numbers gives some report, and no panic.
func TestBrokenPlans(t *testing.T) {
	number := regexp.MustCompile(`-?\b\d+\b`)
	values := []string{"-1", "0", "1", "3", "77", "4294967296", "9223372036854775807", "18446744073709551615", "-9223372036854775808"}
	read := 0
	for name, p := range plans(t) {
		if name == "reco" {
			continue
		}
		var data bytes.Buffer
		require.NoError(t, p.WriteJSON(&data))
		all := number.FindAllIndex(data.Bytes(), -1)
		for seed := range uint64(120) {
			r := rand.New(rand.NewPCG(seed, 13))
			text := bytes.Clone(data.Bytes())
			for range 1 + r.IntN(3) {
				at := all[r.IntN(len(all))]
				text = append(append(bytes.Clone(text[:at[0]]), values[r.IntN(len(values))]...), data.Bytes()[at[1]:]...)
			}
			q, err := planner.ReadPlan(bytes.NewReader(text))
			if err != nil {
				continue
			}
			read++
			require.NotPanics(t, func() {
				r := report.New(q, report.Options{})
				for _, write := range []func(io.Writer) error{
					func(w io.Writer) error { return report.Text(w, q, r, report.MapOptions{}) },
					r.JSON, r.Markdown,
					func(w io.Writer) error { return report.CSV(w, q) },
					func(w io.Writer) error { return report.SVG(w, q, report.SVGOptions{}) },
					func(w io.Writer) error { return report.SVG(w, q, report.SVGOptions{Color: report.ByClass}) },
					func(w io.Writer) error { return report.Trace(w, q) },
					func(w io.Writer) error { return report.Dot(w, q) },
				} {
					require.NoError(t, write(io.Discard))
				}
				for _, b := range q.Buffers {
					require.NoError(t, report.Explain(io.Discard, q, b.Name))
				}
			}, "%s, seed %d", name, seed)
		}
	}
	require.Greater(t, read, 100)
}
