package report_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
)

func allFacts(t *testing.T, p *planner.Plan) map[string]facts {
	text := formats(t, p)
	return map[string]facts{
		"plan": planFacts(t, p), "json": jsonFacts(t, text["json"]), "csv": csvFacts(t, text["csv"]),
		"text": textFacts(t, string(text["txt"])), "md": markdownFacts(t, string(text["md"])),
		"trace": traceFacts(t, text["trace.json"]), "svg": svgFacts(t, text["svg"]), "dot": dotFacts(t, string(text["dot"])),
	}
}

// Every number that two formats have is the same in both.
func TestFormatsAgree(t *testing.T) {
	for name, p := range plans(t) {
		all := allFacts(t, p)
		for _, a := range slices.Sorted(maps.Keys(all)) {
			for _, b := range slices.Sorted(maps.Keys(all)) {
				shared := 0
				for fact, value := range all[a] {
					if other, ok := all[b][fact]; ok {
						require.Equal(t, value, other, "%s: %s in %s and in %s", name, fact, a, b)
						shared++
					}
				}
				// A format that could not be parsed would agree with all.
				require.Positive(t, shared, "%s: %s and %s", name, a, b)
			}
		}
	}
}

// The example with several streams has a pool that is as high as it is because nothing
// orders its buffers, and one that takes over a storage: what all formats agree on is there.
func TestAgreeOnOrder(t *testing.T) {
	f := allFacts(t, plans(t)["streams"])["md"]
	require.Equal(t, "false", f["pool/device/at one step"])
	require.Equal(t, "8", f["pool/device/at peak"])
	require.Equal(t, "172060672", f["pool/device/peak bytes"])
	require.Equal(t, "114716672", f["pool/device/live"])
	require.Equal(t, "8", f["pool/device/peak"])
	require.Equal(t, "3840000", f["class/dynamic/device/in place"])
	require.Equal(t, "7920000", f["class/dynamic/device/bytes"])
	require.Equal(t, "4080128", f["arena/typical/sum"])
}

// What each format has to tell is found in it.
func TestFormatsAreWhole(t *testing.T) {
	for name, p := range plans(t) {
		all := allFacts(t, p)
		count := func(format, prefix, suffix string) (n int) {
			for fact := range all[format] {
				if strings.HasPrefix(fact, prefix) && strings.HasSuffix(fact, suffix) {
					n++
				}
			}
			return n
		}
		static, live, top := 0, 0, min(10, len(p.Buffers))
		for _, b := range p.Buffers {
			if b.Class == planner.Static && b.Max > 0 {
				static++
			}
		}
		for _, pool := range p.Pools {
			if pool.Size > 0 {
				live += len(p.Steps)
			}
		}
		for _, format := range []string{"plan", "csv", "trace", "dot"} {
			require.Equal(t, len(p.Buffers), count(format, "buffer/", "/bytes"), "%s.%s", name, format)
			require.Equal(t, len(p.Buffers), count(format, "buffer/", "/end"), "%s.%s", name, format)
		}
		for _, format := range []string{"csv", "trace"} {
			require.Equal(t, len(p.Buffers), count(format, "buffer/", "/size"), "%s.%s", name, format)
			require.Equal(t, p.Arena.Slots, count(format, "buffer/", "/slot"), "%s.%s", name, format)
		}
		require.Equal(t, static, count("svg", "buffer/", "/offset"), name)
		require.Equal(t, live, count("svg", "live/", ""), name)
		require.Equal(t, 2*len(p.Steps), count("json", "live/", ""), name)
		for _, format := range []string{"json", "md", "text"} {
			require.Equal(t, top, count(format, "buffer/", "/size"), "%s.%s", name, format)
			require.Equal(t, 5, count(format, "class/", "/buffers"), "%s.%s", name, format)
			require.Equal(t, 5, count(format, "class/", "/bytes"), "%s.%s", name, format)
			require.Positive(t, count(format, "need/", "/one worker"), "%s.%s", name, format)
			require.Equal(t, count("json", "need/", ""), count(format, "need/", ""), "%s.%s", name, format)
			require.Equal(t, count("json", "buffer/", "/basis"), count(format, "buffer/", "/basis"), "%s.%s", name, format)
			require.Equal(t, 2, count(format, "pool/", "/height"), "%s.%s", name, format)
			require.Equal(t, 2, count(format, "pool/", "/holes"), "%s.%s", name, format)
			require.Equal(t, count("json", "pool/", "/at peak"), count(format, "pool/", "/at peak"), "%s.%s", name, format)
			require.Equal(t, count("json", "pool/", "/live"), count(format, "pool/", "/live"), "%s.%s", name, format)
			if p.Arena.Slots > 0 && p.Arena.Typical != nil {
				require.Equal(t, 1, count(format, "arena/typical/", "peak"), "%s.%s", name, format)
				require.Equal(t, 1, count(format, "arena/typical/", "step"), "%s.%s", name, format)
			}
		}
		require.Equal(t, len(p.Counts), count("text", "count/", "/bytes"), name)
		if all["json"]["class/total/in place"] != "0" {
			for _, format := range []string{"md", "text"} {
				require.Equal(t, 5, count(format, "class/", "/in place"), "%s.%s", name, format)
			}
		}
	}
}
