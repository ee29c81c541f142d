package diag_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/internal/diag"
)

func titleOf(code diag.Code) string {
	return map[diag.Code]string{"SP0001": "first: of all", "SP0002": "warning: not so bad"}[code]
}

func as(format diag.Format, l diag.List, sources map[string][]byte) string {
	var b strings.Builder
	if err := diag.Render(&b, l, sources, diag.RenderOptions{Format: format, Title: titleOf}); err != nil {
		return err.Error()
	}
	return b.String()
}

// mixed has what a list can have: two files, one read, a place after characters of
// several bytes, a file without a line, no file, a hint, notes, no code, and one twice.
func mixed() (diag.List, map[string][]byte) {
	in := func(file string, line, col int) diag.Pos { return diag.Pos{File: file, Line: line, Col: col} }
	notes := []diag.Note{
		{Label: "why", Pos: in("dir/b.yaml", 2, 3), Message: "it is odd"},
		{Label: "why", Pos: in("a.csv", 3, 0), Message: "so is this"},
		{Label: "else", Message: "nothing"},
	}
	l := diag.List{
		{Pos: in("dir/b.yaml", 2, 7), Code: "SP0002", Message: "careful", Hint: "do this", Notes: notes},
		{Pos: in("dir/b.yaml", 2, 7), Code: "SP0002", Message: "careful", Hint: "do this"},
		{Pos: in("a.csv", 7, 3), Code: "SP0009", Severity: diag.Error, Message: "not read"},
		{Pos: in("dir/b.yaml", 0, 0), Code: "SP0001", Severity: diag.Error, Message: "too large"},
		{Severity: diag.Error, Message: "disk full"},
	}
	return l, map[string][]byte{"dir/b.yaml": []byte("\ufeffx\r\né😀z\r\n")}
}

func TestJSON(t *testing.T) {
	l, sources := mixed()
	require.Equal(t, `{
  "seqplan_diagnostics": 1,
  "diagnostics": [
    {
      "file": "",
      "line": 0,
      "column": 0,
      "severity": "error",
      "code": "",
      "message": "disk full",
      "hint": ""
    },
    {
      "file": "a.csv",
      "line": 7,
      "column": 3,
      "severity": "error",
      "code": "SP0009",
      "message": "not read",
      "hint": ""
    },
    {
      "file": "dir/b.yaml",
      "line": 0,
      "column": 0,
      "severity": "error",
      "code": "SP0001",
      "message": "too large",
      "hint": ""
    },
    {
      "file": "dir/b.yaml",
      "line": 2,
      "column": 7,
      "severity": "warning",
      "code": "SP0002",
      "message": "careful",
      "hint": "do this",
      "notes": [
        {
          "label": "why",
          "file": "dir/b.yaml",
          "line": 2,
          "column": 3,
          "message": "it is odd"
        },
        {
          "label": "why",
          "file": "a.csv",
          "line": 3,
          "column": 0,
          "message": "so is this"
        },
        {
          "label": "else",
          "file": "",
          "line": 0,
          "column": 0,
          "message": "nothing"
        }
      ]
    }
  ]
}
`, as(diag.JSON, l, sources))
	require.Equal(t, "{\n  \"seqplan_diagnostics\": 1,\n  \"diagnostics\": []\n}\n", as(diag.JSON, nil, nil))
}

// The column of GitHub is in characters: two of them, of two and four bytes, are before
// the byte 7.
func TestGitHub(t *testing.T) {
	l, sources := mixed()
	require.Equal(t, `::error title=seqplan::disk full
::error file=a.csv,line=7,title=SP0009::not read
::error file=dir/b.yaml,title=SP0001%3A first%3A of all::too large
::warning file=dir/b.yaml,line=2,col=3,title=SP0002%3A not so bad::careful%0Ahint: do this%0Awhy:%0A  line 2: it is odd%0A  a.csv:3: so is this%0Aelse:%0A  nothing
`, as(diag.GitHub, l, sources))
	require.Empty(t, as(diag.GitHub, nil, nil))
}

