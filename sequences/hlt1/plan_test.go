package hlt1_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// sum is what one of the four classes adds up to at the largest batch.
type sum struct {
	buffers int
	typical uint64 // bytes as declared, not rounded
	most    uint64
}

// peak is a number of bytes, each buffer rounded to the base alignment, and the
// first step at which they are alive.
type peak struct {
	bytes sequences.Bytes
	step  string
}

// The figures below were computed by a separate program from the facts, not by
// this project.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		seq                                          *sequences.Sequence
		staticDevice, staticHost                     sum
		dynamicDevice, dynamicHost                   sum
		devicePeak, hostPeak, typicalPeak, worstPeak peak
		typicalSum, worstSum                         sequences.Bytes // rounded
		waits                                        []string
	}{
		{
			seq:           velo(t),
			staticDevice:  sum{27, 34_732_892, 34_732_892},
			staticHost:    sum{11, 844_040, 844_040},
			dynamicDevice: sum{16, 107_610_004, 381_000_004},
			dynamicHost:   sum{1, 600_004, 2_400_004},
			devicePeak:    peak{21_557_248, "velo_search_by_triplet"},
			hostPeak:      peak{832_256, "prefix_sum_offsets_estimated_input_size"},
			typicalPeak:   peak{64_500_992, "velo_consolidate_tracks"},
			worstPeak:     peak{225_600_512, "velo_consolidate_tracks"},
			typicalSum:    107_611_904,
			worstSum:      381_000_960,
		},
		{
			seq:           reco(t),
			staticDevice:  sum{171, 703_104_652, 703_104_652},
			staticHost:    sum{134, 4_220_057, 4_220_057},
			dynamicDevice: sum{140, 661_366_044, 2_741_999_044},
			dynamicHost:   sum{4, 2_808_012, 11_552_012},
			devicePeak:    peak{601_880_576, "fit_dihadron_secondary_vertices"},
			hostPeak:      peak{3_045_888, "velo_banks"}, // with what the device may still use when the host is there
			typicalPeak:   peak{272_593_152, "lf_quality_filter_length"},
			worstPeak:     peak{1_168_832_512, "lf_quality_filter_length"},
			typicalSum:    661_377_280,
			worstSum:      2_742_003_456,
			waits:         []string{"odin_error_filter_AND_scifi_gec", "odin_error_filter_AND_scifi_gec_AND_ut_gec"},
		},
	} {
		t.Run(c.seq.Name, func(t *testing.T) {
			plan, err := planner.Make(c.seq, planner.Options{Warn: func(d sequences.Diagnostic) { t.Error(d) }})
			require.NoError(t, err)

			type key struct {
				class planner.Class
				scope sequences.Scope
			}
			got := map[key]sum{}
			typical, most := values{c.seq, 1000, false}, values{c.seq, 1000, true}
			for i, b := range plan.Buffers {
				id := sequences.BufferID(i)
				s := got[key{b.Class, b.Scope}]
				s.buffers++
				s.typical += typical.bytes(t, id)
				s.most += most.bytes(t, id)
				got[key{b.Class, b.Scope}] = s
				require.EqualValues(t, most.bytes(t, id), b.Max, b.Name)
			}
			require.Equal(t, map[key]sum{
				{planner.Static, sequences.Device}:  c.staticDevice,
				{planner.Static, sequences.Host}:    c.staticHost,
				{planner.Dynamic, sequences.Device}: c.dynamicDevice,
				{planner.Dynamic, sequences.Host}:   c.dynamicHost,
			}, got)

			at := func(s sequences.StepID) string { return plan.Steps[s].Name }
			device, host := plan.Pools[sequences.Device], plan.Pools[sequences.Host]
			require.Equal(t, c.devicePeak, peak{device.LowerBound, at(device.PeakStep)})
			require.Equal(t, c.hostPeak, peak{host.LowerBound, at(host.PeakStep)})
			require.Equal(t, c.typicalPeak, peak{plan.Arena.Typical.Peak, at(plan.Arena.Typical.PeakStep)})
			require.Equal(t, c.worstPeak, peak{plan.Arena.Worst.Peak, at(plan.Arena.Worst.PeakStep)})
			require.Equal(t, c.typicalSum, plan.Arena.Typical.Sum)
			require.Equal(t, c.worstSum, plan.Arena.Worst.Sum)

			var waits []string
			for _, w := range plan.Waits {
				waits = append(waits, at(w.Step))
			}
			require.Equal(t, c.waits, waits)
		})
	}
}
