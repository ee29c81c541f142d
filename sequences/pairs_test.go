package sequences_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences"
)

// faults are changes of examples/lines.yaml, each with one fault.
var faults = []struct{ name, old, new, code string }{
	{"version", "seqplan: 1\n", "seqplan: 3\n", "SP0025"},
	{"reuse", "reuse: on", "reuse: maybe", "SP0028"},
	{"unit", "512MiB", "512MB", "SP0032"},
	{"workers", "workers: 4", "workers: -4", "SP0030"},
	{"section", "params:", "parameters:", "SP0020"},
	{"param", "  n_modules: 26", "  n_modules: {min: 26}", "SP0022"},
	{"param gone", "  n_modules: 26", "  n_modulus: 26", "SP0062"},
	{"param name gone", "  n_modules: 26", "  n-modules: 26", "SP0040"},
	{"type size", "size: 54", "size: 55", "SP0035"},
	{"type gone", "track_view: {", "track_veiw: {", "SP0060"},
	{"count", `"track_offsets[n_events]"`, `"track_offsets"`, "SP0067"},
	{"count gone", "  n_tracks: #", "  n_trax: #", "SP0062"},
	{"group", "[hits_per_module, track_offsets]", "[hits_per_module, track_offset]", "SP0061"},
	{"input", "  raw_banks: {type: u8,", "  raw_banks: {typ: u8,", "SP0020"},
	{"input value", `{type: u8, count: "n_events * 16KiB"}`, "[]", "SP0023"},
	{"template gone", "  line:\n", "  lines:\n", "SP0050"},
	{"template argument", "args: [name, bytes]", "args: [name]", "SP0053"},
	{"pattern", `"count_of(track_views)", group`, `"count_of(track_view)", group`, "SP0061"},
	{"pattern value", `count: "${bytes}", scope: host`, `count: "${bytes}", scope: hots`, "SP0028"},
	{"argument", "{name: two_track, bytes: 512}", "{name: two_track}", "SP0051"},
	{"argument value", "bytes: 448", "bytes: 448.5", "SP0125"},
	{"expression", `"n_events * n_modules"}`, `"n_events * n_modules)"}`, "SP0132"},
	{"scratch", "max(n_tracks, n_events * 32)", "max(n_tracks)", "SP0129"},
	{"step key", "    reads: [tracks]\n", "    read: [tracks]\n", "SP0020"},
	{"step order", "    reads: [hits_per_module]", "    reads: [tracks]", "SP0080"},
	{"in place", "in_place_of: tracks", "in_place_of: raw_banks", "SP0090"},
	{"view", "views: [fitted_tracks]", "views: [fitted_track]", "SP0061"},
	{"barrier", "barrier: monitoring", "barrier: monitored", "SP0063"},
	{"output", "outputs: [reports]", "outputs: [report]", "SP0061"},
}

func fault(t *testing.T, text string, i int) string {
	t.Helper()
	require.Contains(t, text, faults[i].old, faults[i].name)
	return strings.Replace(text, faults[i].old, faults[i].new, 1)
}

func errorsOf(text string) []string {
	_, diags := sequences.Read("lines.yaml", []byte(text))
	var out []string
	for _, d := range diags {
		out = append(out, d.Error())
	}
	return out
}

// One fault gives one message, and no other for what follows from it.
func TestNoCascade(t *testing.T) {
	text := string(examples(t)["examples/lines.yaml"])
	for i, f := range faults {
		got := errorsOf(fault(t, text, i))
		if strings.HasSuffix(f.name, "gone") { // a name that is used in several places
			require.Contains(t, strings.Join(got, "\n"), f.code, f.name)
			continue
		}
		require.Len(t, got, 1, f.name)
		require.Contains(t, got[0], f.code, f.name)
	}
}

// Two faults give the messages of both.
func TestTwoFaults(t *testing.T) {
	text := string(examples(t)["examples/lines.yaml"])
	for i := range faults {
		for j := range faults {
			a := fault(t, text, i)
			if i == j || !strings.Contains(a, faults[j].old) {
				continue
			}
			got := errorsOf(fault(t, a, j))
			for _, k := range []int{i, j} {
				hidden := []string{"template gone", "template argument", "argument", "input value"} // no steps, so no buffers, to look at
				if slices.Contains(hidden, faults[i].name) || slices.Contains(hidden, faults[j].name) {
					continue
				}
				require.True(t, slices.ContainsFunc(got, func(g string) bool { return strings.Contains(g, faults[k].code) }),
					"%s and %s: no %s in %q", faults[i].name, faults[j].name, faults[k].code, got)
			}
		}
	}
}
