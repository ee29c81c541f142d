package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func textFacts(t *testing.T, text string) facts {
	f := facts{}
	f.match(t, text, `(?m)^  (static|dynamic)  +(device|host)  +(\d+)  +([\d.]+) %  +(\d+) B`, 2, "class", "buffers", "share", "bytes")
	f.match(t, text, `(?m)^  (total)  +(\d+)  +100.0 %  +(\d+) B`, 1, "class", "buffers", "bytes")
	f.match(t, text, `(?m)^  (static|dynamic)  +(device|host)  .* %  +\d+ B.*  (\d+) B`, 2, "class", "in place")
	f.match(t, text, `(?m)^  (total)  .* %  +\d+ B.*  (\d+) B`, 1, "class", "in place")
	for _, scope := range []string{"device", "host"} {
		_, pool, ok := strings.Cut(text, "\nStatic "+scope+" pool, one worker\n")
		require.True(t, ok)
		pool, _, _ = strings.Cut(pool, "\n\n")
		for _, m := range regexp.MustCompile(`(?m)^  (size|reserved|height|lower bound|padding|holes|without reuse) +(\d+) B`).FindAllStringSubmatch(pool, -1) {
			f.set(t, m[2], "pool/%s/%s", scope, strings.Replace(m[1], "without reuse", "sum", 1))
		}
		if m := regexp.MustCompile(`(?m)^  peak  +(.*)$`).FindStringSubmatch(pool); m != nil {
			inOrder := regexp.MustCompile(`(?m)^  in file order  +(.*)$`).FindStringSubmatch(pool)
			f.peakText(t, scope, m[1], append(inOrder, "", "")[1])
		}
	}
	if _, arena, ok := strings.Cut(text, "\nDynamic buffers, one worker"); ok {
		arena, _, _ = strings.Cut(arena, "\n\n  arena mode")
		f.match(t, arena, `(?m)^  (worst|typical) +(\d+) B.*?  +(\d+) B`, 1, "arena", "sum", "peak")
		f.match(t, arena, `(?m)^  peak, (worst|typical) +step (\d+) (\S+), (\d+) buffers? alive: (\d+) B`, 1, "arena", "step", "step name", "alive", "peak")
	}
	_, need, ok := strings.Cut(text, "\nDevice memory in all\n")
	require.True(t, ok)
	need, _, _ = strings.Cut(need, "\n\n")
	f.match(t, need, `(?m)^  (static|peak|typical|worst)  +(\d+ B|unknown)(?: \(.*?\))?(?:  +(?:\d+ B.*|unknown))?  +static region`, 1, "need", "one worker")
	f.match(t, need, `(?m)^  (static|peak|typical|worst)  +\d+ B(?: \(.*?\))?  +(\d+ B)(?: \(.*?\))?  +static region`, 1, "need", "all workers")
	if _, counts, ok := strings.Cut(text, "\n  count "); ok {
		counts, _, _ = strings.Cut(counts, "\n\n")
		f.match(t, counts, `(?m)^  (\S+) +\S+ +\S+ +\d+ +(\d+) B`, 1, "count", "bytes")
	}
	f.match(t, text, `(?m)^  (\S+)  +(static|dynamic) (device|host)  +(\d+) B(?: \(.*?\))?(?: (typical|worst))?  +\[(\d+), (\d+)\)  +(.*)$`, 1, "buffer", "class", "scope", "bytes", "basis", "first", "end", "size")
	f.match(t, text, `(?m)^  [A-Z] (\S+)  (\d+) B(?: \(.*?\))?  \[(\d+), (\d+)\)$`, 1, "buffer", "bytes", "first", "end")
	if m := regexp.MustCompile(`\nHost waits: (\d+) `).FindStringSubmatch(text); m != nil {
		f.set(t, m[1], "waits")
	}
	return f
}

