package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// everyType is a sketch with a buffer of each built-in type in each scope.
func everyType() *sketch {
	s := newSketch()
	n := s.param("n_events", 1, 1<<40) // pools far over 4 GiB
	register := s.param("register", 0, 7)
	s.param("width", 3, 3)
	hits := s.count("n_hits")
	s.count("class")
	for _, t := range []struct {
		name string
		size sequences.Bytes
	}{
		{"u8", 1},
		{"u16", 2},
		{"u32", 4},
		{"u64", 8},
		{"i8", 1},
		{"i16", 2},
		{"i32", 4},
		{"i64", 8},
		{"f16", 2},
		{"bf16", 2},
		{"f32", 4},
		{"f64", 8},
		{"bool", 1},
		{"ptr", 8},
	} {
		id := s.typ(sequences.Type{Name: t.name, Size: t.size, Align: t.size, Builtin: true})
		s.buffer("s."+t.name, id, sequences.Device, n, 1<<40)
		s.buffer("h."+t.name, id, sequences.Host, n, 1<<40)
		s.buffer("d."+t.name, id, sequences.Device, hits, 0)
		s.buffer("dh."+t.name, id, sequences.Host, hits, 0)
	}
	hit := s.typ(sequences.Type{Name: "velo_hit", Size: 48, Align: 16})
	s.buffer("hits", hit, sequences.Device, &expr.Node{Kind: expr.Mul, Args: []*expr.Node{n, register}}, 1<<40)
	s.buffer("more", hit, sequences.Device, &expr.Node{Kind: expr.Add, Args: []*expr.Node{
		{Kind: expr.CountOf, Ref: 0}, {Kind: expr.CountOf, Ref: len(s.seq.Buffers) - 1},
	}}, 1<<40)
	s.step("decode")
	s.step("cluster")
	return s
}

func TestCHeader(t *testing.T) {
	s := everyType()
	require.Greater(t, s.plan.Layout.Device.Size, uint64(1)<<44)
	checkHeader(t, t.TempDir(), s.seq, s.plan, "velo")
}

// A sequence with next to nothing: no parameter, no count, one step.
func TestCHeaderMinimal(t *testing.T) {
	s := newSketch()
	s.static("a")
	s.step("s")
	checkHeader(t, t.TempDir(), s.seq, s.plan, "v")
}

// Functions are for the device too where a compiler for devices reads the header.
func TestCDeviceFunctions(t *testing.T) {
	dir := t.TempDir()
	s := newSketch()
	s.static("a")
	s.step("s")
	writeFiles(t, dir, map[string]string{"velo_seqplan.h": s.cText(t)})
	for macro, want := range map[string]bool{"__CUDACC__": true, "__HIPCC__": true, "SOMETHING": false} {
		c := compiler{"g++", "device.cc", []string{"-E", "-D" + macro}}
		out, err := c.compile(t, dir, "#include \"velo_seqplan.h\"\n")
		require.NoError(t, err, out)
		require.Equal(t, want, strings.Contains(read(t, filepath.Join(dir, "program")), "__host__ __device__ static inline"), macro)
	}
}

// headers are two headers that the C types of a sketch come from.
var headers = map[string]string{
	"hit.h": "typedef struct { float x, y, z; } Hit;\nstruct pair { unsigned short a, b; };\n",
	"track.hpp": `#include <cstdint>
namespace Velo {
struct Track { double p; std::uint32_t n, m; };
template <class A, int N> struct Many { A a[N]; };
}
`,
}

func typedSketch() *sketch {
	s := newSketch()
	one := func(name string, t sequences.Type) {
		s.buffer(name, s.typ(t), sequences.Device, &expr.Node{Kind: expr.Lit, Value: 7}, 7)
	}
	one("hits", sequences.Type{Name: "hit", Size: 12, Align: 4, C: "Hit", Include: "hit.h"})
	one("pairs", sequences.Type{Name: "pair", Size: 4, Align: 2, C: "struct pair", Include: `"hit.h"`})
	one("tracks", sequences.Type{Name: "track", Size: 16, Align: 8, C: "Velo::Track", Include: "track.hpp"})
	one("many", sequences.Type{Name: "lot", Size: 28, Align: 4, C: "::Velo::Many<float, 7>", Include: "track.hpp"})
	one("words", sequences.Type{Name: "word", Size: 8, Align: 8, C: "unsigned long long"})
	s.step("decode")
	return s
}

