package diff_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
)

func find(t *testing.T, d *diff.Diff, name string) *diff.Buffer {
	t.Helper()
	for i := range d.Buffers {
		if d.Buffers[i].Name == name {
			return &d.Buffers[i]
		}
	}
	require.Fail(t, "no buffer "+name+" in the comparison", d.Verdict)
	return nil
}

// One formula that grew four times is named, with its line.
func TestPlantedRegression(t *testing.T) {
	text, err := os.ReadFile("testdata/old.yaml")
	require.NoError(t, err)
	formula := `prefix_velo: {type: u32, count: "n_events * max_tracks`
	line := "velo.yaml:" + strconv.Itoa(1+strings.Count(strings.Split(string(text), formula)[0], "\n"))
	old := read(t, "velo.yaml", string(text))
	young := read(t, "velo.yaml", strings.Replace(string(text), formula, formula+" * 4", 1))
	from, err := planner.Make(old, planner.Options{})
	require.NoError(t, err)
	to, err := planner.Make(young, planner.Options{})
	require.NoError(t, err)
	d := diff.New(from, to)
	d.Locate(old, young)
	require.True(t, d.NeedChanged)
	require.True(t, d.LayoutChanged)
	require.Len(t, d.Buffers, 1)
	b := find(t, d, "prefix_velo")
	require.Equal(t, diff.Grew, b.Kind)
	require.Equal(t, "+4800000", b.Change.String())
	require.Equal(t, line, b.New.At)
	over := d.Over(diff.LimitPercent(big.NewRat(2, 1)), planner.BasisTypical)
	require.Len(t, over, 1)
	require.Equal(t, "typical device need +4800000 B (+4.6 MiB, +10.3 %); grew most: "+line+" prefix_velo +4.6 MiB", over[0].String())

	require.Equal(t, line, fmt.Sprintf("%s:%d", over[0].At().File, over[0].At().Line))
	require.Positive(t, over[0].At().Col)
	require.Equal(t, over[0].At(), d.At())

	d.Locate(old, nil)
	require.Empty(t, b.New.At)
	require.Zero(t, over[0].At(), "a plan has no lines")
	require.Zero(t, d.At())
}

// What has no culprit, or one that is gone, is nowhere in the new file.
func TestNowhere(t *testing.T) {
	seq, old := load(t, "old.yaml")
	young := clone(t, old)
	young.Pools[0].Size += 1 << 10
	d := diff.New(old, young)
	d.Locate(seq, seq)
	require.Zero(t, d.At())
	require.Zero(t, d.Over(diff.LimitBytes(5), planner.BasisTypical)[0].At())

	d = diff.New(old, velo(t, `      smoothed: {type: f32, count: "n_events * 900"}`+"\n", "", "[tracks, smoothed, flags]", "[tracks, flags]"))
	d.Locate(seq, seq)
	require.Contains(t, d.Verdict, "smoothed disappeared")
	require.Zero(t, d.At())
}

// Whatever a plan file names, a line stays a line that can be read; JSON has all of it.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("long", 1<<14)
	old, young := velo(t), velo(t)
	for i := range young.Buffers {
		b := &young.Buffers[i]
		b.Name, b.Count, b.Type, b.InPlaceOf = b.Name+long, long, long, long
		b.Uses = append(b.Uses, planner.Use{Step: b.Lifetime.End - 1, Why: planner.UseKind(long), Of: long})
		b.DrivenBy = []string{long}
	}
	for i := range young.Steps {
		young.Steps[i].Name += long
	}
	young.Name, young.Batch, young.Pools[0].Reuse, young.Params[0].Name, young.Counts[0].Name, young.Counts[0].At = long, long, long, long, long, long
	names := make([]string, 1<<12)
	for i := range names {
		names[i] = long[:300]
	}
	young.Waits = append(young.Waits, planner.Wait{Step: 1, Reason: long, Buffers: names})
	for _, pair := range [][2]*planner.Plan{{old, young}, {young, old}, {young, velo(t)}} {
		d := diff.New(pair[0], pair[1])
		var text, md, data bytes.Buffer
		require.NoError(t, d.Text(&text, diff.Options{Top: 100}))
		require.NoError(t, d.Markdown(&md, diff.Options{Top: 100}))
		require.NoError(t, d.JSON(&data))
		require.Less(t, text.Len(), 100_000)
		require.Less(t, md.Len(), 100_000)
		require.Less(t, len(d.Verdict), 2000)
		require.Contains(t, data.String(), long)
		for _, o := range d.Over(diff.LimitBytes(0), planner.BasisTypical) {
			require.Less(t, len(o.String()), 2000)
		}
	}
	require.Contains(t, strings.Join(diff.New(old, young).Lines(diff.Options{}), "\n"), "and 4086 more")
}

