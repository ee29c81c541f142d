package gen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

func TestMangling(t *testing.T) {
	for _, test := range []struct{ name, camel, snake string }{
		{"n_events", "NEvents", "n_events"},
		{"velo.raw_banks", "VeloRawBanks", "velo_raw_banks"},
		{"a__b_", "AB", "a_b"},
		{"aB.c", "ABC", "aB_c"},
		{"_x1", "X1", "x1"},
		{"_1x", "1x", "1x"},
		{"__", "", ""},
		{"func", "Func", "func"},
	} {
		require.Equal(t, test.camel, camelCase(test.name), test.name)
		require.Equal(t, test.snake, snakeCase(test.name), test.name)
	}
}

// Whatever the name, both forms are identifiers, or empty, or start with a digit.
func TestManglingProperty(t *testing.T) {
	ident := regexp.MustCompile(`^[A-Za-z0-9_]*$`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_]{0,6}(\.[A-Za-z_][A-Za-z0-9_]{0,6}){0,2}`).Draw(t, "name")
		require.Regexp(t, ident, camelCase(name))
		require.Regexp(t, ident, snakeCase(name))
		require.NotContains(t, snakeCase(name), "__")
	})
}

// The names of objects in a faulty sequence, with what is reported. Line numbers
// count the objects, the second of two that clash is the one to blame.
func TestNameFaults(t *testing.T) {
	type fault struct {
		code diag.Code
		line int
		text string
	}
	u8 := sequences.Type{Name: "u8", Size: 1, Align: 1, Builtin: true}
	tests := []struct {
		name  string
		build func(*sketch)
		go_   []fault
		c     []fault
	}{
		{
			"two buffers", func(s *sketch) { s.typ(u8); s.static("a_b"); s.static("a.b"); s.static("a__b") },
			[]fault{
				{CodeNameTaken, 3, "buffer a_b and buffer a.b both become AB in Go"},
				{CodeNameTaken, 4, "buffer a_b and buffer a__b both become AB in Go"},
			},
			[]fault{
				{CodeNameTaken, 3, "buffer a_b and buffer a.b both become velo_a_b in C"},
				{CodeNameTaken, 4, "buffer a_b and buffer a__b both become velo_a_b in C"},
			},
		},
		{
			"case only", func(s *sketch) { s.typ(u8); s.static("hits"); s.static("Hits") },
			[]fault{{CodeNameTaken, 3, "buffer hits and buffer Hits both become Hits in Go"}},
			[]fault{{CodeNameTaken, 3, "buffer hits and buffer Hits both become VELO_HITS_OFFSET in C"}},
		},
		{
			"suffix", func(s *sketch) { s.typ(u8); s.static("hits"); s.static("hits_count") },
			nil,
			[]fault{{CodeNameTaken, 3, "buffer hits and buffer hits_count both become velo_hits_count in C"}},
		},
		{
			"property and buffer", func(s *sketch) { s.param("hits_size", 3, 3); s.typ(u8); s.static("hits") },
			[]fault{{CodeNameTaken, 3, "parameter hits_size and buffer hits both become HitsSize in Go"}},
			[]fault{{CodeNameTaken, 3, "parameter hits_size and buffer hits both become VELO_HITS_SIZE in C"}},
		},
		{
			"parameters", func(s *sketch) { s.param("n_x", 0, 3); s.param("n__x", 0, 3) },
			[]fault{{CodeNameTaken, 2, "parameter n_x and parameter n__x both become NX in Go"}},
			[]fault{{CodeNameTaken, 2, "parameter n_x and parameter n__x both become n_x in C"}},
		},
		{
			"counts", func(s *sketch) { s.count("n_x"); s.count("n__x") },
			[]fault{{CodeNameTaken, 2, "count n_x and count n__x both become NX in Go"}},
			[]fault{{CodeNameTaken, 2, "count n_x and count n__x both become n_x in C"}},
		},
		{
			"steps", func(s *sketch) { s.step("x.y"); s.step("x_y") },
			[]fault{{CodeNameTaken, 2, "step x.y and step x_y both become StepXY in Go"}},
			[]fault{{CodeNameTaken, 2, "step x.y and step x_y both become VELO_STEP_X_Y in C"}},
		},
		{
			"step and buffer", func(s *sketch) { s.typ(u8); s.static("step_x"); s.step("x_align") },
			[]fault{{CodeNameTaken, 3, "buffer step_x and step x_align both become StepXAlign in Go"}},
			[]fault{{CodeNameTaken, 3, "buffer step_x and step x_align both become VELO_STEP_X_ALIGN in C"}},
		},
		{
			"fixed", func(s *sketch) { s.param("pool", 3, 3); s.param("plan_hash", 4, 4); s.param("values", 0, 9) },
			[]fault{
				{CodeNameReserved, 1, "parameter pool becomes Pool in Go, a name that every generated file has"},
				{CodeNameReserved, 2, "parameter plan_hash becomes PlanHash in Go"},
				{CodeNameReserved, 3, "parameter values becomes Values in Go"},
			},
			[]fault{{CodeNameReserved, 2, "parameter plan_hash becomes VELO_PLAN_HASH in C"}},
		},
		{
			"method", func(s *sketch) { s.typ(u8); s.static("close") },
			[]fault{{CodeNameReserved, 2, "buffer close becomes Close in Go"}},
			nil,
		},
		{
			"dynamic slot and static buffer", func(s *sketch) {
				n, id := s.count("n"), s.typ(u8)
				s.buffer("hits", id, sequences.Device, n, 0)
				s.static("hits_slot")
			},
			// The static buffers come first in the file.
			[]fault{{CodeNameTaken, 3, "buffer hits_slot and buffer hits both become HitsSlot in Go"}},
			nil,
		},
		{
			"C program", func(s *sketch) { s.typ(u8); s.static("program") },
			nil,
			[]fault{{CodeNameReserved, 2, "buffer program becomes velo_program in C"}},
		},
		{
			"type and buffer", func(s *sketch) { s.typ(sequences.Type{Name: "hit", Size: 4, Align: 4}); s.static("hit") },
			nil,
			[]fault{{CodeNameTaken, 2, "type hit and buffer hit both become velo_hit in C"}},
		},
		{
			"property and arena", func(s *sketch) { s.param("arena_worst", 3, 3); s.param("arena_typical", 4, 4) },
			[]fault{
				{CodeNameReserved, 1, "parameter arena_worst becomes ArenaWorst in Go"},
				{CodeNameReserved, 2, "parameter arena_typical becomes ArenaTypical in Go"},
			},
			[]fault{
				{CodeNameReserved, 1, "parameter arena_worst becomes VELO_ARENA_WORST in C"},
				{CodeNameReserved, 2, "parameter arena_typical becomes VELO_ARENA_TYPICAL in C"},
			},
		},
		{
			"parameter and buffer", func(s *sketch) {
				s.param("n", 0, 9)
				s.param("m_count", 0, 9)
				s.typ(u8)
				s.static("param.n")
				s.static("param_m")
			},
			nil,
			[]fault{
				{CodeNameTaken, 4, "parameter n and buffer param.n both become velo_param_n in C"},
				{CodeNameTaken, 5, "parameter m_count and buffer param_m both become velo_param_m_count in C"},
			},
		},
		{
			"accessors of dynamic buffers", func(s *sketch) {
				n, id := s.count("n"), s.typ(u8)
				s.buffer("close", id, sequences.Device, n, 0) // CloseSlot
				s.buffer("begin", id, sequences.Host, n, 0)   // Begin
			},
			[]fault{{CodeNameReserved, 4, "buffer begin becomes Begin in Go"}},
			nil,
		},
		{
			"no name", func(s *sketch) { s.typ(u8); s.static("_1"); s.static("__"); s.param("_2", 0, 9); s.param("_", 0, 9) },
			[]fault{
				{CodeNoName, 2, "buffer _1 has no name in Go"},
				{CodeNoName, 3, "buffer __ has no name in Go"},
				{CodeNoName, 4, "parameter _2 has no name in Go"},
				{CodeNoName, 5, "parameter _ has no name in Go"},
			},
			[]fault{
				{CodeNoName, 3, "buffer __ has no name in C"},
				{CodeNoName, 4, "parameter _2 has no name in C"},
				{CodeNoName, 5, "parameter _ has no name in C"},
			},
		},
	}
	check := func(t *testing.T, want []fault, got sequences.Diagnostics) {
		t.Helper()
		require.Len(t, got, len(want), "%v", got)
		for i, d := range got {
			require.Equal(t, want[i].code, d.Code, d.Message)
			require.Equal(t, want[i].line, d.Pos.Line, d.Message)
			require.Contains(t, d.Message, want[i].text)
			require.Contains(t, d.Hint, "rename")
		}
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newSketch()
			test.build(s)
			check(t, test.go_, s.goFaults(GoOptions{}))
			check(t, test.c, s.cFaults(COptions{}))
		})
	}
}

// A name is a word of C only together with the prefix.
func TestCWords(t *testing.T) {
	for prefix, name := range map[string]string{"static": "assert", "uint32": "t", "const": "cast", "co": "await", "INT8": "max"} {
		s := newSketch()
		s.static(name)
		s.step("decode")
		got := s.cFaults(COptions{Prefix: prefix})
		if prefix == "INT8" { // a macro: INT8_MAX
			s = newSketch()
			s.param("max", 3, 3)
			got = s.cFaults(COptions{Prefix: prefix})
		}
		require.NotEmpty(t, got, "%s_%s", prefix, name)
		require.Equal(t, CodeNoName, got[0].Code)
	}
	for _, name := range []string{"int", "class", "register", "NULL", "linux", "static_assert", "uint64_t"} {
		require.Equal(t, name+"_", cField(name))
	}
	require.Equal(t, "n_events", cField("n_events"))
}

func TestOptions(t *testing.T) {
	s := newSketch()
	s.static("hits")
	for _, bad := range []string{"1x", "_x", "x_", "a__b", "a b", "a-b", "seqplan", "SEQPLAN_x", "a\nb"} {
		err := C(&strings.Builder{}, s.seq, s.plan, COptions{Prefix: bad})
		require.ErrorContains(t, err, "cannot be the prefix", bad)
	}
	for _, bad := range []string{"1x", "_", "func", "a.b", "a b"} {
		err := Go(&strings.Builder{}, s.seq, s.plan, GoOptions{Package: bad})
		require.ErrorContains(t, err, "no name of a Go package", bad)
	}
	s.seq.Name = "velo_tracks"
	require.Contains(t, s.goText(t), "\npackage velotracks\n")
	require.Contains(t, s.cText(t), "#define VELO_TRACKS_HITS_OFFSET ")
}

// Names and texts of a model that no reader has checked get out of no comment
// and no literal.
func TestPrintable(t *testing.T) {
	s := newSketch()
	s.static("hits")
	s.plan.Source = "a\nb\\.yaml"
	s.seq.Buffers[0].CountText = "1\n*/ + /* 2"
	for _, text := range []string{s.goText(t), s.cText(t)} {
		lines := strings.Split(text, "\n")
		require.Equal(t, "// Code generated by seqplan; DO NOT EDIT.", lines[0])
		require.Equal(t, `// Source: a?b\.yaml, plan 0123456789abcdef.`, lines[1])
		require.Contains(t, text, fmt.Sprintf("hits: u8[%s], an input.", "1 * / + / * 2"))
	}
}

