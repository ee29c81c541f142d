package hlt1_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

func read(t *testing.T, file string, data []byte) *sequences.Sequence {
	t.Helper()
	seq, diags := sequences.Read(file, data)
	require.Empty(t, diags, "neither errors nor warnings")
	require.NotNil(t, seq)
	return seq
}

func velo(t *testing.T) *sequences.Sequence { return read(t, hlt1.VeloFile, hlt1.Velo()) }
func reco(t *testing.T) *sequences.Sequence { return read(t, hlt1.RecoFile, hlt1.Reco()) }

func TestShape(t *testing.T) {
	for _, c := range []struct {
		seq                                          *sequences.Sequence
		name                                         string
		steps, hostSteps, buffers, counts, outputs   int
		reads, views, hostBuffers, lines, parameters int
	}{
		{
			seq: velo(t), name: "velo",
			steps: 14, hostSteps: 3, buffers: 55, counts: 5, outputs: 5,
			reads: 65, views: 15, hostBuffers: 12,
		},
		{
			seq: reco(t), name: "hlt1_reco",
			steps: 110, hostSteps: 15, buffers: 449, counts: 22, outputs: 7,
			reads: 632, views: 91, hostBuffers: 138, lines: 88, parameters: 11,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.name, c.seq.Name)
			require.Len(t, c.seq.Steps, c.steps)
			require.Len(t, c.seq.Buffers, c.buffers)
			require.Len(t, c.seq.Counts, c.counts)
			require.Len(t, c.seq.Outputs, c.outputs)
			require.Equal(t, "n_events", c.seq.Params[c.seq.Batch].Name)
			var hostSteps, hostBuffers, reads, views int
			for _, s := range c.seq.Steps {
				reads += len(s.Reads)
				if s.Host {
					hostSteps++
				}
			}
			for _, b := range c.seq.Buffers {
				views += len(b.Views)
				if b.Scope == sequences.Host {
					hostBuffers++
				}
			}
			require.Equal(t, c.hostSteps, hostSteps, "host steps")
			require.Equal(t, c.hostBuffers, hostBuffers, "host buffers")
			require.Equal(t, c.reads, reads, "reads")
			require.Equal(t, c.views, views, "views")
			require.Len(t, members(c.seq, "lines"), c.lines)
			require.Len(t, members(c.seq, "line_parameters"), c.parameters)
		})
	}
}

// Every buffer is named after the step that writes it.
func TestNames(t *testing.T) {
	for _, seq := range []*sequences.Sequence{velo(t), reco(t)} {
		for _, b := range seq.Buffers {
			require.Equal(t, seq.Steps[b.Step].Name, strings.SplitN(b.Name, ".", 2)[0])
		}
	}
}

// Every count is the total of its prefix sum: it lies at the last element.
func TestCountsAreLastElements(t *testing.T) {
	for _, seq := range []*sequences.Sequence{velo(t), reco(t)} {
		for _, c := range seq.Counts {
			for _, events := range []uint64{1, 17, 1000} {
				env := values{seq, events, false}
				require.Equal(t, env.elements(t, c.At)-1, env.eval(t, c.Index), "%s at %d events", c.Name, events)
			}
		}
	}
}

// The parts are declared so that they add up.
func TestCountsAddUp(t *testing.T) {
	seq := reco(t)
	for _, most := range []bool{false, true} {
		v := values{seq, 1000, most}
		require.Equal(t, v.count(t, "velo_tracks"), v.count(t, "velo_tracks_4hit")+v.count(t, "velo_tracks_3hit"))
		require.LessOrEqual(t, v.count(t, "ut_tracks"), v.elements(t, buffer(t, seq, "compass_ut.dev_ut_tracks")))
		require.LessOrEqual(t, v.count(t, "velo_tracks_4hit"), v.elements(t, buffer(t, seq, "velo_search_by_triplet.dev_tracks")))
	}
}

// The short sequence is a part of the long one: same sizes, and it holds no
// pointers that the long one does not have.
func TestVeloIsPartOfReco(t *testing.T) {
	short, long := velo(t), reco(t)
	for _, most := range []bool{false, true} {
		a, b := values{short, 700, most}, values{long, 700, most}
		for _, s := range short.Buffers {
			id := buffer(t, long, s.Name)
			l := long.Buffers[id]
			require.Equal(t, b.bytes(t, id), a.bytes(t, s.ID), s.Name)
			require.Equal(t, l.Scope, s.Scope, s.Name)
			require.ElementsMatch(t, names(long, l.Views), names(short, s.Views), s.Name)
		}
	}
}

func TestPointersReachThroughTheChain(t *testing.T) {
	seq := reco(t)
	for _, c := range []struct {
		from  string
		count int
		to    []string
	}{
		{"velo_consolidate_tracks.dev_velo_tracks_view", 5, []string{"velo_consolidate_tracks.dev_velo_track_hits"}},
		{"make_long_track_particles.dev_multi_event_basic_particles_view", 32, []string{
			"velo_consolidate_tracks.dev_velo_track_hits", "ut_consolidate_tracks.dev_ut_track_hits",
			"scifi_consolidate_tracks_forward.dev_scifi_track_hits", "kalman_velo_only.dev_kalman_fit_results",
		}},
		{"Hlt1KsToPiPi.host_fn_parameters", 41, []string{"fit_v0_secondary_vertices.dev_sv_fit_results"}},
		{"make_selected_object_lists.dev_selected_composite_particle_ptrs", 69, []string{
			"Hlt1VeloMicroBias.host_fn_parameters", "pv_beamline_cleanup.dev_multi_final_vertices",
		}},
		{"Hlt1Passthrough.host_fn_parameters", 0, nil},
	} {
		reached := reach(seq, buffer(t, seq, c.from))
		require.Len(t, reached, c.count, c.from)
		for _, to := range c.to {
			require.Contains(t, names(seq, reached), to, c.from)
		}
	}
}

// A selection line keeps what it reads and writes until all lines have run.
func TestLines(t *testing.T) {
	seq := reco(t)
	lines := members(seq, "lines")
	found := 0
	for _, s := range seq.Steps {
		if !strings.HasPrefix(s.Name, "Hlt1") {
			continue
		}
		found++
		require.Subset(t, lines, s.Reads, s.Name)
		require.Subset(t, lines, s.Writes, s.Name)
	}
	require.Equal(t, 11, found)
	gather := seq.Steps[slices.IndexFunc(seq.Steps, func(s sequences.Step) bool { return s.Name == "gather_selections" })]
	require.Len(t, gather.Barriers, 1)
	require.Equal(t, "lines", seq.Groups[gather.Barriers[0]].Name)
	v := values{seq, 1000, false}
	require.EqualValues(t, 3696, v.elements(t, buffer(t, seq, "gather_selections.dev_fn_parameters")))
	require.EqualValues(t, 14000, v.elements(t, buffer(t, seq, "dec_reporter.dev_dec_reports")))
}
