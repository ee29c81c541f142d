package diag

import (
	"cmp"
	"fmt"
	"slices"
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
}

// Error returns "file:line:col: error[SP0012]: message".
func (d Diagnostic) Error() string {
	return fmt.Sprintf("%s: %s[%s]: %s", d.Pos, d.Severity, d.Code, d.Message)
}

// withHint is the message, and the hint in a line of its own.
func (d Diagnostic) withHint() string {
	if d.Hint == "" {
		return d.Message
	}
	return d.Message + "\nhint: " + d.Hint
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
