package planner

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences"
)

// readText reads a sequence whose head is given here unless it has its own.
func readText(t testing.TB, body string) *sequences.Sequence {
	t.Helper()
	head := "seqplan: 1\nname: test\n"
	if !strings.Contains(body, "params:") {
		head += "params:\n  n: {min: 1, max: 100}\n"
	}
	seq, diags := sequences.Read("test.yaml", []byte(head+body))
	require.NoError(t, diags.Err(), "%s", head+body)
	return seq
}

// lifetimesOf prints the lifetimes of all buffers, "name [first,end)".
func lifetimesOf(seq *sequences.Sequence) string {
	classes := classify(seq)
	var out []string
	for b, l := range findLifetimes(seq, classes, findWaits(seq, classes)) {
		out = append(out, fmt.Sprintf("%s [%d,%d)", seq.Buffers[b].Name, l.interval.First, l.interval.End))
	}
	return strings.Join(out, " ")
}

const idle = "  - name: idle%d\n    writes: {x%d: {type: u8, count: 1}}\n"

// idles are steps that do nothing of interest.
func idles(from, to int) string {
	var s strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&s, idle, i, i)
	}
	return s.String()
}

func TestClassify(t *testing.T) {
	seq := readText(t, `
counts:
  n_a: {at: "o[n]"}
  n_b: {at: "o[0]"}
steps:
  - name: s0
    writes: {o: {type: u32, count: "n + 1"}}
  - name: s1
    writes:
      a: {type: u8, count: "n_b + n_a + n_b"}
      b: {type: u8, count: "max(count_of(c), n_b)"}
      c: {type: u8, count: "count_of(d) * 2"}
      d: {type: u8, count: "count_of(o) + 7"}
      e: {type: u8, count: "count_of(a)"}
`)
	want := map[string]string{"o": "", "a": "n_b n_a", "b": "n_b", "c": "", "d": "", "e": "n_b n_a"}
	for b, c := range classify(seq) {
		name := seq.Buffers[b].Name
		require.Equal(t, want[name], strings.Join(countNames(seq, c.drivenBy), " "), name)
		require.Equal(t, want[name] != "", c.class == Dynamic, name)
	}
}

