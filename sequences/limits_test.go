package sequences_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences"
)

const head = "seqplan: 1\nname: big\nparams: {n: 3}\n"

// expect reads a file that is made to exhaust the reader, and checks that it ends
// with the code and within a budget of allocated bytes, which bounds time too.
func expect(t *testing.T, code string, mib uint64, text string) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	seq, diags := sequences.Read("big.yaml", []byte(text))
	runtime.ReadMemStats(&after)
	require.Nil(t, seq)
	require.LessOrEqual(t, (after.TotalAlloc-before.TotalAlloc)>>20, mib)
	var codes []string
	for _, d := range diags {
		codes = append(codes, string(d.Code))
	}
	require.Contains(t, codes, code)
}

func TestLimits(t *testing.T) {
	repeat := strings.Repeat
	for _, c := range []struct {
		name, code string
		mib        uint64
		text       string
	}{
		{"file", "SP0002", 32, repeat("# comment\n", 17<<20/10)},
		{"values in one line", "SP0002", 64, "a: [" + repeat("a,", 4<<20) + "]"},
		{"values at the limit", "SP0022", 1536, "a: [" + repeat("a: b,", 1<<18-3) + "]"},
		{"values in lines", "SP0002", 64, repeat("- a\n", 3<<20)},
		{"comments", "SP0002", 64, repeat("# c\n", 3<<20)},
		{"empty lines", "SP0002", 64, "a:" + repeat("\n", 15<<20)},
		{"quoted values", "SP0002", 64, repeat(`"a" `, 3<<20)},
		{"parameters", "SP0045", 64, "seqplan: 1\nname: big\nsteps: [{name: s}]\n" + numbers("params", "p%d: 1")},
		{"counts", "SP0045", 64, head + "steps: [{name: s, writes: {o: {type: u32, count: 1}}}]\n" + numbers("counts", "c%d: {at: \"o[0]\"}")},
		{"streams", "SP0045", 64, head + "steps:\n" + entries(129, "  - {name: s%d, stream: q%d, writes: {b%d: {type: u8, count: 1}}}\n")},
		{"steps on many streams", "SP0109", 512, manyStreams()},
		{"gaps of one buffer", "SP0008", 512, manyGaps()},
		{"gaps of a chain of views", "SP0008", 1024, chainOfGaps()},
		{"storage of a chain of views", "SP0008", 1024, chainTakenOver()},
		{"sizes on many streams", "SP0109", 512, sizesOnStreams()},
		{"barriers on many streams", "SP0109", 512, barriersOnStreams()},
		{"flow depth", "SP0009", 64, repeat("[", 10_000) + repeat("]", 10_000)},
		{"flow depth without end", "SP0009", 64, repeat("{", 500_000)},
		{"block depth", "SP0009", 64, repeat("- ", 10_000) + "a"},
		{"expression depth", "SP0133", 64, head + "steps: [{name: s, writes: {b: {type: u8, count: \"" + repeat("(", 10_000) + "n" + repeat(")", 10_000) + "\"}}}]"},
		{"expression length", "SP0134", 64, head + "steps: [{name: s, writes: {b: {type: u8, count: \"" + repeat("n + ", 20_000) + "n\"}}}]"},
		{"alias bomb", "SP0008", 512, aliasBomb()},
		{"aliases of expressions", "SP0140", 1024, aliasedExpressions()},
		{"sum over many", "SP0140", 512, sumOverMany(1<<15+1, 1)},
		{"many sums", "SP0140", 1024, sumOverMany(3000, 400)},
		{"template text", "SP0008", 512, templateText()},
		{"unknown names", "SP0061", 512, unknownNames()},
		{"long scalar", "SP0007", 256, repeat("x", 16<<20)},
		{"members", "SP0008", 512, members(2000, 2000)},
		{"barriers", "SP0061", 512, barriers(20_000, 20_000)},
		{"long names", "SP0008", 512, longNames()},
		{"long key", "SP0040", 64, repeat("k", 1<<20) + ": 1"},
		{"template arguments", "SP0002", 512, arguments(100_000, 10_000)},
		{"view chain in one step", "SP0061", 512, chain("views: [b%d]")},
		{"size chain in one step", "SP0061", 512, chain("optional: true, views: [b%d]")},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, c.code, c.mib, c.text) })
	}
}

