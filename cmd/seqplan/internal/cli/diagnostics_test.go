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
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
	"github.com/seqplan/seqplan/sequences"
)

// TestTitles: every code of every package has one meaning.
func TestTitles(t *testing.T) {
	seen := make(map[diag.Code]bool)
	for _, codes := range [][]diag.Code{sequences.Codes(), planner.Codes(), budget.Codes(), gen.Codes(), csvfile.Codes(), packTitles().Codes()} {
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

// ended is a run of a command that has begun with a format and ends with an error.
func ended(format diag.Format, l diag.List, end error) (stderr string, err error) {
	var out strings.Builder
	s := streams{err: &out, found: &findings{}}
	d := diagnostics{format: format}
	d.begin(s)
	if e := d.report(l, "f", []byte("x"), s); e != nil && end == nil {
		end = e
	}
	err = s.finish(end)
	return out.String(), err
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
	}{
		{"fine", nil, nil, []string{}, exitOK},
		{"warned", diag.List{{Message: "careful"}}, nil, []string{"careful"}, exitOK},
		{"faulty", fault, nil, []string{"bad"}, exitFault},
		{"ended", fault[:0], full, []string{"disk full"}, exitFault},
		{"both", diag.List{{Message: "careful"}}, full, []string{"careful", "disk full"}, exitFault},
		{"joined", fault, errors.Join(nil, errReported), []string{"bad"}, exitFault},
		{"stale", nil, stale, []string{"f.go: generated file is stale"}, exitStale},
		{"usage", nil, usagef("no"), nil, exitUsage},
		{"help", nil, flag.ErrHelp, nil, exitOK},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := ended(diag.JSON, c.list, c.end)
			var after strings.Builder
			require.Equal(t, c.code, exitCode(err, command{name: "x"}, streams{err: &after}))
			require.Equal(t, c.code == exitUsage, after.Len() > 0, "nothing stands beside the document")
			if c.messages == nil {
				require.Empty(t, text)
				return
			}
			var got struct{ Diagnostics []struct{ Message string } }
			require.NoError(t, json.Unmarshal([]byte(text), &got))
			messages := []string{}
			for _, d := range got.Diagnostics {
				messages = append(messages, d.Message)
			}
			require.ElementsMatch(t, c.messages, messages)
		})
	}

	text, err := ended(diag.Text, fault, full)
	require.Equal(t, full, err)
	require.True(t, strings.HasPrefix(text, "f:1:1: error[SP0001]: bad\n"), text)

	s := streams{err: failing{}, found: &findings{format: diag.SARIF}}
	require.EqualError(t, s.finish(nil), "disk full")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// TestTell: text says which command it is, a document does not hold text.
func TestTell(t *testing.T) {
	var out strings.Builder
	s := streams{err: &out, found: &findings{}}
	(&diagnostics{}).tell(diag.Warning, "pack", "interrupted", s)
	require.Equal(t, "seqplan pack: interrupted\n", out.String())
	require.Empty(t, s.found.list)

	out.Reset()
	(&diagnostics{format: diag.GitHub}).tell(diag.Warning, "pack", "interrupted", s)
	require.Empty(t, out.String())
	require.NoError(t, s.finish(nil))
	require.Equal(t, "::warning title=seqplan::interrupted\n", out.String())
}
