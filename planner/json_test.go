package planner_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
	"github.com/seqplan/seqplan/sequences/streams"
)

func written(t *testing.T, p *planner.Plan) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, p.WriteJSON(&out))
	return out.String()
}

func planFile(t *testing.T, text []byte) string {
	t.Helper()
	seq, diags := sequences.Read("file.yaml", text)
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}})
	require.NoError(t, err)
	return written(t, p)
}

// Every plan that is written is read, and is the same when it is written again.
func TestReadPlanAccepts(t *testing.T) {
	texts := []string{planFile(t, hlt1.Velo()), planFile(t, hlt1.Reco()), planFile(t, streams.Trigger())}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 21))
		c := randseq.Small(r)
		if seed%2 == 0 {
			c = randseq.Streams(r)
		}
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		if p, err := planner.Make(seq, planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}}); err == nil {
			texts = append(texts, written(t, p))
		}
	}
	require.Greater(t, len(texts), 200)
	for i, text := range texts {
		p, err := planner.ReadPlan(strings.NewReader(text))
		require.NoError(t, err, "seed %d", i)
		require.Equal(t, text, written(t, p))
	}
}

// whole has all that a plan can have.
const whole = `
seqplan: 1
name: whole
workers: 2
device: {align: 256, capacity: 64MiB}
params:
  n_events: {min: 1, max: 100}
  width: 4
counts:
  n_hits: {at: "offsets[n_events]", max: "n_events * 8", typical: "n_events * 5"}
inputs:
  raw: {type: u8, count: "n_events * 4096"}
steps:
  - {name: unpack, stream: one, reads: [raw], writes: {words: {type: u32, count: "n_events * 512", offset: 0}, offsets: {type: u32, count: n_events + 1}}}
  - {name: find, stream: one, reads: [words, offsets], writes: {hits: {type: u32, count: n_hits}}, scratch: {space: {type: u8, count: "n_events * 64", hint: 1024}}}
  - {name: sort, stream: one, reads: [hits], writes: {sorted: {type: u32, count: "count_of(hits)", in_place_of: hits}, list: {type: u32, count: "n_events * 64", shrink: [{after: sort, count: n_events}]}}}
  - {name: other, stream: two, after: unpack, reads: [raw], writes: {cells: {type: u32, count: "n_events * 256"}}, scratch: {wide: {type: u8, count: "n_events * 4096"}}}
  - {name: join, stream: one, after: other, reads: [sorted, cells, list], writes: {out: {type: u32, count: n_events}}}
  - {name: look, on: host, reads: [out], writes: {seen: {type: u8, count: 1, scope: host}}}
outputs: [out]
`

// with is a plan file with another value at a place, which is a field as in a FieldError.
// A value that is nil takes the key away.
func with(t *testing.T, text, field string, value any) string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var plan any
	require.NoError(t, dec.Decode(&plan))
	path := strings.FieldsFunc(field, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	at := plan
	for _, name := range path[:len(path)-1] {
		if list, ok := at.([]any); ok {
			i, err := strconv.Atoi(name)
			require.NoError(t, err)
			at = list[i]
		} else {
			at = at.(map[string]any)[name]
		}
	}
	switch last := path[len(path)-1]; at := at.(type) {
	case []any:
		i, err := strconv.Atoi(last)
		require.NoError(t, err)
		at[i] = value
	case map[string]any:
		at[last] = value
	}
	out, err := json.MarshalIndent(plan, "", " ")
	require.NoError(t, err)
	return string(out)
}