// numbers is a section with more entries than it may have.
func numbers(section, entry string) string {
	var b strings.Builder
	b.WriteString(section + ":\n")
	for i := range 4097 {
		fmt.Fprintf(&b, "  "+entry+"\n", i)
	}
	return b.String()
}

func aliasBomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 {x: 1}\n")
	for i := range 30 {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i+1, i+1, i, i, i)
	}
	return b.String()
}

func aliasedExpressions() string {
	var b strings.Builder
	b.WriteString(head + "steps:\n  - name: s\n    writes:\n")
	fmt.Fprintf(&b, "      b: {type: u8, count: &e \"%s1\"}\n", strings.Repeat("(1+1)*", 150))
	for i := range 20_000 {
		fmt.Fprintf(&b, "      b%d: {type: u8, count: *e}\n", i)
	}
	return b.String()
}

func sumOverMany(members, sums int) string {
	var b strings.Builder
	b.WriteString(head + "steps:\n  - name: s\n    writes:\n")
	for i := range members {
		fmt.Fprintf(&b, "      b%d: {type: u8, count: 1, group: g}\n", i)
	}
	for i := range sums {
		fmt.Fprintf(&b, "      c%d: {type: u8, count: \"sum_counts(g)\"}\n", i)
	}
	return b.String()
}

func templateText() string {
	var b strings.Builder
	b.WriteString(head + "templates:\n  t:\n    args: [x, y]\n    step:\n      name: \"${x}\"\n      writes:\n        \"${x}\": {type: u8, count: \"" +
		strings.Repeat("${y}", 400) + "\"}\nsteps:\n")
	for i := range 30 {
		fmt.Fprintf(&b, "  - use: t\n    with: {x: s%d, y: \"%s\"}\n", i, strings.Repeat("1", 10<<10))
	}
	return b.String()
}

func unknownNames() string {
	var b strings.Builder
	b.WriteString(head + "steps:\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "  - {name: s%d, reads: [r%d], writes: {b%d: {type: u8, count: 1}}}\n", i, i, i)
	}
	return b.String()
}

// members makes steps that collect what they read into many groups.
func members(groups, reads int) string {
	var b strings.Builder
	b.WriteString(head + "inputs:\n")
	for i := range reads {
		fmt.Fprintf(&b, "  b%d: {type: u8, count: 1}\n", i)
	}
	b.WriteString("steps:\n  - name: s\n    reads: [b0")
	for i := range reads - 1 {
		fmt.Fprintf(&b, ", b%d", i+1)
	}
	b.WriteString("]\n    collect: [g0")
	for i := range groups - 1 {
		fmt.Fprintf(&b, ", g%d", i+1)
	}
	return b.String() + "]\n"
}

func barriers(steps, members int) string {
	var b strings.Builder
	b.WriteString(head + "inputs:\n")
	for i := range members {
		fmt.Fprintf(&b, "  b%d: {type: u8, count: 1, group: g}\n", i)
	}
	b.WriteString("steps:\n")
	for i := range steps {
		fmt.Fprintf(&b, "  - {name: s%d, barrier: g}\n", i)
	}
	return b.String() + "  - {name: s, reads: [unknown, b0], writes: {b: {type: u8, count: 1, in_place_of: b0}}}\n"
}

func longNames() string {
	var b strings.Builder
	fmt.Fprintf(&b, head+"steps:\n  - name: s\n    reads:\n      - &n %s\n", strings.Repeat("n", 8<<20))
	for range 100_000 {
		b.WriteString("      - *n\n")
	}
	return b.String()
}

func arguments(args, uses int) string {
	var b strings.Builder
	b.WriteString(head + "templates:\n  t:\n    args: [a0")
	for i := range args - 1 {
		fmt.Fprintf(&b, ", a%d", i+1)
	}
	b.WriteString("]\n    step: {name: \"${a0}\"}\nsteps:\n")
	for range uses {
		b.WriteString("  - use: t\n")
	}
	return b.String()
}

