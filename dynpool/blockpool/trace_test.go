package blockpool_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// op is an operation of a trace: it allocates size bytes by a name, or frees that name
// if size is 0.
type op struct {
	name int
	size uint64
}

const traceLength = 100_000

// usedHigh returns the most bytes that blocks need at a time, as rounded.
func usedHigh(t testing.TB, trace []op) (high uint64) {
	live, used := make(map[int]uint64), uint64(0)
	for _, o := range trace {
		if o.size == 0 {
			used -= live[o.name]
			continue
		}
		live[o.name] = mustSize(t, o.size)
		used += live[o.name]
		high = max(high, used)
	}
	return high
}

// mixed is a size from 1 byte to 1 MiB, even on a logarithmic scale.
func mixed(random uint64) uint64 { return 1 + random>>8%(1<<(6+random%15)) }

// randomTrace holds a number of live blocks, of which any is freed next. Their sizes
// are of some kinds, or any at all if kinds is 0.
func randomTrace(live, kinds int) []op {
	var trace []op
	var names []int
	for i := uint64(0); len(trace) < traceLength; i++ {
		h := splitmix.Hash(2, i)
		if len(names) < live || h%2 == 0 {
			names = append(names, len(trace))
			random := h
			if kinds > 0 {
				random = splitmix.Mix(h >> 4 % uint64(kinds))
			}
			trace = append(trace, op{len(trace), mixed(random)})
		}
		if len(names) > live {
			k := int(splitmix.Mix(h) % uint64(len(names)))
			trace = append(trace, op{name: names[k]})
			names = slices.Delete(names, k, k+1)
		}
	}
	return trace
}

func recoPlan(t testing.TB) *planner.Plan {
	seq, diags := sequences.Read(hlt1.RecoFile, hlt1.Reco())
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return plan
}

// recoTrace is what the device buffers of the reco sequence ask for, batch after batch,
// if the host allocates each before the first step that uses it and frees it after the
// last one. What a count drives, differs from its typical size by up to 30 %.
// Workers play batches of their own, evenly shifted.
func recoTrace(plan *planner.Plan, workers int, static bool) []op {
	type event struct {
		step  sequences.StepID
		frees bool
		buf   int
	}
	var events []event
	typical := func(b *planner.Buffer) float64 {
		if b.Class == planner.Dynamic {
			return float64(*b.Typical)
		}
		return float64(b.Max)
	}
	for i := range plan.Buffers {
		b := &plan.Buffers[i]
		if b.Scope == sequences.Device && (static || b.Class == planner.Dynamic) && typical(b) > 0 {
			events = append(events, event{b.Lifetime.First, false, i}, event{b.Lifetime.End, true, i})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { // at a step, its buffers come before frees
		if a.step == b.step && a.frees != b.frees {
			if a.frees {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.step, b.step)
	})
	counts := make(map[string]uint64)
	for i, c := range plan.Counts {
		counts[c.Name] = uint64(i)
	}
	var trace []op
	for at := 0; len(trace) < traceLength; at++ {
		for w := range workers {
			pos := at - w*len(events)/workers
			if pos < 0 {
				continue
			}
			e := events[pos%len(events)]
			o := op{name: w*len(plan.Buffers) + e.buf}
			if b := &plan.Buffers[e.buf]; !e.frees {
				size := typical(b)
				if len(b.DrivenBy) > 0 {
					h := splitmix.Hash(1, uint64(pos/len(events)*workers+w), counts[b.DrivenBy[0]])
					size *= 0.7 + 0.6*float64(h%1001)/1000
				}
				o.size = max(uint64(size), 1)
			}
			trace = append(trace, o)
		}
	}
	return trace
}
