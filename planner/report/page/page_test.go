package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/planner/report/page"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

var dataBlock = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// dataOf returns the data in a page as indented JSON.
func dataOf(t testing.TB, text []byte) []byte {
	t.Helper()
	block := dataBlock.FindSubmatch(text)
	require.NotNil(t, block)
	var out bytes.Buffer
	require.NoError(t, json.Indent(&out, block[1], "", " "))
	return append(out.Bytes(), '\n')
}

func TestVeloGolden(t *testing.T) {
	text, _ := write(t, read(t, hlt1.VeloFile, hlt1.Velo()))
	again, _ := write(t, read(t, hlt1.VeloFile, hlt1.Velo()))
	require.Equal(t, text, again, "the same input gives the same bytes")
	for name, got := range map[string][]byte{"velo.json": dataOf(t, text), "velo.js": formulasOf(t, text)} {
		golden.Equal(t, filepath.Join("testdata", name), got)
	}
}

// formulasOf returns the formulas in a page, without the arithmetic before them.
func formulasOf(t testing.TB, text []byte) []byte {
	t.Helper()
	_, rest, ok := bytes.Cut(text, []byte("const seqplanFormulas"))
	require.True(t, ok)
	formulas, _, ok := bytes.Cut(rest, []byte("</script>"))
	require.True(t, ok)
	return append([]byte("const seqplanFormulas"), formulas...)
}

// The page is one file: it names no other, and its policy allows its own scripts and style
// by their hashes, and nothing else.
func TestSelfContained(t *testing.T) {
	text, _ := write(t, read(t, hlt1.VeloFile, hlt1.Velo()))
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindSubmatch(text)
	require.NotNil(t, policy)
	var hashes []string
	for _, tag := range regexp.MustCompile(`(?s)<(?:script|style)>(.*?)</(?:script|style)>`).FindAllSubmatch(text, -1) {
		sum := sha256.Sum256(tag[1])
		hashes = append(hashes, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	require.Len(t, hashes, 3)
	require.Equal(t, "default-src 'none'; img-src data:; style-src "+hashes[0]+"; script-src "+hashes[1]+" "+hashes[2]+
		"; base-uri 'none'; form-action 'none'", html.UnescapeString(string(policy[1])))
	rest := strings.ReplaceAll(string(text), "http://www.w3.org/2000/svg", "") // the name of a name space
	for _, word := range []string{"://", "@import", "url(//", " src=", "innerHTML", "eval(", "new Function", "fetch(", "XMLHttpRequest"} {
		require.NotContains(t, rest, word)
	}
	require.NotRegexp(t, `(?i)<[a-z]+[^>]*\son[a-z]+=`, rest)
	require.Equal(t, 3, strings.Count(rest, "<script"))
}

// The page of the whole reconstruction stays small.
func TestSize(t *testing.T) {
	text, _ := writeReco(t)
	require.Less(t, len(text), 2<<20)
}

// A plan of another sequence and a writer that fails are errors.
func TestErrors(t *testing.T) {
	velo, reco := read(t, hlt1.VeloFile, hlt1.Velo()), read(t, hlt1.RecoFile, hlt1.Reco())
	plan, err := planner.Make(velo, planner.Options{})
	require.NoError(t, err)
	r := report.New(plan, report.Options{})
	require.ErrorContains(t, page.Write(io.Discard, reco, plan, r), "is not one of the sequence")
	require.ErrorIs(t, page.Write(full{}, velo, plan, r), os.ErrClosed)
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

func BenchmarkWrite(b *testing.B) {
	seq := read(b, hlt1.RecoFile, hlt1.Reco())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(b, err)
	r := report.New(plan, report.Options{})
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		require.NoError(b, page.Write(&out, seq, plan, r))
		b.SetBytes(int64(out.Len()))
	}
}
