package sequences_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/sequences"
)

// tester is what testing.T and rapid.T have in common.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	FailNow()
}

// checkRead is the contract of Read: a sequence or an error, positions inside the
// file, and formatting that keeps the meaning.
func checkRead(t tester, data []byte) {
	seq, diags := sequences.Read("file.yaml", data)
	if (seq == nil) != diags.HasErrors() {
		t.Fatalf("sequence %v with %v", seq != nil, diags)
	}
	lines := bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n"))
	for _, d := range diags {
		if d.Pos.File != "file.yaml" || d.Message == "" || sequences.Title(d.Code) == "" {
			t.Fatalf("bad diagnostic %+v", d)
		}
		if d.Pos.Line == 0 && d.Pos.Col == 0 {
			continue
		}
		if d.Pos.Line < 1 || d.Pos.Line > len(lines) || d.Pos.Col < 1 || d.Pos.Col > len(lines[d.Pos.Line-1])+1 {
			t.Fatalf("%v is outside of the file", d)
		}
	}
	formatted, err := sequences.Format(data)
	if seq != nil {
		checkModel(t, seq)
	}
	if err != nil {
		return
	}
	again, err := sequences.Format(formatted)
	if err != nil || !bytes.Equal(formatted, again) {
		t.Fatalf("formatting twice differs (%v):\n%s\n---\n%s", err, formatted, again)
	}
	if seq != nil {
		after, _ := sequences.Read("file.yaml", formatted)
		if d := cmp.Diff(seq, after, ignorePos); d != "" {
			t.Fatalf("formatting changes the sequence: %s", d)
		}
	}
}

// Mutations of valid files never make the reader panic.
func TestMutations(t *testing.T) {
	files := examples(t)
	var names []string
	for n, data := range files {
		if len(data) < 20_000 {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	words := []string{
		"", " ", "\n", ":", ": ", ",", "[", "]", "{", "}", "-", "- ", "\"", "'", "#", " #", "${", "$${x}", "}", "&a ", "*a",
		"!t ", "<<: ", "|\n", ">\n", "é", "\r\n", "\t", "0", "-1", "1.5", "KiB", "~", "true", "count_of(", "sum_counts(g)", "name", "reads: [x]", "\u2028", "\\x41", "? ",
		"stream: x, ", "after: [s], ", "gaps: [{after: s, before: t}], ", "shrink: [{after: s, count: 1}], ", "offset: 0, ", "on: host, ",
	}
	rapid.Check(t, func(t *rapid.T) {
		data := bytes.Clone(files[rapid.SampledFrom(names).Draw(t, "file")])
		for range rapid.IntRange(1, 4).Draw(t, "mutations") {
			at := rapid.IntRange(0, len(data)).Draw(t, "at")
			cut := rapid.IntRange(0, min(12, len(data)-at)).Draw(t, "cut")
			word := rapid.SampledFrom(words).Draw(t, "word")
			data = slices.Concat(data[:at], []byte(word), data[at+cut:])
		}
		checkRead(t, data)
	})
}

// Whole lines and indentation are what people get wrong.
func TestLineMutations(t *testing.T) {
	data := examples(t)["examples/lines.yaml"]
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i := range lines {
		without := slices.Concat(lines[:i], lines[i+1:])
		twice := slices.Insert(slices.Clone(lines), i, lines[i])
		deeper := slices.Clone(lines)
		deeper[i] = append([]byte("  "), lines[i]...)
		swapped := slices.Clone(lines)
		swapped[i], swapped[(i+1)%len(lines)] = swapped[(i+1)%len(lines)], swapped[i]
		for _, m := range [][][]byte{without, twice, deeper, swapped} {
			checkRead(t, bytes.Join(m, nil))
		}
	}
}

func TestFormatRandomSequences(t *testing.T) {
	for i := range 50 {
		r := rand.New(rand.NewPCG(8, uint64(i)))
		data := randseq.YAML(r, [...]func(*rand.Rand) randseq.Config{randseq.Small, randseq.Streams}[i%2](r))
		_, err := sequences.Format(data)
		require.NoError(t, err)
		checkRead(t, data)
	}
}

func FuzzRead(f *testing.F) {
	for _, data := range examples(f) {
		if len(data) < 20_000 {
			f.Add(data)
		}
	}
	faulty, err := filepath.Glob("testdata/faulty/*.yaml")
	require.NoError(f, err)
	for _, name := range faulty {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		if !bytes.Contains(data, []byte("SP0008")) { // slow, and a test of its own
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, data) })
}
