package skyline_test

import (
	"fmt"
	"testing"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/skyline"
)

// The ratio of the families to their bounds: go test -bench Families -benchtime 1x
func BenchmarkFamilies(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		for _, f := range generate.Families() {
			b.Run(fmt.Sprintf("%v/%d", f, n), func(b *testing.B) {
				p := compress(b, generate.Random(f, n, 1))
				var r skyline.Result
				for b.Loop() {
					r = skyline.Pack(b.Context(), p, skyline.Options{Work: 4_000_000_000, Target: bound(p)})
				}
				b.ReportMetric(over(p, r), "height/bound")
				b.ReportMetric(float64(r.Work)/float64(n), "work/rectangle")
			})
		}
	}
}
