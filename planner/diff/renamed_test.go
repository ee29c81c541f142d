package diff_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
)

// Steps that are renamed, any of them, at any places, with the buffers that are named after
// them or without, are the same steps: nothing of them appears, and nothing needs other
// memory.
func TestRandomSteps(t *testing.T) {
	holders := regexp.MustCompile(`\bo(\d+)\b`) // of counts
	buffers, steps := regexp.MustCompile(`\b([bt])(\d+)(_\d+)?\b`), regexp.MustCompile(`\b[cs]\d+\b`)
	tried := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 9))
		config := randseq.Small(r)
		if seed%2 == 0 {
			config = randseq.Streams(r)
		}
		text := string(randseq.YAML(r, config))
		if seed%3 > 0 {
			text = buffers.ReplaceAllString(text, "s$2.$1$3")
			text = holders.ReplaceAllString(text, "c$1.o")
		}
		seq, diags := sequences.Read("random.yaml", []byte(text))
		require.NoError(t, diags.Err())
		old, err := planner.Make(seq, planner.Options{})
		if err != nil {
			continue
		}
		names, chance, renamed := map[string]string{}, r.IntN(4), 0
		for _, s := range old.Steps {
			names[s.Name] = s.Name
			if r.IntN(4) <= chance {
				names[s.Name] = string(rune('a'+r.IntN(26))) + "_new_" + s.Name
				renamed++
			}
		}
		young := makePlan(t, steps.ReplaceAllStringFunc(text, func(s string) string { return names[s] }))
		tried++
		for _, d := range []*diff.Diff{diff.New(old, young), diff.New(young, old)} {
			require.Empty(t, d.Steps.Added)
			require.Empty(t, d.Steps.Removed)
			require.Zero(t, d.Steps.Reordered)
			require.Len(t, d.Steps.Changed, renamed)
			require.False(t, d.NeedChanged)
			require.Empty(t, d.Counts)
			require.Empty(t, append(d.HostWaits.Added, d.HostWaits.Removed...))
			require.Empty(t, d.HostWaits.Changed)
			require.Empty(t, append(d.StreamWaits.Added, d.StreamWaits.Removed...))
			for _, b := range d.Buffers {
				require.Equal(t, diff.Renamed, b.Kind, b.Name)
				require.Equal(t, []diff.Field{diff.FieldName}, b.What, b.Name)
			}
		}
	}
	require.Greater(t, tried, 50)
}

// hlt1 is the sequence of the examples, edited.
func hlt1(t *testing.T, edits ...string) *planner.Plan {
	t.Helper()
	text, err := os.ReadFile("../../sequences/hlt1/velo.yaml")
	require.NoError(t, err)
	for i := 0; i < len(edits); i += 2 {
		require.Contains(t, string(text), edits[i])
	}
	return makePlan(t, strings.NewReplacer(edits...).Replace(string(text)))
}

// The buffers of a renamed step are compared with those of the step before.
func TestRenamedStep(t *testing.T) {
	rename := []string{"velo_search_by_triplet", "velo_search_triplets"}
	d := diff.New(hlt1(t), hlt1(t, rename...))
	require.Equal(t, "pools and arena as before: step velo_search_by_triplet renamed to velo_search_triplets", d.Verdict)
	require.Len(t, d.Buffers, 8)
	require.Equal(t, "velo_search_by_triplet.dev_tracks", find(t, d, "velo_search_triplets.dev_tracks").Old.Name)
	lines := strings.Join(d.Lines(diff.Options{}), "\n")
	require.Contains(t, lines, "\n      was          velo_search_by_triplet.dev_tracks\n")
	require.Contains(t, lines, "Steps: 0 added, 0 removed, 1 renamed, 0 changed, 0 in another order\n")
	require.Contains(t, lines, "    velo_search_triplets  was velo_search_by_triplet")

	// One of them grew.
	d = diff.New(hlt1(t), hlt1(t, append(rename, `dev_tracklets: {type: tracklet, count: "n_events * max_candidates"}`, `dev_tracklets: {type: tracklet, count: "n_events * max_candidates * 4"}`)...))
	require.Regexp(t, `, because velo_search_triplets\.dev_tracklets grew by 35\.2 MiB$`, d.Verdict)
	b := find(t, d, "velo_search_triplets.dev_tracklets")
	require.Equal(t, diff.Grew, b.Kind)
	require.Equal(t, "velo_search_by_triplet.dev_tracklets", b.Old.Name)

	// One of them has another name too.
	tracks := []string{
		"velo_search_by_triplet.dev_tracks:", "velo_search_triplets.dev_found:",
		"- velo_search_by_triplet.dev_tracks\n", "- velo_search_triplets.dev_found\n",
	}
	d = diff.New(hlt1(t), hlt1(t, append(tracks, rename...)...))
	require.Equal(t, "pools and arena as before: step velo_search_by_triplet renamed to velo_search_triplets; velo_search_triplets.dev_found was velo_search_by_triplet.dev_tracks", d.Verdict)

	// Two neighbours.
	d = diff.New(hlt1(t), hlt1(t, append(rename, "velo_three_hit_tracks_filter", "velo_filter")...))
	require.Equal(t, "pools and arena as before: 2 steps renamed", d.Verdict)
}