func markdownFacts(t *testing.T, text string) facts {
	f := facts{}
	f.match(t, text, `(?m)^\| (static|dynamic) \| (device|host) \| (\d+) \| ([\d.]+) % \| (\d+) B`, 2, "class", "buffers", "share", "bytes")
	f.match(t, text, `(?m)^\| \*\*(total)\*\* \| \| (\d+) \| 100.0 % \| (\d+) B`, 1, "class", "buffers", "bytes")
	f.match(t, text, `(?m)^\| static (device|host) \| (\d+) B.*? \| (\d+) B.*? \| (\d+) B.*? \| .*? \| (\d+) B.*? \| .*\|$`, 1, "pool", "size", "height", "lower bound", "holes")
	for _, m := range regexp.MustCompile(`(?m)^\| static (device|host) .*\| ([^|]*) \|$`).FindAllStringSubmatch(text, -1) {
		if peak, inOrder, _ := strings.Cut(m[2], "; in file order "); peak != "none" {
			f.peakText(t, m[1], peak, inOrder)
		}
	}
	f.match(t, text, `(?m)^\| (static|dynamic) \| (device|host) \| .* % \| \d+ B.*? \| (\d+) B`, 2, "class", "in place")
	f.match(t, text, `(?m)^\| \*\*(total)\*\* \| .* % \| \d+ B.*? \| (\d+) B`, 1, "class", "in place")
	f.match(t, text, `(?m)^\| (worst|typical) \| (\d+) B[^|]* \| (\d+) B[^|]* \| step (\d+)`, 1, "arena", "sum", "peak", "step")
	f.match(t, text, `(?m)^\| (static|peak|typical|worst) \| (\d+ B|unknown)[^|]* \|(?:[^|]* \|)? static region`, 1, "need", "one worker")
	f.match(t, text, `(?m)^\| (static|peak|typical|worst) \| [^|]* \| (\d+ B)[^|]* \| static region`, 1, "need", "all workers")
	f.match(t, text, "(?m)^\\| driven by `(\\S+)` \\| (\\d+) B", 1, "count", "bytes")
	f.match(t, text, "(?m)^\\| `(\\S+)` \\| (static|dynamic) (device|host) \\| (\\d+) B(?: \\(.*?\\))?(?: (typical|worst))? \\| \\\\\\[(\\d+), (\\d+)\\) \\| `(.*)` \\|$", 1, "buffer", "class", "scope", "bytes", "basis", "first", "end", "size")
	if m := regexp.MustCompile(`\nHost waits: (\d+) `).FindStringSubmatch(text); m != nil {
		f.set(t, m[1], "waits")
	}
	if m := regexp.MustCompile(`\n\| dynamic, (\d+) slots? `).FindStringSubmatch(text); m != nil {
		f.set(t, m[1], "slots")
	}
	return f
}

func traceFacts(t *testing.T, text []byte) facts {
	var trace struct {
		TraceEvents []struct {
			Name, Ph, Cat string
			Pid           int
			Ts, Dur       uint64
			Args          map[string]json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(text, &trace))
	f := facts{}
	scopes := map[int]string{}
	for _, e := range trace.TraceEvents {
		if e.Ph == "M" && e.Name == "process_name" && e.Pid > 0 {
			scopes[e.Pid] = strings.Fields(string(e.Args["name"]))[1]
		}
	}
	for _, e := range trace.TraceEvents {
		scope := scopes[e.Pid]
		arg := func(name string) string { return strings.Trim(string(e.Args[name]), `"`) }
		switch {
		case e.Ph == "C" && arg("bytes") != "0":
			f.set(t, arg("bytes"), "live/%s/%d", scope, e.Ts/1000)
		case e.Ph == "X" && e.Cat != "step":
			f.set(t, e.Cat, "buffer/%s/class", e.Name)
			f.set(t, scope, "buffer/%s/scope", e.Name)
			f.set(t, e.Ts/1000, "buffer/%s/first", e.Name)
			f.set(t, (e.Ts+e.Dur)/1000, "buffer/%s/end", e.Name)
			for _, name := range []string{"bytes", "first", "end", "size", "offset", "slot"} {
				if v := arg(name); v != "" {
					f.set(t, v, "buffer/%s/%s", e.Name, name)
				}
			}
		}
	}
	return f
}

func svgFacts(t *testing.T, text []byte) facts {
	f := facts{}
	dec := xml.NewDecoder(bytes.NewReader(text))
	scope := ""
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return f
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			for _, a := range x.Attr {
				if x.Name.Local == "g" && a.Name.Local == "id" {
					scope = a.Value
				}
			}
		case xml.CharData:
			s := string(x)
			f.match(t, s, `^Static (\w+) pool: size (\d+) B.*?, height (\d+) B.*?, lower bound (\d+) B`, 1, "pool", "size", "height", "lower bound")
			f.match(t, s, `^(\S+): (\d+) B.*? at offset (\d+), steps \[(\d+), (\d+)\)`, 1, "buffer", "bytes", "offset", "first", "end")
			if m := regexp.MustCompile(`^step (\d+) .*: (\d+) B.* in use$`).FindStringSubmatch(s); m != nil {
				f.set(t, m[2], "live/%s/%s", scope, m[1])
			}
			if m := regexp.MustCompile(`^lower bound: (\d+) B`).FindStringSubmatch(s); m != nil {
				f.set(t, m[1], "pool/%s/lower bound", scope)
			}
			if m := regexp.MustCompile(`^reserved for .*: (\d+) B`).FindStringSubmatch(s); m != nil {
				f.set(t, m[1], "pool/%s/reserved", scope)
			}
		}
	}
}

func dotFacts(t *testing.T, text string) facts {
	f := facts{}
	for _, m := range regexp.MustCompile(`(?m)^  b\d+ \[shape=(\w+), style=(\w+), label="(\S+?)\\n(?:(\d+) B|size (unknown)).*?\\n\[(\d+), (\d+)\)"\];$`).FindAllStringSubmatch(text, -1) {
		scope, class := "device", "static"
		if m[1] == "octagon" {
			scope = "host"
		}
		if m[2] == "dashed" {
			class = "dynamic"
		}
		for name, v := range map[string]string{"scope": scope, "class": class, "bytes": m[4] + m[5], "first": m[6], "end": m[7]} {
			f.set(t, v, "buffer/%s/%s", m[3], name)
		}
	}
	return f
}