// What is cut keeps its beginning and its end.
func TestCut(t *testing.T) {
	exact := strings.Repeat("é", 200)
	require.Equal(t, exact, diff.Strip(diff.Mark(exact)))
	cut := diff.Strip(diff.Mark("a" + exact + " * 4"))
	require.Equal(t, 200, utf8.RuneCountInString(cut))
	require.True(t, strings.HasPrefix(cut, "aé"))
	require.True(t, strings.HasSuffix(cut, "é * 4"))
	require.Contains(t, cut, "é..é")
}

// A step in front of all others, or behind them, moves no lifetime; a reader that comes
// later does.
func TestLifetimes(t *testing.T) {
	front := velo(t, "steps:\n", "steps:\n  - {name: idle}\n")
	require.Empty(t, diff.New(velo(t), front).Buffers)
	behind := velo(t, "outputs:", "  - {name: idle}\noutputs:")
	require.Empty(t, diff.New(velo(t), behind).Buffers)
	off := func(p ...string) *planner.Plan {
		return velo(t, append(p, "device: {align: 256}", "device: {align: 256, reuse: off}")...)
	}
	require.Empty(t, diff.New(off(), off("steps:\n", "steps:\n  - {name: idle}\n")).Buffers)

	d := diff.New(velo(t), velo(t, "reads: [tracks, smoothed, flags]", "reads: [tracks, smoothed, flags, seeds]"))
	require.Len(t, d.Buffers, 1)
	b := find(t, d, "seeds")
	require.Equal(t, []diff.Field{diff.FieldLifetime}, b.What)
	require.Equal(t, diff.Changed, b.Kind)
	require.Equal(t, "fit", b.Old.Last)
	require.Equal(t, "select", b.New.Last)
	require.Equal(t, []diff.Holder{{Step: "select", Why: planner.UseRead}}, b.New.HeldBy)
	require.Equal(t, []diff.Holder{{Step: "fit", Why: planner.UseRead}}, b.Old.HeldBy)
}

// A buffer is renamed only if there is no doubt.
func TestRenamed(t *testing.T) {
	d := diff.New(velo(t), velo(t, "work: {type: f32", "scratchpad: {type: f32"))
	require.Len(t, d.Buffers, 1)
	require.Equal(t, diff.Renamed, d.Buffers[0].Kind)
	require.Equal(t, "work", d.Buffers[0].Old.Name)
	require.False(t, d.NeedChanged)

	// Another formula, another type, another step, and two that could be meant.
	work := `work: {type: f32, count: "n_events * 64"}`
	for _, now := range []string{
		`scratchpad: {type: f32, count: "n_events * 65"}`,
		`scratchpad: {type: u32, count: "n_events * 64"}`,
		`scratchpad: {type: f32, count: "n_events * 64", scope: host}`,
		`one: {type: f32, count: "n_events * 64"}` + "\n      " + `two: {type: f32, count: "n_events * 64"}`,
	} {
		d := diff.New(velo(t), velo(t, work, now))
		require.Equal(t, diff.Disappeared, find(t, d, "work").Kind)
		for i := range d.Buffers {
			require.Contains(t, []diff.Kind{diff.Appeared, diff.Disappeared}, d.Buffers[i].Kind)
		}
	}
	d = diff.New(velo(t), velo(t, "name: cluster\n", "name: clusterise\n", work, `scratchpad: {type: f32, count: "n_events * 64"}`))
	require.Equal(t, diff.Renamed, find(t, d, "scratchpad").Kind)
	require.Equal(t, "pools and arena as before: step cluster renamed to clusterise; scratchpad was work", d.Verdict)

	// What refers to a renamed buffer is as before.
	base := []string{`smoothed: {type: f32, count: "n_events * 900"}`, `smoothed: {type: f32, count: "n_events * 900", in_place_of: seeds}`}
	d = diff.New(velo(t, base...), velo(t, base[0], strings.Replace(base[1], "of: seeds", "of: grains", 1), "      seeds:", "      grains:", "[seeds, prefix_velo]", "[grains, prefix_velo]"))
	require.Len(t, d.Buffers, 1)
	require.Equal(t, diff.Renamed, d.Buffers[0].Kind)
}

