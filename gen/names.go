package gen

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// nameSpace maps each name of one name space of a generated file to what it
// stands for.
type nameSpace map[string]object

// object is what a generated name stands for. The names that every generated
// file has stand for an object without a name: the zero object, or ofStreams.
type object struct {
	what string // "buffer", "step", ...
	name string // as in the sequence file
	pos  sequences.Pos
}

func (o object) String() string { return o.what + " " + o.name }

// ofStreams is what the names stand for that a file has if there are several streams.
var ofStreams = object{what: "with several streams "}

// fixedNames is a name space with the names that every generated file has.
func fixedNames(fixed ...string) nameSpace {
	s := nameSpace{}
	s.fix(object{}, fixed...)
	return s
}

// fix takes names for no object of the sequence file.
func (s nameSpace) fix(what object, names ...string) {
	for _, name := range names {
		s[name] = what
	}
}

// nameCheck collects a diagnostic for each name that is taken already.
type nameCheck struct {
	lang  string             // for messages
	told  map[[2]object]bool // one message for each pair of objects
	diags diag.List
}

func newNameCheck(lang string) *nameCheck {
	return &nameCheck{lang: lang, told: map[[2]object]bool{}}
}

// add takes a name for an object.
func (c *nameCheck) add(space nameSpace, name string, o object) {
	first, taken := space[name]
	if !taken {
		space[name] = o
		return
	}
	pair := [2]object{first, o}
	if c.told[pair] {
		return
	}
	c.told[pair] = true
	d := diag.Diagnostic{
		Pos: o.pos, Code: CodeNameTaken, Severity: diag.Error,
		Message: fmt.Sprintf("%s and %s both become %s in %s", first, o, name, c.lang),
		Hint:    "rename one of them",
	}
	if first.name == "" {
		d.Code = CodeNameReserved
		d.Message = fmt.Sprintf("%s becomes %s in %s, a name that every generated file %shas", o, name, c.lang, first.what)
		d.Hint = "rename the " + o.what
	}
	c.diags = append(c.diags, d)
}

// none reports that an object has no name in the language.
func (c *nameCheck) none(o object, why string) {
	c.diags = append(c.diags, diag.Diagnostic{
		Pos: o.pos, Code: CodeNoName, Severity: diag.Error,
		Message: fmt.Sprintf("%s has no name in %s: %s", o, c.lang, why),
		Hint:    "rename the " + o.what,
	})
}

// nameParts splits a name of a sequence file at its dots and underscores.
func nameParts(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '_' })
}

// camelCase is the exported Go form of a name: n_events becomes NEvents. Runs of
// separators count as one, so different names may become equal. The result is
// empty or starts with a digit for a name that has no Go form.
func camelCase(name string) string {
	var b strings.Builder
	for _, part := range nameParts(name) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// snakeCase is the C form of a name: velo.raw__banks becomes velo_raw_banks. The
// language reserves names with two underscores, and macros are upper case.
func snakeCase(name string) string { return strings.Join(nameParts(name), "_") }

// startsWithDigit tells whether a mangled name cannot start an identifier.
func startsWithDigit(name string) bool { return name != "" && name[0] >= '0' && name[0] <= '9' }