func TestLifetimes(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"write and read", `
inputs:
  i: {type: u8, count: n}
  unused: {type: u8, count: n}
steps:
  - {name: s0, writes: {a: {type: u8, count: n}}, scratch: {t: {type: u8, count: n}}}
  - {name: s1, reads: [a], writes: {b: {type: u8, count: n}}}
  - {name: s2, reads: [i, a], writes: {c: {type: u8, count: n}}}
outputs: [b]
`, "i [0,3) unused [0,1) a [0,3) t [0,1) b [1,3) c [2,3)"},
		{"views, in turn", `
steps:
  - {name: s0, writes: {a: {type: u8, count: n}}}
  - {name: s1, writes: {b: {type: ptr, count: n, views: [a]}}}
  - {name: s2, writes: {c: {type: ptr, count: n, views: [b]}}}
` + idles(3, 5) + `
  - {name: s5, reads: [c], writes: {d: {type: u8, count: n}}}
` + idles(6, 7), "a [0,6) b [1,6) c [2,6) x3 [3,4) x4 [4,5) d [5,6) x6 [6,7)"},
		{"a view of an output", `
steps:
  - {name: s0, writes: {a: {type: u8, count: n}, b: {type: ptr, count: n, views: [a]}}}
` + idles(1, 3) + `
outputs: [b]
`, "a [0,3) b [0,3) x1 [1,2) x2 [2,3)"},
		{"a barrier", `
steps:
  - {name: s0, writes: {a: {type: u8, count: n, group: g}}}
` + idles(1, 2) + `
  - {name: s2, barrier: g, writes: {b: {type: u8, count: n}}}
  - {name: s3, writes: {c: {type: u8, count: n, group: g}}}
`, "a [0,3) x1 [1,2) b [2,3) c [3,4)"},
		{"the memory of a count", `
counts:
  m: {at: "o[n]"}
steps:
  - {name: s0, writes: {o: {type: u32, count: "n + 1"}}}
` + idles(1, 3) + `
  - {name: s3, writes: {a: {type: u8, count: m}}}
  - {name: s4, reads: [a], writes: {b: {type: u8, count: "count_of(a)"}}}
  - {name: s5, reads: [b], writes: {c: {type: u8, count: "n"}}}
`, "o [0,5) x1 [1,2) x2 [2,3) a [3,5) b [4,6) c [5,6)"},
		{"kept, and not reused", `
host: {reuse: off}
counts:
  m: {at: "o[n]"}
steps:
  - {name: s0, writes: {o: {type: u32, count: "n + 1"}}}
  - {name: s1, writes: {k: {type: u32, count: n, keep: true}, h: {type: u32, count: n, scope: host}, d: {type: u32, count: m, scope: host}}}
` + idles(2, 4), "o [0,2) k [0,4) h [0,4) d [1,4) x2 [2,3) x3 [3,4)"},
		{"in place, twice", `
steps:
  - {name: s0, writes: {a: {type: u8, count: n}}}
  - {name: s1, reads: [a], writes: {b: {type: u8, count: n, in_place_of: a}}}
  - {name: s2, reads: [b], writes: {c: {type: u8, count: n, in_place_of: b}}}
` + idles(3, 4) + `
  - {name: s4, reads: [c], writes: {d: {type: u8, count: n}}}
`, "a [0,5) b [1,5) c [2,5) x3 [3,4) d [4,5)"},
		{"views do not follow storage that was taken over", `
steps:
  - {name: s0, writes: {a: {type: u8, count: n}}}
  - {name: s1, writes: {b: {type: ptr, count: n, views: [a]}}}
  - {name: s2, reads: [b], writes: {c: {type: ptr, count: n, in_place_of: b}}}
` + idles(3, 4) + `
outputs: [c]
`, "a [0,3) b [1,4) c [2,4) x3 [3,4)"},
		{"the host runs ahead", `
steps:
  - {name: s0, on: host, writes: {a: {type: u8, count: n, scope: host}}}
  - {name: s1, reads: [a], writes: {b: {type: u8, count: n}}}
` + idles(2, 3) + `
  - {name: s3, on: host, writes: {c: {type: u8, count: n, scope: host}}}
  - {name: s4, on: host, reads: [b], writes: {d: {type: u8, count: n, scope: host}}}
`, "a [0,4) b [1,5) x2 [2,3) c [3,4) d [4,5)"},
		{"the device alone does not", `
steps:
  - {name: s0, on: host, writes: {a: {type: u8, count: n, scope: host}}}
  - {name: s1, reads: [a], writes: {b: {type: u8, count: n}}}
  - {name: s2, writes: {c: {type: u8, count: n, scope: host}}}
`, "a [0,2) b [1,2) c [2,3)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, lifetimesOf(readText(t, tc.body)))
		})
	}
}

func TestUses(t *testing.T) {
	seq := readText(t, `
counts:
  m: {at: "o[n]"}
steps:
  - {name: s0, writes: {o: {type: u32, count: "n + 1", group: g}}}
  - {name: s1, reads: [o], writes: {p: {type: ptr, count: n, views: [o]}, a: {type: u8, count: m}}}
  - {name: s2, reads: [p, o], writes: {q: {type: ptr, count: n}}, barrier: g}
outputs: [o]
`)
	classes := classify(seq)
	lives := findLifetimes(seq, classes, nil)
	require.Equal(t, []Use{
		{0, UseWrite, ""},
		{1, UseRead, ""},
		{1, UseCount, "m"},
		{2, UseRead, ""},
		{2, UseBarrier, "g"},
		{2, UseView, "p"},
		{3, UseOutput, ""},
	}, lives[0].uses)
}

