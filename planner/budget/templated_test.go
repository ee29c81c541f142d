package budget

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// templated makes a sequence file whose steps come from templates, with lists of arguments,
// counts, several streams, and storage that is taken over. Each stream is a chain of steps.
func templated(r *rand.Rand) string {
	var out strings.Builder
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	fmt.Fprintf(&out, "seqplan: 1\nname: templated\ndevice: {align: 16%s}\nworkers: %d\n",
		pick("", ", reuse: event", ", reuse: internal", ", reuse: off"), 1+r.IntN(3))
	fmt.Fprintf(&out, "params:\n  n_events: {min: 1, max: %d}\n  width: %d\n", 1+r.IntN(300), 1+r.IntN(40))
	fmt.Fprintf(&out, "counts:\n  hits: {at: \"off[n_events]\", max: %s, typical: %s}\n",
		pick(`"n_events * 90"`, `"n_events * 80 + 70"`, `"width * 100 + n_events * 40"`), pick(`"n_events * 30"`, `"n_events * 7 + 1"`, `"10"`))
	out.WriteString("inputs:\n  off: {type: u32, count: \"n_events + 1\"}\ntemplates:\n")
	templates := 1 + r.IntN(3)
	for i := range templates {
		count := pick("${size}", "n_events * ${size}", "${size} * n_events + 3", "hits * ${size}", "max(hits, n_events * ${size})",
			"count_of(${from}) + 1", "n_events * width", "n_events * width * ${size}", "n_events * 33")
		fmt.Fprintf(&out, "  t%d:\n    args: [name, stream, size, from]\n    step:\n      name: \"${name}\"\n      stream: \"${stream}\"\n", i)
		fmt.Fprintf(&out, "      reads: [off, \"${from}\"]\n      writes:\n")
		fmt.Fprintf(&out, "        \"${name}.out\": {type: %s, count: \"%s\"%s}\n", pick("u8", "u32", "f64"), count, pick("", "", ", align: 64"))
		fmt.Fprintf(&out, "        \"${name}.%s\": {type: u8, count: \"count_of(${from})\"%s}\n", pick("a", "b"), pick("", ", in_place_of: \"${from}\""))
		fmt.Fprintf(&out, "    #%s\n", pick("", " ${size}"))
	}
	out.WriteString("steps:\n")
	last := map[string]string{}
	for _, stream := range []string{"p", "q"} {
		last[stream] = stream + ".first"
		fmt.Fprintf(&out, "  - name: %s\n    stream: %s\n    reads: [off]\n    writes:\n      %s.first: {type: u8, count: %s}\n",
			stream, stream, stream, pick("5", "4096", `"n_events * 64"`, `"n_events * width"`, `"width * n_events + 9"`))
	}
	for i := range 1 + r.IntN(5) {
		stream := pick("p", "p", "q")
		fmt.Fprintf(&out, "  - use: t%d\n    for:\n", r.IntN(templates))
		for j := range 1 + r.IntN(4) {
			name := fmt.Sprintf("s%d_%d", i, j)
			fmt.Fprintf(&out, "      - {name: %s, stream: %s, size: %s, from: %s}\n",
				name, stream, pick("1", "7", "64", "width", "count_of(p.first)"), last[stream])
			last[stream] = name + ".out"
		}
	}
	return out.String()
}
