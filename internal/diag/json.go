package diag

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// jsonFormat is the version of the JSON form.
const jsonFormat = 1

// jsonList is the JSON form of a list. All keys but notes are always there.
type jsonList struct {
	Format      int              `json:"seqplan_diagnostics"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
}

type jsonDiagnostic struct {
	File     string `json:"file"`   // "" if the finding is about no file
	Line     int    `json:"line"`   // from 1; 0 if only the file is known
	Column   int    `json:"column"` // in bytes, from 1; 0 if only the line is known
	Severity string `json:"severity"`
	Code     Code   `json:"code"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`

	Notes []jsonNote `json:"notes,omitempty"`
}

type jsonNote struct {
	Label   string `json:"label"`
	File    string `json:"file"` // this and the next two as those of the finding
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func renderJSON(w io.Writer, sorted List) error {
	out := jsonList{Format: jsonFormat, Diagnostics: make([]jsonDiagnostic, len(sorted))}
	for i, d := range sorted {
		out.Diagnostics[i] = jsonDiagnostic{
			File: d.Pos.File, Line: d.Pos.Line, Column: d.Pos.Col,
			Severity: d.Severity.String(), Code: d.Code, Message: d.Message, Hint: d.Hint,
		}
		for _, n := range d.Notes {
			out.Diagnostics[i].Notes = append(out.Diagnostics[i].Notes, jsonNote{n.Label, n.Pos.File, n.Pos.Line, n.Pos.Col, n.Message})
		}
	}
	return writeJSON(w, out)
}

// writeJSON prints an object with a line for each value, and no control characters: the
// encoder escapes those below U+0020 alone.
func writeJSON(w io.Writer, v any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	out := bufio.NewWriter(w) // keeps the first error until Flush
	for _, r := range text.String() {
		if r >= 0x7F && control(r) {
			fmt.Fprintf(out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.Flush()
}
