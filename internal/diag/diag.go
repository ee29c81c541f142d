package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Code is the stable identifier of one kind of diagnostic, for example
// "SP0012". A code is never reused for another meaning.
type Code string

// Severity tells whether a diagnostic stops the work.
type Severity uint8

// The severities, in order of weight.
const (
	Warning Severity = iota
	Error
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Pos is a place in a source file. Line and Col count from 1; Col counts
// bytes. The zero Line means that only the file is known.
type Pos struct {
	File string
	Line int
	Col  int
}

func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Compare orders positions by file, line and column.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Diagnostic is one finding in an input file. It is an error value, so that a
// single one can be returned where a function stops at the first.
type Diagnostic struct {
	Pos      Pos
	Code     Code
	Severity Severity
	Message  string
	Hint     string // what to do about it; may be empty
	Notes    []Note // what else is known of it, in order
}

// Note is one thing that is known of a finding.
type Note struct {
	Label   string // what those of one kind are; they follow each other
	Pos     Pos    // what it is about; the zero Pos if that is no place
	Message string
}

// Error returns "file:line:col: error[SP0012]: message".
func (d Diagnostic) Error() string {
	return fmt.Sprintf("%s: %s[%s]: %s", d.Pos, d.Severity, d.Code, d.Message)
}

// full is the message, the hint in a line of its own, and the notes.
func (d Diagnostic) full() string {
	lines := []string{d.Message}
	if d.Hint != "" {
		lines = append(lines, "hint: "+d.Hint)
	}
	return strings.Join(append(lines, d.noteLines()...), "\n")
}

// noteLines are the notes, each in a line of its own behind its place, and indented below
// a line with its label.
func (d Diagnostic) noteLines() []string {
	var out []string
	label := ""
	for _, n := range d.Notes {
		if n.Label != label {
			label = n.Label
			out = append(out, label+":")
		}
		place := n.Pos.String()
		if n.Pos.File == d.Pos.File && n.Pos.Line > 0 {
			place = fmt.Sprintf("line %d", n.Pos.Line)
		}
		if place != "" {
			place += ": "
		}
		out = append(out, "  "+place+n.Message)
	}
	return out
}

// List is a collection of diagnostics. It implements error.
type List []Diagnostic

// Sorted returns the diagnostics ordered by position, code and message,
// without duplicates.
func (l List) Sorted() List {
	out := slices.Clone(l)
	slices.SortStableFunc(out, func(a, b Diagnostic) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(out, func(a, b Diagnostic) bool {
		return a.Pos == b.Pos && a.Code == b.Code && a.Message == b.Message
	})
}

// HasErrors reports whether any diagnostic is of severity Error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Err returns l as an error if it holds one of severity Error, else nil.
func (l List) Err() error {
	if l.HasErrors() {
		return l
	}
	return nil
}

// Error returns the first error of the list and how many more there are.
func (l List) Error() string {
	errs := 0
	first := "no errors"
	for _, d := range l.Sorted() {
		if d.Severity != Error {
			continue
		}
		if errs == 0 {
			first = d.Error()
		}
		errs++
	}
	if errs > 1 {
		return fmt.Sprintf("%s (and %d more)", first, errs-1)
	}
	return first
}