func chain(key string) string {
	var b strings.Builder
	b.WriteString(head + "inputs: {b0: {type: u8, count: 1}}\nsteps:\n  - name: s\n    reads: [unknown]\n    writes:\n")
	for i := range 30_000 {
		fmt.Fprintf(&b, "      b%d: {type: u8, count: 1, %s}\n", i+1, fmt.Sprintf(key, i))
	}
	b.WriteString("      last: {type: u8, count: 1, in_place_of: b0}\n")
	return b.String()
}

// entries repeats a line that has its number in every %d.
func entries(n int, line string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// manyStreams has a clock of many streams for many steps, and a race in each.
func manyStreams() string {
	var b strings.Builder
	b.WriteString(head + "steps:\n  - {name: s, writes: {a: {type: u8, count: 1}}}\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "  - {name: s%d, stream: q%d, reads: [a]}\n", i, i%127)
	}
	return b.String()
}

// manyGaps is a buffer with many uses, and a gap between every two of them.
func manyGaps() string {
	var b strings.Builder
	b.WriteString(head + "inputs:\n  a:\n    type: u8\n    count: 1\n    gaps:\n")
	b.WriteString(entries(3_000, "      - {after: s%d, before: t%d}\n") + "steps:\n")
	return b.String() + entries(3_000, "  - {name: s%d, reads: [a]}\n  - {name: t%d, reads: [a]}\n")
}

// chainOfGaps has buffers that each hold pointers into the one before, all used to the
// end through the last one, and all with a gap.
func chainOfGaps() string {
	var b strings.Builder
	b.WriteString(head + "inputs: {b0: {type: u8, count: 1}}\nsteps:\n  - name: s\n    writes:\n")
	for i := range 6_000 {
		fmt.Fprintf(&b, "      b%d: {type: u8, count: 1, views: [b%d], gaps: [{after: s, before: t}]}\n", i+1, i)
	}
	return b.String() + "  - {name: t, reads: [b6000]}\n"
}

// chainTakenOver is the same with storage that other buffers take over.
func chainTakenOver() string {
	var b strings.Builder
	b.WriteString(head + "inputs: {b0: {type: u8, count: 1}}\nsteps:\n  - {name: r, stream: q}\n  - name: s\n    writes:\n")
	for i := range 6_000 {
		fmt.Fprintf(&b, "      b%d: {type: u8, count: 1, views: [b%d]}\n", i+1, i)
	}
	b.WriteString("  - name: t\n    reads: [b0" + entries(6_000, ", b%d") + "]\n    writes:\n")
	b.WriteString(entries(6_000, "      c%d: {type: u8, count: 1, in_place_of: b%d}\n"))
	return strings.Replace(b.String(), "[b0, b0", "[b0", 1)
}

// sizesOnStreams has sizes that go through all earlier ones.
func sizesOnStreams() string {
	var b strings.Builder
	b.WriteString(head + "counts: {m: {at: \"o[0]\", max: 9}}\nsteps:\n  - name: s\n    writes: {o: {type: u32, count: 1}, b0: {type: u8, count: 1}}\n  - name: r\n    reads: [o]\n    writes: {b1: {type: u8, count: m}}\n")
	for i := range 6_000 {
		fmt.Fprintf(&b, "  - {name: s%d, stream: q%d, writes: {b%d: {type: u8, count: count_of(b%d)}}}\n", i, i%127, i+2, i+1)
	}
	return b.String()
}

// barriersOnStreams has barriers on a group whose members are everywhere.
func barriersOnStreams() string {
	var b strings.Builder
	b.WriteString(head + "steps:\n")
	for i := range 4_000 {
		fmt.Fprintf(&b, "  - {name: s%d, stream: q%d, barrier: g, writes: {b%d: {type: u8, count: 1, group: g}}}\n", i, i%128, i)
	}
	return b.String()
}

// A huge file is not read to its end.
func TestHugeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.yaml")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(100<<20)) // sparse
	require.NoError(t, f.Close())
	seq, data, diags := sequences.Load(path)
	require.Nil(t, seq)
	require.LessOrEqual(t, len(data), 16<<20+1)
	require.Len(t, diags, 1)
	require.Equal(t, sequences.CodeTooLarge, diags[0].Code)
}