func TestWaits(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"none without host steps", `
counts:
  m: {at: "o[n]"}
steps:
  - {name: s0, writes: {o: {type: u32, count: "n + 1"}}}
  - {name: s1, reads: [o], writes: {h: {type: u8, count: n, scope: host}, d: {type: u8, count: m, scope: host}}}
  - {name: s2, reads: [h, d], writes: {z: {type: u8, count: n}}}
`, ""},
		{"host memory of the host", `
inputs:
  i: {type: u8, count: n, scope: host}
steps:
  - {name: s0, on: host, reads: [i], writes: {a: {type: u8, count: n, scope: host}}}
  - {name: s1, writes: {b: {type: u8, count: n}}}
  - {name: s2, on: host, reads: [a], writes: {c: {type: u8, count: n, scope: host}}}
`, ""},
		{"what the device wrote, once", `
steps:
  - {name: s0, writes: {a: {type: u8, count: n, scope: host}, b: {type: u8, count: n, scope: host}}}
  - {name: s1, on: host, reads: [a], writes: {c: {type: u8, count: n, scope: host}}}
  - {name: s2, writes: {d: {type: u8, count: n}}}
  - {name: s3, on: host, reads: [b], writes: {e: {type: u8, count: n, scope: host}}}
`, "1 " + reasonWritten + " a"},
		{"through a pointer", `
steps:
  - {name: s0, writes: {a: {type: u8, count: n, scope: host}}}
  - {name: s1, on: host, writes: {p: {type: ptr, count: n, scope: host, views: [a]}}}
  - {name: s2, on: host, reads: [p], writes: {e: {type: u8, count: n, scope: host}}}
`, "2 " + reasonWritten + " a"},
		{"device memory, one wait for steps in a row", `
inputs:
  i: {type: u8, count: n}
steps:
  - {name: s0, on: host, reads: [i], writes: {z: {type: u8, count: n, scope: host}}}
  - {name: s1, writes: {a: {type: u8, count: n}}}
  - {name: s2, on: host, reads: [a], writes: {b: {type: u8, count: n, scope: host}}}
  - {name: s3, on: host, reads: [a], writes: {c: {type: u8, count: n, scope: host}}}
  - {name: s4, writes: {d: {type: u8, count: n}}}
  - {name: s5, on: host, reads: [a], writes: {e: {type: u8, count: n, scope: host}}}
`, "0 " + reasonDevice + " i, 2 " + reasonDevice + " a, 5 " + reasonDevice + " a"},
		{"device memory that the host wrote", `
steps:
  - {name: s0, on: host, writes: {a: {type: u8, count: n}}}
  - {name: s1, on: host, reads: [a], writes: {b: {type: u8, count: n}}}
  - {name: s2, on: host, reads: [a, b], writes: {c: {type: u8, count: n, scope: host}}}
`, "1 " + reasonDevice + " a, 2 " + reasonDevice + " a b"},
		{"a slot", `
counts:
  m: {at: "o[n]"}
steps:
  - {name: s0, writes: {o: {type: u32, count: "n + 1"}}}
  - {name: s1, on: host, writes: {a: {type: u8, count: m, scope: host}}}
  - {name: s2, on: host, reads: [a], writes: {b: {type: u8, count: n, scope: host}}}
  - {name: s3, writes: {c: {type: u8, count: m, scope: host}}}
  - {name: s4, on: host, reads: [c], writes: {d: {type: u8, count: n, scope: host}}}
`, "1 " + reasonSlot + " a, 4 " + reasonSlot + " c"},
		{"in place of what the device reads", `
steps:
  - {name: s0, on: host, writes: {a: {type: u8, count: n, scope: host}}}
  - {name: s1, reads: [a], writes: {b: {type: u8, count: n}}}
  - {name: s2, on: host, reads: [a], writes: {c: {type: u8, count: n, scope: host, in_place_of: a}}}
`, "2 " + reasonInPlace + " a"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			seq := readText(t, tc.body)
			var out []string
			for _, w := range findWaits(seq, classify(seq)) {
				out = append(out, fmt.Sprintf("%d %s %s", w.Step, w.Reason, strings.Join(w.Buffers, " ")))
			}
			require.Equal(t, tc.want, strings.Join(out, ", "))
			_, err := Make(seq, Options{})
			require.NoError(t, err, "the verifier agrees")
		})
	}
}