// plain is a sequence of steps in a line, each with its buffers and types: "name: a b/u64".
func plain(t *testing.T, steps ...string) *planner.Plan {
	text := "seqplan: 1\nname: plain\nsteps:\n"
	for _, s := range steps {
		name, list, _ := strings.Cut(s, ":")
		text += "  - name: " + name + "\n    writes:\n"
		for _, b := range strings.Fields(list) {
			b, typ, _ := strings.Cut(b, "/")
			text += "      " + name + "." + b + ": {type: " + cmp.Or(typ, "u32") + ", count: 100}\n"
		}
	}
	return makePlan(t, text)
}

// What is renamed, and what was replaced.
func TestWhichSteps(t *testing.T) {
	for _, c := range []struct {
		from, to []string
		want     string // OLD>NEW of the renamed
	}{
		{[]string{"a: x y", "b: x y", "c: x"}, []string{"a: x y", "d: x y", "c: x"}, "b>d"},
		// At least half of the buffers of the step with more of them.
		{[]string{"a: x y", "b: x y", "c: x"}, []string{"a: x y", "d: x y z w", "c: x"}, "b>d"},
		{[]string{"a: x y", "b: x y", "c: x"}, []string{"a: x y", "d: x y z w v", "c: x"}, ""},
		{[]string{"a: x y", "b: x y", "c: x"}, []string{"a: x y", "d: z w", "c: x"}, ""},
		{[]string{"a: x y z", "b: x y z"}, []string{"d: x v w", "b: x y z"}, ""},
		{[]string{"a: x", "b: y"}, []string{"d: x/u64", "b: y"}, ""},
		{[]string{"a: x v", "b: y"}, []string{"d: x/u64 v", "b: y"}, "a>d"},
		// Only between the same neighbours.
		{[]string{"a: x y", "b: x y", "c: x"}, []string{"d: x y", "a: x y", "c: x"}, ""},
		{[]string{"a: x y", "b: x y", "c: x"}, []string{"a: x y", "c: x", "d: x y"}, ""},
		{[]string{"a: x", "b: y", "c: z", "e: w"}, []string{"a: x", "d: y", "e: w", "c: z"}, ""},
		{[]string{"a: x", "c: z", "b: y", "e: w"}, []string{"c: z", "a: x", "d: y", "e: w"}, ""},
		// Two that both exist are never paired, though they look the same.
		{[]string{"a: x", "b: y"}, []string{"b: x", "a: y"}, ""},
		{[]string{"a: x", "b: x"}, []string{"a: x"}, ""},
		{[]string{"a: x"}, []string{"b: x", "a: x"}, ""},
		// One is new beside it.
		{[]string{"a: x", "b: y"}, []string{"c: z", "d: x", "b: y"}, "a>d"},
		{[]string{"a: x", "b: y"}, []string{"d: x", "c: z", "b: y"}, "a>d"},
		{[]string{"a: x", "b: y"}, []string{"d: x", "c: x", "b: y"}, ""}, // which of the two?
		{[]string{"a: x", "b: x", "c: y"}, []string{"d: x", "c: y"}, ""},
		// In another order, if they can be told from each other; else in the same.
		{[]string{"a: x", "b: y"}, []string{"d: y", "c: x"}, "a>c b>d"},
		{[]string{"a: x", "b: x"}, []string{"d: x", "c: x"}, "a>d b>c"},
		// Others make it certain.
		{[]string{"a: x", "b: y", "c: x"}, []string{"d: x", "e: y", "f: x", "n: z"}, "a>d b>e c>f"},
		{[]string{"a: x", "b: y", "c: x"}, []string{"n: z", "d: x", "e: y", "f: x"}, "a>d b>e c>f"},
	} {
		d := diff.New(plain(t, c.from...), plain(t, c.to...))
		require.Equal(t, c.want, pairs(d), "%q %q", c.from, c.to)
	}
}

