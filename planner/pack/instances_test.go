package pack_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/internal/packtest"
)

// All but D, which is hard, are proven optimal. Nothing tells the engine so.
func TestInstancesAreOptimal(t *testing.T) {
	for name, p := range packtest.Instances(t) {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "D.") {
				require.LessOrEqual(t, solve(t, pack.Engine{}, p).Gap(), 0.03)
				return
			}
			require.Equal(t, pack.Optimal, solve(t, pack.Engine{}, p).Status)
			// The bound is the bytes alive at once, and no packing fits below it.
			low, err := pack.LowerBound(p)
			require.NoError(t, err)
			p.Capacity = at(low.Bytes - 1)
			require.Equal(t, pack.Infeasible, solve(t, pack.Engine{}, p).Status)
		})
	}
}

func TestInstancesOnAnyNumberOfCores(t *testing.T) {
	for name, p := range packtest.Instances(t) {
		t.Run(name, func(t *testing.T) {
			var results []pack.Result
			for _, cores := range []int{1, 2, 7} {
				before := runtime.GOMAXPROCS(cores)
				results = append(results, solve(t, pack.Engine{Effort: pack.Quick}, p))
				runtime.GOMAXPROCS(before)
			}
			require.Equal(t, results[0], results[1])
			require.Equal(t, results[0], results[2])
		})
	}
}
