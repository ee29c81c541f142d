package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// facts are the numbers and words of one format, each with a name that is the same in all.
type facts map[string]string

// set adds a fact. One that a format tells twice is the same both times.
func (f facts) set(t *testing.T, value any, name string, args ...any) {
	t.Helper()
	name = fmt.Sprintf(name, args...)
	text := fmt.Sprint(value)
	if old, ok := f[name]; ok {
		require.Equal(t, old, text, name)
	}
	f[name] = text
}

// match sets the facts that a pattern finds in a text, where names gives each group after
// the first n one; the first n groups are part of the names.
func (f facts) match(t *testing.T, text, pattern string, n int, prefix string, names ...string) {
	t.Helper()
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		if strings.HasSuffix(m[1], "..") {
			continue // a name that was cut
		}
		key := strings.Join(append([]string{prefix}, m[1:n+1]...), "/")
		for i, name := range names {
			if name != "" {
				f.set(t, m[n+1+i], "%s/%s", key, name)
			}
		}
	}
}

// size are the bytes of a buffer as all formats count them.
func size(b *planner.Buffer) string {
	switch {
	case b.Typical != nil:
		return fmt.Sprint(uint64(*b.Typical))
	case b.Proof == planner.ProofNone:
		return "unknown"
	}
	return fmt.Sprint(uint64(b.Max))
}

func planFacts(t *testing.T, p *planner.Plan) facts {
	var data bytes.Buffer
	require.NoError(t, p.WriteJSON(&data))
	read, err := planner.ReadPlan(&data)
	require.NoError(t, err)
	f := facts{}
	for i := range read.Buffers {
		b := &read.Buffers[i]
		f.buffer(t, b.Name, b.Class, b.Scope, size(b), int(b.Lifetime.First), int(b.Lifetime.End))
		f.set(t, fmt.Sprintf("%d B * (%s)", uint64(b.ElemSize), b.Count), "buffer/%s/size", b.Name)
		if b.Class == planner.Static {
			f.set(t, uint64(b.Offset), "buffer/%s/offset", b.Name)
		} else {
			f.set(t, b.Slot, "buffer/%s/slot", b.Name)
		}
	}
	for _, pool := range read.Pools {
		f.pool(t, &pool)
	}
	f.arena(t, &read.Arena)
	f.set(t, len(read.Waits), "waits")
	return f
}

func (f facts) buffer(t *testing.T, name string, class planner.Class, scope sequences.Scope, bytes string, first, end int) {
	f.set(t, class, "buffer/%s/class", name)
	f.set(t, scope, "buffer/%s/scope", name)
	f.set(t, bytes, "buffer/%s/bytes", name)
	f.set(t, first, "buffer/%s/first", name)
	f.set(t, end, "buffer/%s/end", name)
}

func (f facts) pool(t *testing.T, p *planner.Pool) {
	for name, v := range map[string]sequences.Bytes{"size": p.Size, "height": p.Height, "lower bound": p.LowerBound, "padding": p.Padding} {
		f.set(t, uint64(v), "pool/%s/%s", p.Scope, name)
	}
	if p.Reserved > 0 {
		f.set(t, uint64(p.Reserved), "pool/%s/reserved", p.Scope)
	}
	f.set(t, p.PeakStep, "pool/%s/peak", p.Scope)
}

func (f facts) arena(t *testing.T, a *planner.Arena) {
	f.set(t, a.Slots, "slots")
	for name, d := range map[string]*planner.Demand{"worst": a.Worst, "typical": a.Typical} {
		if d != nil && a.Slots > 0 {
			f.set(t, uint64(d.Sum), "arena/%s/sum", name)
			f.set(t, uint64(d.Peak), "arena/%s/peak", name)
		}
	}
}

func jsonFacts(t *testing.T, text []byte) facts {
	var r report.Report
	require.NoError(t, json.Unmarshal(text, &r))
	f := facts{}
	for _, row := range r.Classes.Rows {
		f.set(t, row.Buffers, "class/%s/%s/buffers", row.Class, row.Scope)
		f.set(t, uint64(row.Bytes), "class/%s/%s/bytes", row.Class, row.Scope)
		f.set(t, uint64(row.InPlace), "class/%s/%s/in place", row.Class, row.Scope)
		f.set(t, fmt.Sprintf("%.1f", row.Percent), "class/%s/%s/share", row.Class, row.Scope)
	}
	f.set(t, r.Classes.Total.Buffers, "class/total/buffers")
	f.set(t, uint64(r.Classes.Total.Bytes), "class/total/bytes")
	f.set(t, uint64(r.Classes.Total.InPlace), "class/total/in place")
	for i := range r.Pools {
		p := &r.Pools[i]
		f.pool(t, &p.Pool)
		f.set(t, uint64(p.Waste.Holes), "pool/%s/holes", p.Scope)
		f.set(t, uint64(p.Waste.Padding), "pool/%s/padding", p.Scope)
		f.set(t, uint64(p.Sum), "pool/%s/sum", p.Scope)
		f.peak(t, p)
		for s, b := range p.Live {
			f.set(t, uint64(b), "live/%s/%d", p.Scope, s)
		}
	}
	for _, b := range r.Top {
		f.buffer(t, b.Name, b.Class, b.Scope, fmt.Sprint(uint64(b.Bytes)), int(b.Lifetime.First), int(b.Lifetime.End))
		f.set(t, b.Formula, "buffer/%s/size", b.Name)
		f.set(t, b.Basis, "buffer/%s/basis", b.Name)
	}
	f.arena(t, &r.Arena.Arena)
	f.needs(t, r.Needs, r.Workers)
	for name, peak := range map[string]*report.ArenaPeak{"worst": r.Arena.WorstPeak, "typical": r.Arena.TypicalPeak} {
		if peak != nil && r.Arena.Slots > 0 {
			f.set(t, peak.Step, "arena/%s/step", name)
			f.set(t, peak.Name, "arena/%s/step name", name)
			f.set(t, len(peak.Buffers), "arena/%s/alive", name)
		}
	}
	for _, c := range r.Arena.Counts {
		f.set(t, uint64(c.Bytes), "count/%s/bytes", c.Name)
	}
	f.set(t, len(r.Waits), "waits")
	return f
}

