package prose_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/internal/prose"
)

func TestPlural(t *testing.T) {
	require.Equal(t, "1 buffer", prose.Plural(1, "buffer"))
	require.Equal(t, "0 buffers", prose.Plural(0, "buffer"))
	require.Equal(t, "2 passes", prose.Plural(uint64(2), "pass"))
}

func TestShorten(t *testing.T) {
	require.Equal(t, "tracks", prose.Shorten("tracks", 6))
	require.Equal(t, "trac..", prose.Shorten("tracks of", 6))
	require.Equal(t, "飛跡", prose.Shorten("飛跡", 2))
	require.Equal(t, "..", prose.Shorten("tracks", 0))
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"tracks": "tracks", "a\nb": `a\nb`, "\x1b[31m": `\x1b[31m`, "\u202eevil": `\u202eevil`, "\xff": `\xff`,
		"a\tb": `a\tb`, "飛跡": "飛跡", "\u2028": `\u2028`, `a\b`: `a\b`, "it's": "it's", "\U000e0001": `\U000e0001`,
	} {
		require.Equal(t, want, prose.Plain(in))
	}
	require.Equal(t, "a\tb\\n", prose.PlainTabbed("a\tb\n"))
}

func TestPlainIsPrintable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		got := prose.Plain(s)
		require.True(t, utf8.ValidString(got))
		for _, r := range got {
			require.True(t, unicode.IsPrint(r), "%q", r)
		}
		require.Equal(t, got, prose.Plain(got), "what is plain stays as it is")
	})
}

func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		"tracks": "tracks", "=1+1": "'=1+1", " @x": "' @x", "'+1": "''+1", "-1": "'-1", "a=b": "a=b", "＝1": "'＝1", "": "", "''": "''",
	} {
		require.Equal(t, want, prose.Cell(in))
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"tracks": "`tracks`", "": "", "a|b": "a&#124;b", "`": "&#96;", " a": "&#32;a", "a*b": "`a*b`", "<b>": "&#60;b&#62;", `a\`: "`a\\`", "a\nb": "`a\\nb`",
	} {
		require.Equal(t, want, prose.Code(in))
	}
}

// A text in a cell of a table neither ends the cell nor the line, and begins no span.
func TestCodeStaysInItsCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := prose.Code(rapid.StringOf(rapid.RuneFrom([]rune("a`|\\<> \n*_[]()$~&#"))).Draw(t, "s"))
		require.NotContains(t, got, "|")
		require.NotContains(t, got, "\n")
		if inner, ok := strings.CutPrefix(got, "`"); ok {
			require.Equal(t, strings.Index(inner, "`"), len(inner)-1)
		} else {
			require.NotContains(t, got, "`")
			require.NotContains(t, got, "<")
		}
	})
}

func TestJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		text, err := json.Marshal(s)
		require.NoError(t, err)
		harmless := prose.JSON(string(text))
		for _, r := range harmless {
			require.True(t, unicode.IsPrint(r), "%q", r)
		}
		var back string
		require.NoError(t, json.Unmarshal([]byte(harmless), &back))
		require.Equal(t, s, back)
	})
}