func TestBounds(t *testing.T) {
	for _, tc := range []struct {
		count string
		max   uint64
		proof ProofKind
		at    uint64
	}{
		{"7", 7, ProofConstant, 0},
		{"n * 3 + 1", 301, ProofMonotone, 100},
		{"200 - n", 199, ProofMonotone, 1},
		{"align_up(n, 32)", 128, ProofMonotone, 100},
		{"count_of(base) * 2", 400, ProofMonotone, 100},
		{"min(n, 50)", 50, ProofMonotone, 100},
		{"n % 7 + 93", 99, ProofEnumerated, 6},
	} {
		t.Run(tc.count, func(t *testing.T) {
			seq := readText(t, `
steps:
  - {name: s0, writes: {base: {type: u8, count: "n * 2"}, a: {type: u32, count: "`+tc.count+`"}}}
`)
			b := findBounds(seq, classify(seq))
			require.Empty(t, b.diags)
			want := bounded{max: tc.max * 4, proof: tc.proof}
			if tc.at != 0 {
				want.at = []uint64{tc.at}
			}
			require.Equal(t, want, b.sizes[1])
		})
	}
}

func TestCountFigures(t *testing.T) {
	seq := readText(t, `
counts:
  m: {at: "o[n]", max: "n * 50", typical: "n * 10"}
  k: {at: "o[0]", typical: "5"}
steps:
  - {name: s0, writes: {o: {type: u32, count: "n + 1"}}}
  - {name: s1, writes: {a: {type: f32, count: "m + n"}, b: {type: u8, count: "k"}, c: {type: u8, count: "count_of(a)"}}}
`)
	b := findBounds(seq, classify(seq))
	require.Empty(t, b.diags)
	typical := func(v uint64) *uint64 { return &v }
	require.Equal(t, uint64(404), b.sizes[0].max)
	require.Equal(t, bounded{max: 4 * 5100, proof: ProofCounts, typical: typical(4 * 1100)}, b.sizes[1])
	require.Equal(t, bounded{proof: ProofNone, typical: typical(5)}, b.sizes[2])
	require.Equal(t, bounded{max: 5100, proof: ProofCounts, typical: typical(1100)}, b.sizes[3])
}

// A chain of buffers that doubles would be exponential if it were expanded.
func TestBoundsDoNotExpand(t *testing.T) {
	var body strings.Builder
	body.WriteString("steps:\n  - name: s0\n    writes:\n      b0: {type: u8, count: \"n\"}\n")
	for i := 1; i < 3000; i++ {
		fmt.Fprintf(&body, "      b%d: {type: u8, count: \"max(count_of(b%d), count_of(b%d))\"}\n", i, i-1, i-1)
	}
	p, err := Make(readText(t, body.String()), Options{})
	require.NoError(t, err)
	require.Equal(t, sequences.Bytes(100), p.Buffers[2999].Max)
}

func TestFits(t *testing.T) {
	seq := readText(t, `
params:
  n: {min: 1, max: 100}
  m: {min: 1, max: 9}
  w: 4
counts:
  k: {at: "a[0]"}
steps:
  - name: s0
    writes:
      a: {type: u32, count: "(n + 1) * (m + w) - m"}
      b: {type: u32, count: "n * m + 4 * n + 4"}
      c: {type: u32, count: "ceil_div(n * m, 2 * m + m) + 1"}
      d: {type: u32, count: "1 + ceil_div(m * n, m * 3)"}
      e: {type: u32, count: "n * m + 3 * n + 4"}
  - name: s1
    writes:
      f: {type: u32, count: "k * 2 + k"}
      g: {type: u64, count: "3 * k"}
`)
	n := newRelation(findBounds(seq, classify(seq)))
	id := func(name string) *sequences.Buffer {
		i := slices.IndexFunc(seq.Buffers, func(b sequences.Buffer) bool { return b.Name == name })
		return &seq.Buffers[i]
	}
	same := func(a, b string) bool { return n.fits(id(a), id(b)) && n.fits(id(b), id(a)) }
	require.True(t, same("a", "b"))
	require.True(t, same("c", "d"))
	require.True(t, n.fits(id("e"), id("a")))
	require.False(t, n.fits(id("a"), id("e")))
	require.True(t, n.fits(id("f"), id("g")))
	require.False(t, n.fits(id("g"), id("f")))
}
