package budget

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

// apply does to the text of a file what a way says, with a value that is more by some steps.
func apply(t tester, text string, w Way, more uint64) string {
	t.Helper()
	switch w.Kind {
	case WayBatch, WayParam:
		now, value := strconv.FormatUint(w.From, 10), strconv.FormatUint(w.To+more, 10)
		fixed := w.Name + ": {min: " + now + ", max: " + now + "}"
		if strings.Contains(text, fixed) { // a value and no range
			return strings.Replace(text, fixed, w.Name+": "+value, 1)
		}
		return substitute(t, text, `(\b`+w.Name+`: (?:\{min: \d+, max: )?)`+now+`\b`, "${1}"+value)
	case WayReuse:
		if strings.Contains(text, "\n"+w.Name+": {") {
			if regexp.MustCompile(`(?m)^` + w.Name + `: \{.*?reuse: `).MatchString(text) {
				return substitute(t, text, `(?m)^(`+w.Name+`: \{.*?reuse: )\w+`, "${1}"+w.Formula)
			}
			return substitute(t, text, `(?m)^(`+w.Name+`: \{.*)\}$`, "${1}, reuse: "+w.Formula+"}")
		}
		return text + w.Name + ": {reuse: " + w.Formula + "}\n"
	case WayAfter:
		for _, e := range w.Edges {
			text = after(t, text, e)
		}
		return text
	}
	return write(t, text, w, more)
}

// substitute changes the only place of a pattern.
func substitute(t tester, text, pattern, with string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	require.Len(t, re.FindAllString(text, -1), 1, pattern)
	return re.ReplaceAllString(text, with)
}

// after writes an edge into its step, or into the template that makes it.
func after(t tester, text string, e Edge) string {
	t.Helper()
	start := "- name: " + e.To + "\n"
	if e.Template != "" {
		start = "\n  " + e.Template + ":\n"
	}
	at := mustFind(t, text, start)
	name := at + mustFind(t, text[at:], "name: ")
	indent := name - 1 - strings.LastIndexByte(text[:name], '\n')
	end := name + mustFind(t, text[name:], "\n")
	if e.Added {
		old := end + mustFind(t, text[end:], "\n    after: ") + len("\n    after: ")
		line := old + strings.IndexByte(text[old:]+"\n", '\n')
		return text[:old] + "[" + strings.Trim(text[old:line], "[]") + ", " + e.From + "]" + text[line:]
	}
	return text[:end] + "\n" + strings.Repeat(" ", indent) + "after: [" + e.From + "]" + text[end:]
}

// write puts a formula where the way says, around what is there if that is to stay.
func write(t tester, text string, w Way, more uint64) string {
	t.Helper()
	at := 0
	for range w.Line - 1 {
		at += mustFind(t, text[at:], "\n") + 1
	}
	at += w.Col - 1
	if text[at] == '"' {
		at++
	}
	end := at + strings.IndexAny(text[at:], "\",}\n")
	if text[at-1] == '"' {
		end = at + mustFind(t, text[at:], `"`)
	}
	old := text[at:end]
	if w.Template == "" {
		require.Equal(t, w.Now, old)
	}
	last := regexp.MustCompile(`\d+\)?$`).FindStringIndex(w.Formula)
	require.NotNil(t, last, w.Formula)
	digits := strings.TrimRight(w.Formula[last[0]:], ")")
	value, err := strconv.ParseUint(digits, 10, 64)
	require.NoError(t, err)
	formula := w.Formula[:last[0]] + strconv.FormatUint(value+more, 10) + w.Formula[last[0]+len(digits):]
	formula = strings.Replace(formula, WrittenNow, old, 1)
	if text[at-1] != '"' {
		formula = fmt.Sprintf("%q", formula)
	}
	return text[:at] + formula + text[end:]
}

func mustFind(t tester, text, part string) int {
	t.Helper()
	i := strings.Index(text, part)
	require.GreaterOrEqual(t, i, 0, "%q is not in\n%s", part, text)
	return i
}
