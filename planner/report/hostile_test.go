package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
)

// hostile are names that no sequence file has, but a plan file may.
var hostile = []string{
	`=HYPERLINK("http://example.org";"x")`, "+1+1", "-1", "@SUM(A1)", " =1", "'=1", "%0", "|calc",
	"a|b", "`code`", "``", "a\\", "\\", "[x](http://example.org)", "<b>", "*bold*", "#1", "| a | b |",
	"two\nlines", "cr\rname", "tab\tname", "\x1b[31mred\x1b[0m", "\u009b31m", "\x00", "bell\a", "\u202egnp", "\u2028", "\xff\xfe", "\ufffd",
	`</title><script>alert(1)</script>`, `"/><image href="x"/>`, `]]>`, `&lt;`, `'`, `"`, `a"]; s0 -> s1; x [label="`, `\N`, `\"`, "{", "", " ",
	"(-1)", strings.Repeat("long", 300), "Größe", "飛跡",
}

// rename gives the buffers, steps and counts of a plan other names.
func rename(t *testing.T, p *planner.Plan, to func(i int) string) *planner.Plan {
	t.Helper()
	var data bytes.Buffer
	require.NoError(t, p.WriteJSON(&data))
	q, err := planner.ReadPlan(&data)
	require.NoError(t, err)
	names, i := map[string]string{"": ""}, 0
	name := func(s *string) {
		if _, ok := names[*s]; !ok {
			names[*s] = to(i)
			i++
		}
		*s = names[*s]
	}
	list := func(l []string) {
		for i := range l {
			name(&l[i])
		}
	}
	for i := range q.Buffers {
		b := &q.Buffers[i]
		name(&b.Name)
		name(&b.InPlaceOf)
		name(&b.Type)
		name(&b.Count)
		list(b.DrivenBy)
		for j := range b.Uses {
			name(&b.Uses[j].Of)
		}
	}
	for i := range q.Steps {
		name(&q.Steps[i].Name)
		list(q.Steps[i].Reads)
		list(q.Steps[i].Writes)
	}
	for i := range q.Counts {
		name(&q.Counts[i].Name)
		name(&q.Counts[i].At)
	}
	for i := range q.Pools {
		for j := range q.Pools[i].AtPeak {
			name(&q.Pools[i].AtPeak[j].Name)
		}
	}
	for i := range q.Waits {
		name(&q.Waits[i].Reason)
		list(q.Waits[i].Buffers)
	}
	for i := range q.Params {
		name(&q.Params[i].Name)
	}
	list(q.Streams)
	name(&q.Name)
	return q
}

// shape is what may not depend on names: the lines, and what divides them into cells.
func shape(format string, text []byte) []string {
	var out []string
	for line := range strings.Lines(string(text)) {
		switch {
		case format == "md" && strings.HasPrefix(line, "|"):
			out = append(out, strings.Repeat("|", strings.Count(line, "|")))
		default:
			out = append(out, "")
		}
	}
	return out
}

// No name does anything in any format: it stays one text at its place.
func TestHostileNames(t *testing.T) {
	for name, p := range plans(t) {
		shifts := 4
		if name == "reco" {
			shifts = 1 // it is large
		}
		for shift := range shifts {
			harmless := rename(t, p, func(i int) string { return "name" + string(rune('a'+i%26)) + strings.Repeat("x", i/26) })
			evil := rename(t, p, func(i int) string { return hostile[(i+11*shift)%len(hostile)] })
			want, got := formats(t, harmless), formats(t, evil)
			for format, text := range got {
				require.True(t, utf8.Valid(text), format)
				for _, r := range string(text) {
					require.True(t, r == '\n' || unicode.IsPrint(r), "%s.%s: %q", name, format, r)
				}
				if format != "svg" && format != "kind.svg" && format != "txt" && format != "json" {
					require.Equal(t, shape(format, want[format]), shape(format, text), "%s.%s", name, format)
				}
			}
			checkSVG(t, got["svg"])
			require.True(t, json.Valid(got["trace.json"]))
			require.True(t, json.Valid(got["json"]))
			require.NotContains(t, string(got["md"]), "<")
			cells(t, got["csv"], len(p.Buffers))
			statements(t, got["dot"])
			for i := range evil.Buffers {
				var b bytes.Buffer
				require.NoError(t, report.Explain(&b, evil, evil.Buffers[i].Name))
				for _, r := range b.String() {
					require.True(t, r == '\n' || unicode.IsPrint(r), "%q", r)
				}
			}
		}
	}
}

// cells are what a spreadsheet makes of them: no formula.
func cells(t *testing.T, text []byte, rows int) {
	t.Helper()
	table, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	require.Len(t, table, rows+1)
	for _, row := range table {
		for _, cell := range row {
			trimmed := strings.TrimSpace(cell)
			require.False(t, trimmed != "" && strings.ContainsAny(trimmed[:1], "=+-@|%\t\r"), cell)
		}
	}
}

// statements are what Graphviz makes of the text: outside of quotes there are only words
// of this program.
func statements(t *testing.T, text []byte) {
	t.Helper()
	var bare strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
			require.Contains(t, `"\n`, string(text[i]), "an escape of a label")
		case text[i] == '"':
			quoted = !quoted
		case quoted:
			require.NotEqual(t, byte('\n'), text[i])
		default:
			bare.WriteByte(text[i])
		}
	}
	require.False(t, quoted)
	require.Regexp(t, `^[a-z0-9_ =,;>\[\]{}\n.A-Z-]*$`, bare.String())
	for _, word := range []string{"script", "alert", "calc", "bold*"} {
		require.NotContains(t, bare.String(), word)
	}
}

// Names and formulas that are harmless stay what they are.
func TestHarmlessNames(t *testing.T) {
	_, p := trigger(t)
	q := rename(t, p, func(i int) string { return "velo.tracks_" + strings.Repeat("i", i) })
	for format, text := range formats(t, q) {
		require.Contains(t, string(text), "velo.tracks_iii", format)
		require.NotContains(t, string(text), `velo\.`, format)
		require.NotContains(t, string(text), `'velo`, format)
	}
}