// No machine format has a cap.
func TestFormatsPrintAll(t *testing.T) {
	var l diag.List
	for i := range 25 {
		l = append(l, at(i+1, 1, fmt.Sprint("number ", i)))
	}
	for _, f := range []diag.Format{diag.JSON, diag.GitHub, diag.SARIF} {
		require.Equal(t, 25, strings.Count(as(f, l, nil), "number "), f)
	}
}

func TestFormatNames(t *testing.T) {
	for f := diag.Text; f <= diag.SARIF; f++ {
		text, err := f.MarshalText()
		require.NoError(t, err)
		require.Equal(t, f.String(), string(text))
		var back diag.Format
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, f, back)
	}
	var f diag.Format
	require.EqualError(t, f.UnmarshalText([]byte("JSON")), "want text, json, github or sarif")
	_, err := diag.Format(9).MarshalText()
	require.EqualError(t, err, "no format 9")
	require.Equal(t, "Format(9)", diag.Format(9).String())
}

func TestFormatErrors(t *testing.T) {
	for f := diag.Text; f <= diag.SARIF; f++ {
		err := diag.Render(failing{}, diag.List{at(1, 1, "m")}, nil, diag.RenderOptions{Format: f})
		require.EqualError(t, err, "disk full", f)
	}
}

const evil = "x\r\n::error::y%0A,::z\x1b[31m\u009b2J\x7f\u2028{0}[a](http://b) \"<b>\" \xff\t"

// A hostile file name, message, hint and title stay what they are: no command of their
// own, no line of their own, nothing that moves the cursor.
func TestHostile(t *testing.T) {
	l := diag.List{{Pos: diag.Pos{File: evil, Line: 1, Col: 1}, Code: "SP0001", Severity: diag.Error, Message: evil, Hint: evil, Notes: []diag.Note{
		{Label: evil, Pos: diag.Pos{File: evil, Line: 1, Col: 1}, Message: evil}, {Label: evil, Pos: diag.Pos{File: "y" + evil}, Message: evil},
	}}}
	sources := map[string][]byte{evil: []byte(evil)}
	render := func(f diag.Format) string {
		var b strings.Builder
		require.NoError(t, diag.Render(&b, l, sources, diag.RenderOptions{Format: f, Title: func(diag.Code) string { return evil }}))
		for _, r := range b.String() {
			require.False(t, r != '\t' && r != '\n' && r < ' ' || r >= 0x7F && r < 0xA0 || r == '\u2028', "%s: %q", f, r)
		}
		return b.String()
	}
	require.True(t, strings.HasPrefix(render(diag.Text), "x\uFFFD\uFFFD::error::y%0A,::z\uFFFD[31m"), "a file name has no second line")

	bad := "\uFFFD[31m\uFFFD2J\uFFFD\uFFFD{0}[a](http://b) \"<b>\" \uFFFD\t"
	message := "x%0D%0A::error::y%250A,::z" + bad
	property := "x%0D%0A%3A%3Aerror%3A%3Ay%250A%2C%3A%3Az" + strings.ReplaceAll(bad, ":", "%3A")
	require.Equal(t, "::error file="+strings.ReplaceAll(property, "http%3A//", "http%3A/")+",line=1,col=1,title=SP0001%3A "+property+"::"+message+"%0Ahint: "+message+"%0A"+message+":%0A  line 1: "+message+"%0A  y"+message+": "+message+"\n", render(diag.GitHub))

	var list struct {
		Diagnostics []struct {
			File, Message, Hint string
			Notes               []struct{ Label, File, Message string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(render(diag.JSON)), &list))
	first := list.Diagnostics[0]
	for _, s := range []string{first.File, first.Message, first.Hint, first.Notes[0].Label, first.Notes[0].File, first.Notes[1].Message} {
		require.Equal(t, strings.ToValidUTF8(evil, "\uFFFD"), s, "only what is no UTF-8 is lost")
	}

	var log sarifLog
	strict(t, render(diag.SARIF), &log)
	text := "x\r\n::error::y%0A,::z\uFFFD[31m\uFFFD2J\uFFFD\uFFFD{{0}}[a] (http://b) \"<b>\" \uFFFD\t"
	require.Equal(t, text+"\nhint: "+text+"\n"+text+":\n  line 1: "+text+"\n  y"+text+": "+text, log.Runs[0].Results[0].Message.Text)
	require.Equal(t, text+": "+text, log.Runs[0].Results[0].RelatedLocations[0].Message.Text)
	require.Equal(t, text, log.Runs[0].Tool.Driver.Rules[0].ShortDescription.Text)
	name, err := url.PathUnescape(log.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll(evil, "//", "/"), name)
}

// strict decodes one JSON value that has no field unknown to v, and nothing behind it.
func strict(t require.TestingT, text string, v any) {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(v))
	require.False(t, dec.More())
}