// Names that are there twice are compared in their order.
func TestTwice(t *testing.T) {
	old := velo(t)
	old.Buffers = append(old.Buffers, old.Buffers[1], old.Buffers[1])
	require.True(t, diff.New(old, old).Empty)
	young := clone(t, old)
	young.Buffers[len(young.Buffers)-1].Max += 5
	d := diff.New(old, young)
	require.Len(t, d.Buffers, 1)
	require.Equal(t, "+5", d.Buffers[0].Change.String())
	young.Buffers = young.Buffers[:len(young.Buffers)-1]
	d = diff.New(old, young)
	require.Len(t, d.Buffers, 1)
	require.Equal(t, diff.Disappeared, d.Buffers[0].Kind)
}

// Differences are exact up to the ends of the range, and what was nothing is new.
func TestHugeNumbers(t *testing.T) {
	old, young := velo(t), velo(t)
	for i := range young.Buffers {
		old.Buffers[i].Max, young.Buffers[i].Max = 0, math.MaxUint64
		old.Buffers[i].Typical, young.Buffers[i].Typical = nil, nil
	}
	old.Pools[0].Size, young.Pools[0].Size = 0, math.MaxUint64
	n := uint64(len(old.Buffers))
	d := diff.New(old, young)
	want := new(big.Int).Mul(new(big.Int).SetUint64(math.MaxUint64), new(big.Int).SetUint64(n))
	require.Equal(t, "+"+want.String(), d.Total.Bytes.Change.String())
	require.Equal(t, "-"+want.String(), diff.New(young, old).Total.Bytes.Change.String())
	require.Equal(t, "+18446744073709551615", d.Buffers[0].Change.String())
	require.True(t, strings.HasPrefix(d.Verdict, "device pool +16.0 EiB (new)"), d.Verdict)
	require.Contains(t, strings.Join(d.Lines(diff.Options{}), "\n"), "+18446744073709551615 B (+16.0 EiB, new)")
	require.Contains(t, strings.Join(diff.New(young, old).Lines(diff.Options{}), "\n"), "-18446744073709551615 B (-16.0 EiB, -100.0 %)")
}

// Names of a plan file may be anything: they break no line, no table and no terminal.
func TestHostileNames(t *testing.T) {
	hostile := []string{
		"a\nb", "\x1b[31mred", "| x | y |", "`code`", "<script>alert(1)</script>", "=1+1", "@someone", "*b*_i_~s~", "\u202eevil",
		"[x](http://e.example)", "a\\", "&lt;", "\xff\xfe", "a\tb", "\x01b\x02", "```", " ", "$\\{x}$", "#1",
	}
	old, young := velo(t), velo(t)
	young.Buffers = nil
	for i, name := range hostile {
		b := old.Buffers[i%len(old.Buffers)]
		b.Name, b.Count, b.Type, b.InPlaceOf = name, name, name, name
		b.Uses = append(b.Uses, planner.Use{Step: sequences.StepID(i % 3), Why: planner.UseKind(name), Of: name})
		young.Buffers = append(young.Buffers, b)
	}
	young.Name = hostile[0]
	young.Steps[0].Name, young.Steps[1].Name = hostile[2], hostile[1]
	young.Waits = append(young.Waits, planner.Wait{Step: 1, Reason: hostile[4], Buffers: hostile})
	young.Params[0].Name, young.Batch = hostile[3], hostile[3]
	young.Pools[0].Reuse = hostile[0]
	d := diff.New(old, young)
	var text, md bytes.Buffer
	require.NoError(t, d.Text(&text, diff.Options{Top: 100}))
	require.NoError(t, d.Markdown(&md, diff.Options{Top: 100}))
	control := regexp.MustCompile(`[^\n\x20-\x7e]`)
	require.NotRegexp(t, control, text.String())
	require.NotRegexp(t, control, md.String())
	cells := regexp.MustCompile("`[^`|]*`")
	var columns int
	for _, line := range strings.Split(md.String(), "\n") {
		bare := cells.ReplaceAllString(line, "")
		require.NotContains(t, bare, "`")
		for _, mark := range []string{"<script", "@", "~", "](", "$", "\\"} {
			require.NotContains(t, bare, mark)
		}
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		if columns == 0 {
			columns = strings.Count(bare, "|")
		}
		require.Equal(t, columns, strings.Count(bare, "|"), line)
	}
	require.Equal(t, "`n_events * 4`", diff.AsMarkdown(diff.Mark("n_events * 4")))
	require.Equal(t, "a&#124;b", diff.AsMarkdown(diff.Mark("a|b")))
	require.Equal(t, `a\nb`, diff.Strip(diff.Mark("a\nb")))
}
