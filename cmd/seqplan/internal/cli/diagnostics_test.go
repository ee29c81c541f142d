package cli

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
	"github.com/seqplan/seqplan/sequences"
)

// TestTitles: every code of every package has one meaning.
func TestTitles(t *testing.T) {
	seen := make(map[diag.Code]bool)
	for _, codes := range [][]diag.Code{sequences.Codes(), planner.Codes(), budget.Codes(), diff.Codes(), gen.Codes(), csvfile.Codes(), packTitles().Codes()} {
		for _, code := range codes {
			require.NotEmpty(t, title(code), code)
			require.False(t, seen[code], code)
			seen[code] = true
		}
	}
	require.Empty(t, title("SP9999"))
}

// TestPackCodesAreDocumented: the docs have a row for each code.
func TestPackCodesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../../docs/diagnostics.md")
	require.NoError(t, err)
	for _, code := range packTitles().Codes() {
		require.Contains(t, string(doc), fmt.Sprintf("| %s | %s |", code, packTitle(code)))
	}
	require.Equal(t, codePacking, faultCode(audit.Misaligned))
}

// TestDiffCodesAreDocumented: the docs have a row for each code.
func TestDiffCodesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../../docs/diff.md")
	require.NoError(t, err)
	for _, code := range diff.Codes() {
		require.Contains(t, string(doc), fmt.Sprintf("| %s | %s |", code, diff.Title(code)))
	}
}

// ended is a run of a command x that reports diagnostics in a format and ends with an
// error.
func ended(format diag.Format, l diag.List, end error) (stderr string, code int) {
	var out strings.Builder
	s := streams{err: &out, found: &findings{format: format}, command: command{name: "x", args: "FILE"}}
	if e := (&diagnostics{}).report(l, "f", []byte("x"), s); e != nil && end == nil {
		end = e
	}
	code = s.finish(end)
	return out.String(), code
}

// TestFinish: what ends a run is in the document, once, and the exit code is what it
// is without one.
func TestFinish(t *testing.T) {
	fault := diag.List{{Pos: diag.Pos{File: "f", Line: 1, Col: 1}, Code: "SP0001", Severity: diag.Error, Message: "bad"}}
	full := errors.New("disk full")
	stale := fmt.Errorf("f.go: %w", gen.ErrStale)
	for _, c := range []struct {
		name     string
		list     diag.List
		end      error
		messages []string // nil: no document
		code     int
		text     string // without a format
	}{
		{"fine", nil, nil, []string{}, exitOK, ""},
		{"warned", diag.List{{Message: "careful"}}, nil, []string{"careful"}, exitOK, ": warning[]: careful\n"},
		{"faulty", fault, nil, []string{"bad"}, exitFault, "f:1:1: error[SP0001]: bad\n    x\n    ^\n"},
		{"ended", nil, full, []string{"disk full"}, exitFault, "seqplan x: disk full\n"},
		{"both", fault, full, []string{"bad", "disk full"}, exitFault, "f:1:1: error[SP0001]: bad\n    x\n    ^\nseqplan x: disk full\n"},
		{"joined", fault, errors.Join(nil, errReported), []string{"bad"}, exitFault, "f:1:1: error[SP0001]: bad\n    x\n    ^\n"},
		{"stale", nil, stale, []string{"f.go: generated file is stale"}, exitStale, ""},
		{"stale and told", fault, errors.Join(errReported, stale), []string{"bad"}, exitStale, "f:1:1: error[SP0001]: bad\n    x\n    ^\n"},
		{"usage", nil, usagef("no"), []string{"no"}, exitUsage, "seqplan x: no\n  usage: seqplan x FILE\n"},
		{"usage of a file", nil, fmt.Errorf("f: %w", usagef("no")), []string{"f: no"}, exitUsage, "seqplan x: f: no\n  usage: seqplan x FILE\n"},
		{"help", nil, flag.ErrHelp, nil, exitOK, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, code := ended(diag.Text, c.list, c.end)
			require.Equal(t, c.code, code)
			require.Equal(t, c.text, text)
			text, code = ended(diag.JSON, c.list, c.end)
			require.Equal(t, c.code, code)
			if c.messages == nil {
				require.Empty(t, text)
				return
			}
			var got struct {
				Diagnostics []struct{ Message, Hint string }
			}
			require.NoError(t, json.Unmarshal([]byte(text), &got), "nothing stands beside the document")
			messages := []string{}
			for _, d := range got.Diagnostics {
				messages = append(messages, d.Message)
				require.Equal(t, c.code == exitUsage, d.Hint == "usage: seqplan x FILE")
			}
			require.ElementsMatch(t, c.messages, messages)
		})
	}

	s := streams{err: failing{}, found: &findings{format: diag.SARIF}}
	require.Equal(t, exitFault, s.finish(nil))
	require.Equal(t, exitUsage, s.finish(usagef("no")))
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// TestTell: text says which command it is, and moves no cursor; a document does not hold
// text.
func TestTell(t *testing.T) {
	var out strings.Builder
	s := streams{err: &out, found: &findings{}, command: command{name: "pack"}}
	s.tell(diag.Diagnostic{Message: "interrupted\x1b[2J", Hint: "one\ntwo"})
	require.Equal(t, "seqplan pack: interrupted\\x1b[2J\n  one\n  two\n", out.String())
	require.Empty(t, s.found.list)

	out.Reset()
	s.found.format = diag.GitHub
	s.tell(diag.Diagnostic{Message: "interrupted"})
	s.note("not for machines")
	require.Empty(t, out.String())
	require.Zero(t, s.finish(nil))
	require.Equal(t, "::warning title=seqplan::interrupted\n", out.String())
}

// TestErrorFormat: each command that prints diagnostics has the flag in its synopsis, and
// from the flag on there is a document, whatever mistake is behind it.
func TestErrorFormat(t *testing.T) {
	script, err := os.ReadFile("../../testdata/script/error_format_commands.txtar")
	require.NoError(t, err)
	for _, c := range commands() {
		var help, out, stderr strings.Builder
		require.Zero(t, Main([]string{c.name, "-h"}, strings.NewReader(""), &help, &stderr), c.name)
		has := strings.Contains(help.String(), "  -error-format FORMAT\n")
		require.Equal(t, has, strings.Contains(c.args, "[-error-format FORMAT]"), c.name)
		if !has {
			require.Contains(t, []string{"schema", "init", "version"}, c.name)
			continue
		}
		for _, exec := range []string{"exec", "! exec"} {
			require.Contains(t, string(script), "\n"+exec+" seqplan "+c.name+" -error-format json ", "the script tries it")
		}
		require.Equal(t, exitUsage, Main([]string{c.name, "-error-format", "json", "-nonsense"}, strings.NewReader(""), &out, &stderr), c.name)
		require.Empty(t, out.String(), c.name)
		var got struct{ Diagnostics []struct{ Message string } }
		require.NoError(t, json.Unmarshal([]byte(stderr.String()), &got), c.name)
		require.Len(t, got.Diagnostics, 1)
		require.Contains(t, got.Diagnostics[0].Message, "-nonsense")
	}
}