// drawList draws diagnostics, and the text of their files.
func drawList(t *rapid.T) (diag.List, map[string][]byte) {
	sources := map[string][]byte{
		"a.yaml": []byte(rapid.StringOf(rapid.SampledFrom([]rune("a:é😀\t\r\n"))).Draw(t, "source")),
		"b/c d":  []byte("one line"),
	}
	note := rapid.Custom(func(t *rapid.T) diag.Note {
		return diag.Note{
			Label:   rapid.SampledFrom([]string{"a", "b"}).Draw(t, "label"),
			Pos:     diag.Pos{File: rapid.SampledFrom([]string{"", "a.yaml", "b/c d"}).Draw(t, "file"), Line: rapid.IntRange(0, 2).Draw(t, "line")},
			Message: rapid.StringN(0, 1, -1).Draw(t, "message"),
		}
	})
	one := rapid.Custom(func(t *rapid.T) diag.Diagnostic {
		return diag.Diagnostic{
			Pos: diag.Pos{
				File: rapid.SampledFrom([]string{"", "a.yaml", "b/c d", "/no/such"}).Draw(t, "file"),
				Line: rapid.IntRange(0, 4).Draw(t, "line"), Col: rapid.IntRange(0, 9).Draw(t, "col"),
			},
			Code:     rapid.SampledFrom([]diag.Code{"", "SP0001", "SP0002", "SP0003"}).Draw(t, "code"),
			Severity: rapid.SampledFrom([]diag.Severity{diag.Warning, diag.Error}).Draw(t, "severity"),
			Message:  rapid.String().Draw(t, "message"),
			Hint:     rapid.String().Draw(t, "hint"),
			Notes:    rapid.SliceOfN(note, 0, 4).Draw(t, "notes"),
		}
	})
	return rapid.SliceOfN(one, 0, 12).Draw(t, "list"), sources
}

// TestJSONRoundTrip: nothing is lost, and the order of discovery is no matter.
func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, sources := drawList(t)
		text := as(diag.JSON, l, sources)
		var got struct {
			Format      int `json:"seqplan_diagnostics"`
			Diagnostics []struct {
				File, Severity, Code, Message, Hint string
				Line, Column                        int
				Notes                               []struct {
					Label, File, Message string
					Line, Column         int
				}
			}
		}
		strict(t, text, &got)
		require.Equal(t, 1, got.Format)
		back := diag.List{}
		for _, d := range got.Diagnostics {
			severity := map[string]diag.Severity{"warning": diag.Warning, "error": diag.Error}[d.Severity]
			one := diag.Diagnostic{Pos: diag.Pos{File: d.File, Line: d.Line, Col: d.Column}, Code: diag.Code(d.Code), Severity: severity, Message: d.Message, Hint: d.Hint}
			one.Notes = []diag.Note{} // as they are drawn
			for _, n := range d.Notes {
				one.Notes = append(one.Notes, diag.Note{Label: n.Label, Pos: diag.Pos{File: n.File, Line: n.Line, Col: n.Column}, Message: n.Message})
			}
			back = append(back, one)
		}
		require.Equal(t, append(diag.List{}, l.Sorted()...), back)
		require.Equal(t, text, as(diag.JSON, back, sources))
	})
}