// What no plan has is refused, with the field and its place in the file.
func TestReadPlanFields(t *testing.T) {
	good := planFile(t, []byte(whole))
	require.Contains(t, good, `"could"`)
	_, err := planner.ReadPlan(strings.NewReader(with(t, good, "workers", 3)))
	require.NoError(t, err)
	for _, tc := range []struct {
		field string
		value any
		want  string // the field that is named, if it is another one
		msg   string
	}{
		{"workers", 0, "", "0 workers"},
		{"steps", []int{}, "", "at least one"},
		{"params[0].min", 101, "", "101 is above the max, 100"},
		{"params[1].name", "n_events", "", "before it"},
		{"batch", "n", "", "no such parameter"},
		{"counts[0].at", "ghost", "counts[0].at[0]", "no such buffer"},
		{"pools[0].scope", "host", "", "want the device pool here"},
		{"pools[0].align", 0, "", "no power of two"},
		{"pools[0].align", 96, "", "no power of two"},
		{"pools[0].reserved", uint64(math.MaxUint64), "pools[0].size", "is not what is reserved"},
		{"pools[0].height", 256, "pools[0].size", "is not what is reserved"},
		{"pools[0].size", 1 << 40, "", "is not what is reserved"},
		{"pools[0].lower_bound", 1 << 40, "", "above the height"},
		{"pools[0].peak_step", 6, "", "6 is none of the 6 steps"},
		{"pools[0].peak_step", -1, "", "-1 is none of the 6 steps"},
		{"pools[0].padding", 1 << 40, "", "more than the height"},
		{"pools[0].hints", 99, "", "99 hints of 11 buffers"},
		{"pools[0].hints", -1, "", "-1 hints"},
		{"pools[0].hints_kept", 2, "", "2 of 1 hints"},
		{"pools[0].hints_kept", -1, "", "-1 of 1 hints"},
		{"pools[0].apart", -1, "", "-1 pairs"},
		{"pools[0].at_peak[0].name", "seen", "", "no such buffer in the pool"},
		{"pools[0].at_peak[0].name", "ghost", "", "no such buffer in the pool"},
		{"pools[0].at_peak[0].name", "hits", "", "no such buffer in the pool"},
		{"pools[0].at_peak[0].bytes", uint64(math.MaxUint64), "", "more than the height"},
		{"pools[0].could[0].from", -3, "", "none of the 6 steps"},
		{"pools[0].could[0].to", 6, "", "none of the 6 steps"},
		{"arena.align", 3, "", "no power of two"},
		{"arena.slots", 1, "", "1 slots for 2 dynamic buffers"},
		{"arena.worst.peak", 1 << 40, "", "more than the sum"},
		{"arena.typical.peak_step", 77, "", "none of the 6 steps"},
		{"steps[3].stream", -1, "", "-1 is none of the 2 streams"},
		{"steps[3].stream", 2, "", "2 is none of the 2 streams"},
		{"steps[3].after[0]", 3, "", "none of the 6 steps"},
		{"steps[3].after[0]", -1, "", "none of the 6 steps"},
		{"steps[3].after", []int{1, 0}, "steps[3].after[1]", "0 is not behind"},
		{"steps[0].reads[0]", "ghost", "", "no such buffer"},
		{"steps[0].writes[1]", "ghost", "", "no such buffer"},
		{"waits[0].step", 6, "", "none of the 6 steps"},
		{"waits[0].buffers[0]", "ghost", "", "no such buffer"},
		{"added", []map[string]int{{"from": 0, "to": 9}}, "added[0].to", "none of the 6 steps"},
		{"buffers[1].name", "raw", "", "before it"},
		{"buffers[1].step", 6, "", "none of the 6 steps"},
		{"buffers[1].step", -2, "", "none of the 6 steps"},
		{"buffers[1].step", -1, "", "an input has none"},
		{"buffers[0].step", 0, "", "an input has none"},
		{"buffers[1].align", 12, "", "no power of two"},
		{"buffers[1].lifetime.first", -1, "buffers[1].lifetime", "none of the 6 steps"},
		{"buffers[1].lifetime.end", 7, "buffers[1].lifetime", "none of the 6 steps"},
		{"buffers[1].lifetime.end", 0, "buffers[1].lifetime", "none of the 6 steps"},
		{"buffers[1].proof_at", []int{1}, "", "1 values of 2 parameters"},
		{"buffers[1].hint_kept", true, "", "no hint"},
		{"buffers[1].slot", 0, "", "a static buffer has none"},
		{"buffers[1].typical", 5, "", "one size"},
		{"buffers[1].driven_by", []string{"n_hits"}, "", "no count"},
		{"buffers[1].proof", "counts", "", "no such proof"},
		{"buffers[1].offset", 0, "", "not behind the"},
		{"buffers[2].offset", 1 << 40, "", "not behind the"},
		{"buffers[1].max", 1 << 40, "", "ends behind the device pool"},
		{"buffers[2].align", 1 << 30, "buffers[2].offset", "no multiple of the alignment"},
		{"buffers[1].fixed_offset", 256, "", "is not the offset"},
		{"buffers[3].slot", 2, "", "none of the 2 slots"},
		{"buffers[3].slot", -1, "", "none of the 2 slots"},
		{"buffers[3].slot", 1, "buffers", "two buffers have one slot"},
		{"buffers[3].proof", "monotone", "", "no such proof"},
		{"buffers[3].driven_by", []string{}, "", "a count is in the size"},
		{"buffers[3].driven_by[0]", "ghost", "", "no such count"},
		{"buffers[3].max", uint64(math.MaxUint64), "", "cannot be rounded up"},
		{"buffers[5].in_place_of", "list", "", "no buffer before this one"},
		{"buffers[5].in_place_of", "sorted", "", "no buffer before this one"},
		{"buffers[5].in_place_of", "words", "", "no buffer before this one"},
		{"buffers[1].uses[0].step", -1, "", "none of the 6 steps"},
		{"buffers[1].uses[1].step", 7, "", "none of the 6 steps"},
		{"buffers[1].uses[0].step", 6, "buffers[1].uses[1].step", "before the use in front"},
		{"buffers[6].lent[0].first", 0, "buffers[6].lent[0]", "not in the life"},
		{"buffers[6].lent[0].end", 6, "buffers[6].lent[0]", "not in the life"},
		{"buffers[6].lent[0].end", 1, "buffers[6].lent[0]", "not in the life"},
		{"buffers[6].lent[0].low", 1 << 20, "buffers[6].lent[0]", "not in the buffer"},
		{"buffers[6].lent[0].high", 1 << 20, "buffers[6].lent[0]", "not in the buffer"},
	} {
		text := with(t, good, tc.field, tc.value)
		_, err := planner.ReadPlan(strings.NewReader(text))
		fault := new(planner.FieldError)
		require.ErrorAs(t, err, &fault, "%s = %v", tc.field, tc.value)
		require.Equal(t, cmp.Or(tc.want, tc.field), fault.Field, "%s = %v: %v", tc.field, tc.value, err)
		require.Contains(t, fault.Msg, tc.msg)
		if tc.want == "" {
			value, err := json.Marshal(tc.value)
			require.NoError(t, err)
			line := strings.Split(text, "\n")[fault.Line-1]
			if at := line[fault.Col-1:]; at != "[" {
				require.Equal(t, string(value), strings.TrimSuffix(at, ","), tc.field)
			}
		}
	}
}