// A plan of another sequence is an error that says so.
func TestMismatch(t *testing.T) {
	breakers := map[string]func(*sketch){
		"no layout":       func(s *sketch) { s.plan.Layout = nil },
		"buffer missing":  func(s *sketch) { s.plan.Buffers = s.plan.Buffers[1:] },
		"other buffer":    func(s *sketch) { s.plan.Buffers[0].Name = "x" },
		"other step":      func(s *sketch) { s.plan.Layout.Steps = nil },
		"other slot":      func(s *sketch) { s.plan.Buffers[1].Slot = 1 },
		"slot missing":    func(s *sketch) { s.plan.Layout.Slots = nil },
		"other parameter": func(s *sketch) { s.plan.Layout.Params[0].Name = "x" },
		"param missing":   func(s *sketch) { s.plan.Layout.Params = nil },
		"param too many":  func(s *sketch) { s.seq.Params[0].Max = s.seq.Params[0].Min },
		"no such param":   func(s *sketch) { s.seq.Buffers[2].Count.Ref = 9 },
		"no such count":   func(s *sketch) { s.seq.Buffers[1].Count.Ref = -1 },
		"other class":     func(s *sketch) { s.seq.Buffers[1].Count.Ref = 0; s.seq.Buffers[2].Count = s.seq.Buffers[1].Count },
		"no such type":    func(s *sketch) { s.seq.Buffers[0].Type = 5 },
		"empty type":      func(s *sketch) { s.seq.Types[0].Size = 0 },
	}
	for name, breakIt := range breakers {
		t.Run(name, func(t *testing.T) {
			s := newSketch()
			n := s.param("n_events", 1, 9)
			s.static("a")
			s.buffer("b", 0, sequences.Device, s.count("n_hits"), 0)
			s.buffer("c", 0, sequences.Device, n, 9)
			s.step("decode")
			require.NoError(t, Go(&strings.Builder{}, s.seq, s.plan, GoOptions{}))
			breakIt(s)
			require.ErrorIs(t, Go(&strings.Builder{}, s.seq, s.plan, GoOptions{}), ErrMismatch)
			require.ErrorIs(t, C(&strings.Builder{}, s.seq, s.plan, COptions{}), ErrMismatch)
		})
	}
	require.ErrorIs(t, Go(&strings.Builder{}, nil, nil, GoOptions{}), ErrMismatch)
}

// A declared type may be a word of C that is a type.
func TestTypesOfC(t *testing.T) {
	seq, diags := sequences.Read("t.yaml", []byte(`
seqplan: 1
name: t
types: {real: {size: 4, align: 4, c: float}, word: {size: 4, align: 4, c: unsigned int}}
steps: [{name: a, writes: {x: {type: real, count: 3}, y: {type: word, count: 3}}}]
`))
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, C(&text, seq, plan, COptions{}))
	require.Contains(t, text.String(), "float *t_x(")
}