// needs are what the device has to have in all.
func (f facts) needs(t *testing.T, list []report.Need, workers int) {
	for _, n := range list {
		if n.Bytes == nil {
			f.set(t, "unknown", "need/%s/one worker", n.Basis)
			continue
		}
		f.set(t, fmt.Sprintf("%d B", uint64(*n.Bytes)), "need/%s/one worker", n.Basis)
		if workers > 1 {
			f.set(t, fmt.Sprintf("%d B", uint64(*n.AllWorkers)), "need/%s/all workers", n.Basis)
		}
	}
}

// peak is the set of buffers behind the bound of a pool, if it has any.
func (f facts) peak(t *testing.T, p *report.Pool) {
	if len(p.AtPeak) == 0 {
		return
	}
	f.set(t, p.Peak.Step != nil, "pool/%s/at one step", p.Scope)
	f.set(t, len(p.AtPeak), "pool/%s/at peak", p.Scope)
	f.set(t, uint64(p.Peak.Bytes), "pool/%s/peak bytes", p.Scope)
	if p.Peak.Step == nil {
		f.set(t, uint64(p.Peak.Live), "pool/%s/live", p.Scope)
	} else {
		f.set(t, *p.Peak.Step, "pool/%s/peak", p.Scope)
	}
}

// peakText reads the words of text and md.
func (f facts) peakText(t *testing.T, scope, peak, inOrder string) {
	m := regexp.MustCompile(`^(?:step (\d+) \S+, (\d+) buffers? alive|(\d+) buffers? that may be in use together, in no order): (\d+) B`).FindStringSubmatch(peak)
	require.NotNil(t, m, peak)
	f.set(t, m[1] != "", "pool/%s/at one step", scope)
	f.set(t, m[2]+m[3], "pool/%s/at peak", scope)
	f.set(t, m[4], "pool/%s/peak bytes", scope)
	if m[1] != "" {
		f.set(t, m[1], "pool/%s/peak", scope)
		require.Empty(t, inOrder)
		return
	}
	m = regexp.MustCompile(`^step (\d+) \S+: (\d+) B`).FindStringSubmatch(inOrder)
	require.NotNil(t, m, inOrder)
	f.set(t, m[1], "pool/%s/peak", scope)
	f.set(t, m[2], "pool/%s/live", scope)
}

func csvFacts(t *testing.T, text []byte) facts {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	f := facts{}
	type sum struct{ buffers, bytes, inPlace uint64 }
	sums := map[string]*sum{"total": {}}
	for _, row := range rows[1:] {
		b := map[string]string{}
		for i, column := range rows[0] {
			b[column] = row[i]
		}
		name := b["name"]
		bytes := b["typical"]
		if bytes == "" {
			bytes = b["max"]
		}
		if bytes == "" {
			bytes = "unknown"
		}
		for _, column := range []string{"class", "scope", "first", "end"} {
			f.set(t, b[column], "buffer/%s/%s", name, column)
		}
		for _, column := range []string{"offset", "slot"} {
			require.Equal(t, b["class"] == "static", (column == "offset") == (b[column] != ""))
			if b[column] != "" {
				f.set(t, b[column], "buffer/%s/%s", name, column)
			}
		}
		f.set(t, bytes, "buffer/%s/bytes", name)
		f.set(t, fmt.Sprintf("%s B * (%s)", b["elem_size"], b["count"]), "buffer/%s/size", name)
		n, _ := strconv.ParseUint(bytes, 10, 64) // 0 if unknown
		key := b["class"] + "/" + b["scope"]
		if sums[key] == nil {
			sums[key] = &sum{}
		}
		for _, s := range []*sum{sums[key], sums["total"]} {
			s.buffers, s.bytes = s.buffers+1, s.bytes+n
			if b["in_place_of"] != "" {
				s.inPlace += n
			}
		}
	}
	for key, s := range sums {
		f.set(t, s.buffers, "class/%s/buffers", key)
		f.set(t, s.bytes, "class/%s/bytes", key)
		f.set(t, s.inPlace, "class/%s/in place", key)
	}
	return f
}