// User types go by their own names, and the types of C++ by a pointer to void in C.
func TestCTypes(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, headers)
	s := typedSketch()
	writeFiles(t, dir, map[string]string{"velo_seqplan.h": s.cText(t)})
	const both = `#include "velo_seqplan.h"
int main(void)
{
    Hit *hit = velo_hits((void *)0);
    struct pair *pair = velo_pairs((void *)0);
    unsigned long long *word = velo_words((void *)0);
`
	const inC = "    void *track = velo_tracks((void *)0), *many = velo_many((void *)0);\n"
	const inCxx = "    Velo::Track *track = velo_tracks(nullptr);\n    Velo::Many<float, 7> *many = velo_many(nullptr);\n"
	const end = "    return hit && pair && word && track && many;\n}\n"
	for _, c := range compilers()[:2] {
		source := both + inC + end
		if c.name == "g++" {
			source = both + inCxx + end
		}
		c.run(t, dir, source)
	}
}

// The build fails at the line that names the type whose size or alignment has
// changed, and nowhere else.
func TestCGuards(t *testing.T) {
	tests := []struct{ name, file, old, new, want string }{
		{"size", "hit.h", "float x, y, z;", "float x, y, z, w;", `hit: the sequence file says size: 12`},
		{"align", "hit.h", "unsigned short a, b;", "unsigned char a[4];", `pair: the sequence file says align: 2`},
		{"C++ size", "track.hpp", "n, m;", "n, m, k;", `track: the sequence file says size: 16`},
		{"template", "track.hpp", "A a[N];", "A a[N + 1];", `lot: the sequence file says size: 28`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, headers)
			changed := strings.Replace(headers[test.file], test.old, test.new, 1)
			require.NotEqual(t, headers[test.file], changed)
			header := typedSketch().cText(t)
			writeFiles(t, dir, map[string]string{"velo_seqplan.h": header, test.file: changed})
			for _, c := range compilers()[:2] {
				if test.file == "track.hpp" && c.name == "gcc" {
					continue // C does not see these types
				}
				out, err := c.compile(t, dir, "#include \"velo_seqplan.h\"\nint main(void) { return 0; }\n")
				require.Error(t, err)
				require.Equal(t, 1, strings.Count(out, " error: "), out)
				require.Contains(t, out, "velo_seqplan.h:"+lineOf(t, header, `"`+test.want+`"`)+":")
				require.Contains(t, out, test.want)
			}
		})
	}
}

// Headers of several sequences go together, but not of several ABI versions.
func TestCHeadersTogether(t *testing.T) {
	dir := t.TempDir()
	velo, muon := everyType(), everyType()
	muon.seq.Name = "muon"
	writeFiles(t, dir, map[string]string{"velo_seqplan.h": velo.cText(t), "muon_seqplan.h": muon.cText(t)})
	source := "#include \"velo_seqplan.h\"\n#include \"muon_seqplan.h\"\n" +
		"int main(void) { return VELO_S_U16_OFFSET == MUON_S_U16_OFFSET && velo_hits(NULL) != NULL ? 0 : 0; }\n"
	for _, c := range compilers() {
		c.run(t, dir, source)
	}
	text, err := os.ReadFile(filepath.Join(dir, "muon_seqplan.h"))
	require.NoError(t, err)
	other := strings.ReplaceAll(string(text), "SEQPLAN_ABI_VERSION 1\n", "SEQPLAN_ABI_VERSION 2\n")
	other = strings.ReplaceAll(other, "SEQPLAN_ABI_VERSION != 1\n", "SEQPLAN_ABI_VERSION != 2\n")
	writeFiles(t, dir, map[string]string{"muon_seqplan.h": other})
	for _, c := range compilers() {
		out, err := c.compile(t, dir, source)
		require.Error(t, err)
		require.Contains(t, out, "different seqplan ABI versions")
	}
}

func TestCTypeFaults(t *testing.T) {
	bad := []sequences.Type{
		{Name: "a", C: "int; }"},
		{Name: "b", C: "int\n"},
		{Name: "c", C: "1x"},
		{Name: "d", C: "x/*"},
		{Name: "e", C: `"x"`},
		{Name: "f", C: "x", Include: "a\nb"},
		{Name: "g", C: "x", Include: `a"b`},
		{Name: "h", C: "x", Include: "<a"},
		{Name: "u128", Builtin: true},
	}
	s := newSketch()
	for _, t := range bad {
		t.Size, t.Align = 4, 4
		s.buffer("of_"+t.Name, s.typ(t), sequences.Device, &expr.Node{Kind: expr.Lit, Value: 7}, 7)
	}
	got := s.cFaults(COptions{})
	require.Len(t, got, len(bad), "%v", got)
	for i, d := range got {
		require.Equal(t, CodeCSyntax, d.Code)
		require.Equal(t, s.seq.Types[i].Pos, d.Pos)
	}
}