// pairs are the renamed steps.
func pairs(d *diff.Diff) string {
	var out []string
	for _, s := range d.Steps.Changed {
		if s.Was != "" {
			out = append(out, s.Was+">"+s.Name)
		}
	}
	return strings.Join(out, " ")
}

// Steps without buffers are told by what they read, and where.
func TestIdleSteps(t *testing.T) {
	monitor := "  - name: monitor\n"
	for idle, want := range map[string]string{
		"{name: wait}":                     "idle>wait",
		"{name: wait, on: host}":           "",
		"{name: wait, reads: [raw_banks]}": "",
	} {
		d := diff.New(velo(t, monitor, "  - {name: idle}\n"+monitor), velo(t, monitor, "  - "+idle+"\n"+monitor))
		require.Equal(t, want, pairs(d), idle)
	}
	read := func(name string) *planner.Plan {
		return velo(t, monitor, "  - {name: "+name+", reads: [grains]}\n"+monitor, "      seeds:", "      grains:", "[seeds, prefix_velo]", "[grains, prefix_velo]")
	}
	require.Equal(t, "idle>wait", pairs(diff.New(velo(t, monitor, "  - {name: idle, reads: [seeds]}\n"+monitor), read("wait"))), "what it reads has another name")
}

// What is written in one step and scratch in the other is not the same, and what mentions a
// renamed buffer is.
func TestRenamedKind(t *testing.T) {
	with := func(step, kind string) *planner.Plan {
		return makePlan(t, "seqplan: 1\nname: kinds\nsteps:\n  - name: "+step+"\n    "+kind+": {"+step+".x: {type: u32, count: 8}}\n"+
			"  - name: last\n    writes: {y: {type: u8, count: \"size_of("+step+".x) / 2\"}, z: {type: u8, count: \"count_of( "+step+".x )\"}}\n")
	}
	require.Empty(t, pairs(diff.New(with("a", "writes"), with("b", "scratch"))))
	d := diff.New(with("a", "writes"), with("b", "writes"))
	require.Equal(t, "a>b", pairs(d))
	require.Len(t, d.Buffers, 1)
}

// Many steps at one place are told from each other up to a limit; above it only their order
// counts.
func TestManySteps(t *testing.T) {
	steps := func(n int, prefix string) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("%s%d: x%d", prefix, i, i))
		}
		return out
	}
	added := func(n int) string {
		return pairs(diff.New(plain(t, steps(n, "a")...), plain(t, append(steps(n, "b"), "n: z")...)))
	}
	require.Len(t, strings.Fields(added(100)), 100)
	require.Empty(t, added(128))
	require.Len(t, strings.Fields(pairs(diff.New(plain(t, steps(200, "a")...), plain(t, steps(200, "b")...)))), 200)
}

// A name that is in a plan twice is not renamed.
func TestTwiceRenamed(t *testing.T) {
	old := plain(t, "a: x", "b: y", "c: z")
	young := clone(t, old)
	old.Steps[1].Name = "a"
	require.Empty(t, pairs(diff.New(old, young)))
	require.Empty(t, pairs(diff.New(young, old)))
}
