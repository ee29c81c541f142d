package gen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// cBuiltin are the C types of the built-in element types. C has no portable half
// precision type, so f16 and bf16 are their bits.
var cBuiltin = map[string]string{
	"u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t",
	"i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "i64": "int64_t",
	"f16": "uint16_t", "bf16": "uint16_t", "f32": "float", "f64": "double",
	"bool": "bool", "ptr": "void *",
}

var (
	cIdent = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	// A C or C++ type: words, scopes, template arguments, pointers.
	cType = regexp.MustCompile(`^(?:::)?[A-Za-z_][A-Za-z0-9_]*(?:[ *,<>]|::|[A-Za-z0-9_])*$`)
	// A header name with its delimiters, or a bare one.
	cInclude = regexp.MustCompile(`^(?:[A-Za-z0-9_./+\- ]+|<[A-Za-z0-9_./+\- ]+>|"[A-Za-z0-9_./+\- ]+")$`)
)

func isCIdent(name string) bool { return cIdent.MatchString(name) }

// onlyCxx reports whether a type can be named in C++ only.
func onlyCxx(t *sequences.Type) bool { return strings.ContainsAny(t.C, ":<") }

// elemType is what a buffer's elements are called in C. A type that only C++ can
// name, and one that has no C type, go by a typedef of the header.
func (c *cPrinter) elemType(t *sequences.Type) string {
	switch {
	case t.Builtin:
		return cBuiltin[t.Name]
	case t.C == "" || onlyCxx(t):
		return c.typedef(t)
	}
	return t.C
}

// pointerTo is a pointer to an element of a buffer, without a space behind the star.
func (c *cPrinter) pointerTo(b buffer) string {
	name := c.elemType(b.typ)
	pointers := strings.HasSuffix(name, "*")
	switch {
	case b.Scope == sequences.Device && pointers:
		return name + " SEQPLAN_GM *" // in front it would qualify what the elements point to
	case b.Scope == sequences.Device:
		return "SEQPLAN_GM " + name + " *"
	case pointers:
		return name + "*"
	}
	return name + " *"
}

// checkTypes reports C types and header names that cannot be printed.
func (c *cPrinter) checkTypes() diag.List {
	var out diag.List
	report := func(t *sequences.Type, key, value string) {
		out = append(out, diag.Diagnostic{
			Pos: t.Pos, Code: CodeCSyntax, Severity: diag.Error,
			Message: fmt.Sprintf("type %s: %s: %q cannot be printed in a C header", t.Name, key, value),
			Hint:    `use a name like "Velo::Cluster", and a header like "velo/cluster.h" or "<velo/cluster.h>"`,
		})
	}
	for _, t := range c.types() {
		if t.Builtin && cBuiltin[t.Name] == "" {
			report(t, "type", t.Name)
		}
		if t.C != "" && !cType.MatchString(t.C) {
			report(t, "c", t.C)
		}
		if t.Include != "" && !cInclude.MatchString(t.Include) {
			report(t, "include", t.Include)
		}
	}
	return out
}

// includes prints the headers that declare the element types. A header that is
// needed by types of C++ only is left out in C.
func (c *cPrinter) includes() {
	var both, cxx []string
	for _, t := range c.types() {
		if t.Include == "" || t.C == "" {
			continue
		}
		name := t.Include
		if !strings.ContainsAny(name, `<"`) {
			name = `"` + name + `"`
		}
		if onlyCxx(t) {
			cxx = append(cxx, name)
		} else {
			both = append(both, name)
		}
	}
	slices.Sort(both)
	slices.Sort(cxx)
	both = slices.Compact(both)
	cxx = slices.DeleteFunc(slices.Compact(cxx), func(name string) bool { return slices.Contains(both, name) })
	for _, name := range both {
		c.line("#include %s", name)
	}
	if len(cxx) > 0 {
		c.line("#ifdef __cplusplus")
		for _, name := range cxx {
			c.line("#include %s", name)
		}
		c.line("#endif")
	}
}

// typedefs prints the element types with the asserts that tie them to the file.
func (c *cPrinter) typedefs() {
	asserts := false
	for _, t := range c.types() {
		asserts = c.builtinAssert(t) || asserts
	}
	if asserts {
		c.line("")
	}
	for _, t := range c.types() {
		name := c.elemType(t)
		switch {
		case t.Builtin:
			continue
		case t.C == "":
			c.line("/* %s: the sequence file names no C type. */", t.Name)
			c.line("typedef struct %s {", name)
			c.line("    SEQPLAN_ALIGNAS(%d) unsigned char bytes[%d];", t.Align, t.Size)
			c.line("} %s;", name)
			c.typeAsserts(t, name)
		case onlyCxx(t):
			c.line("#ifdef __cplusplus")
			c.line("typedef %s %s;", t.C, name)
			c.typeAsserts(t, t.C)
			c.line("#else")
			c.line("typedef void %s; /* C cannot name %s */", name, t.C)
			c.line("#endif")
		default:
			c.typeAsserts(t, name)
		}
		c.line("")
	}
}

// typeAsserts stop the build at the line of a type that has changed. The
// parentheses keep the commas of template arguments out of the macro's.
func (c *cPrinter) typeAsserts(t *sequences.Type, name string) {
	c.line("SEQPLAN_STATIC_ASSERT((sizeof(%s) == %d), \"%s: the sequence file says size: %d\");", name, t.Size, t.Name, t.Size)
	c.line("SEQPLAN_STATIC_ASSERT((SEQPLAN_ALIGNOF(%s) == %d), \"%s: the sequence file says align: %d\");", name, t.Align, t.Name, t.Align)
}

// builtinAssert checks the types whose size C leaves open.
func (c *cPrinter) builtinAssert(t *sequences.Type) bool {
	switch t.Name {
	case "bool", "f32", "f64", "ptr":
		if t.Builtin {
			c.line("SEQPLAN_STATIC_ASSERT((sizeof(%s) == %d), \"%s must have %d bytes\");", cBuiltin[t.Name], t.Size, t.Name, t.Size)
			return true
		}
	}
	return false
}
