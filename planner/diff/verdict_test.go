package diff_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
)

// velo is the old sequence of the golden files, edited.
func velo(t *testing.T, edits ...string) *planner.Plan {
	t.Helper()
	text, err := os.ReadFile("testdata/old.yaml")
	require.NoError(t, err)
	for i := 0; i < len(edits); i += 2 {
		require.Contains(t, string(text), edits[i])
	}
	return makePlan(t, strings.NewReplacer(edits...).Replace(string(text)))
}

// One change, one line.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{
			`prefix_velo: {type: u32, count: "n_events * max_tracks"}`, `prefix_velo: {type: u32, count: "n_events * max_tracks * 4"}`,
			"device pool +4.6 MiB (+15.6 %), because prefix_velo grew by 4.6 MiB",
		},
		{
			`hit_used: {type: bool, count: "n_events * 5000"}`, `hit_used: {type: bool, count: "count_of(clusters)"}`,
			"typical device need +1.2 MiB (+2.8 %) = device pool +256 B (+<0.1 %), typical arena +1.2 MiB (+8.3 %), because hit_used moved from static to dynamic",
		},
		{
			`raw_banks: {type: u8, count: "n_events * 4096"}`, `raw_banks: {type: u8, count: "n_events * 4096", scope: host}`,
			"host pool +3.9 MiB (new), because raw_banks moved from device to host memory",
		},
		{
			`reads: [tracks, smoothed, flags]`, `reads: [tracks, smoothed, flags, seeds]`,
			"pools and arena as before: seeds lives to select, not to fit; 4 buffers only moved",
		},
		{`      gone: {type: u8, count: "n_events * 10"}` + "\n", "", "pools and arena as before: gone disappeared with 9.8 KiB"},
		{`typical: "n_events * 1300"`, `typical: "n_events * 2600"`, "typical arena +14.9 MiB (+100.0 %), because clusters grew by 14.9 MiB"},
		{`max: "n_events * 5000", `, `max: "n_events * 9999", `, "worst-case arena +57.2 MiB (+100.0 %), because clusters grew by 57.2 MiB in the worst case"},
		{`, typical: "n_events * 1300"`, ``, "typical arena no longer known, because clusters counts its worst case, not its typical size"},
		{`max: 1000`, `max: 2000`, "typical device need +44.3 MiB (+100.0 %) = device pool +29.4 MiB (+100.0 %), typical arena +14.9 MiB (+100.0 %): n_events 1 ... 1000 -> 1 ... 2000, 13 buffers changed"},
		{
			`      clusters: {type: cluster`, `      more: {type: u8, count: n_clusters}` + "\n      clusters: {type: cluster",
			"typical device need +1.2 MiB (+2.8 %) = device pool +256 B (+<0.1 %), typical arena +1.2 MiB (+8.3 %): more appeared with 1.2 MiB",
		},
		{`max: 1000`, `max: 1000`, "no difference"},
		{`workers: 2`, `workers: 4`, "pools and arena as before: workers 2 -> 4"},
		{`name: monitor`, `name: observe`, "pools and arena as before: step monitor renamed to observe"},
		{"  - name: monitor", "  - {name: idle}\n  - name: monitor", "device pool +256 B (+<0.1 %), because its reserved part changed"},
		{`work: {type: f32`, `scratchpad: {type: f32`, "pools and arena as before: scratchpad was work"},
		{`reads: [raw_banks, cluster_offsets]`, `reads: [raw_banks, cluster_offsets, bank_errors]`, "no difference"},
	} {
		d := diff.New(velo(t), velo(t, c.from, c.to))
		require.Equal(t, c.want, d.Verdict)
		require.Equal(t, d.Verdict, d.Lines(diff.Options{})[0])
	}
}

// What something else may have done too has no because.
func TestNotCertain(t *testing.T) {
	grown := []string{"n_events * 64", "n_events * 6400"}
	require.Contains(t, diff.New(velo(t), velo(t, grown...)).Verdict, ", because work grew by 24.2 MiB")
	swapped := append([]string{
		"  - name: monitor\n    reads: [bank_errors]\n    writes:\n      summary: {type: u64, count: 16}\n", "",
		"  - name: cluster\n", "  - name: monitor\n    reads: [bank_errors]\n    writes:\n      summary: {type: u64, count: 16}\n  - name: cluster\n",
	}, grown...)
	require.Contains(t, diff.New(velo(t), velo(t, swapped...)).Verdict, ": work grew by 24.2 MiB")
	moved := []string{`count: "n_events * 5000"`, `count: "count_of(clusters)"`, "max: 1000", "max: 1100"}
	require.Regexp(t, `: hit_used moved from static to dynamic, and \d+ more buffers changed$`, diff.New(velo(t), velo(t, moved...)).Verdict)

	// The only buffer that changed is smaller, and the pool is not.
	young := clone(t, velo(t))
	young.Pools[0].Size += 1000
	young.Buffers[0].Max--
	require.Equal(t, "device pool +1000 B (+<0.1 %): the places changed, 1 buffer changed", diff.New(velo(t), young).Verdict)
	young.Buffers[0].Max++
	require.Equal(t, "device pool +1000 B (+<0.1 %): the places changed, no buffer of it changed", diff.New(velo(t), young).Verdict)
	young.Pools[0].Reserved += 1000
	require.Equal(t, "device pool +1000 B (+<0.1 %), because its reserved part changed", diff.New(velo(t), young).Verdict)
	young.Pools[0].Reuse = "stream"
	require.Equal(t, "device pool +1000 B (+<0.1 %): device reuse none -> stream, 0 buffers changed", diff.New(velo(t), young).Verdict)
}
