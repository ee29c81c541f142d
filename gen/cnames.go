package gen

import (
	"regexp"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// cFixedMacros and cFixedNames are, without the prefix, the names of every
// generated header.
var (
	cFixedMacros = [...]string{
		"ARENA_ALIGN", "ARENA_AT", "ARENA_TYPICAL", "ARENA_WORST", "CONTROL_AT", "DEVICE_POOL_ALIGN", "DEVICE_POOL_SIZE",
		"EXTENTS_AT", "FLAGS", "HOST_POOL_ALIGN", "HOST_POOL_SIZE",
		"NUM_PARAMS", "NUM_SLOTS", "NUM_STEPS", "PARAMS_AT", "PLAN_HASH", "PROGRAM_AT", "PROGRAM_WORDS", "SEQPLAN_H", "SLOTS_AT",
	}
	cFixedNames = [...]string{"begin_batch", "counts", "params", "program"}
	// Those that a header has if there are several streams.
	cStreamMacros = [...]string{"NUM_STREAMS", "NUM_WAITS"}
	cStreamNames  = [...]string{"step", "steps", "streams", "waits"}
)

// The suffixes of the generated macros of a buffer.
var (
	cStaticSuffixes  = [...]string{"OFFSET", "SIZE", "MAX_COUNT", "ELEM_SIZE", "ALIGN"}
	cDynamicSuffixes = [...]string{"SLOT", "MAX_SIZE", "MAX_COUNT", "ELEM_SIZE", "ALIGN"}
)

// cNames makes the names of a header from its prefix.
type cNames struct{ prefix string }

// ident is the name of a function or a type.
func (c cNames) ident(parts ...string) string {
	return c.prefix + "_" + strings.Join(parts, "_")
}

// macro is the name of a macro.
func (c cNames) macro(parts ...string) string { return strings.ToUpper(c.ident(parts...)) }

// typedef is the name of the typedef of an element type that the header defines
// itself. A name that starts with the prefix already stays as it is.
func (c cNames) typedef(t *sequences.Type) string {
	name := snakeCase(t.Name)
	if strings.HasPrefix(name+"_", c.prefix+"_") {
		return name
	}
	return c.ident(name)
}

// cWord matches what C11, C++20 or a usual C compiler has another meaning for.
var cWord = regexp.MustCompile(`^(?:` +
	`alignas|alignof|and|and_eq|asm|atomic_.*|auto|bitand|bitor|bool|break|case|catch|char(?:8_t|16_t|32_t)?|class|compl|` +
	`concept|const(?:_cast|eval|expr|init)?|continue|co_await|co_return|co_yield|decltype|default|delete|do|double|` +
	`dynamic_cast|else|enum|explicit|export|extern|false|float|for|friend|goto|if|inline|int|long|mutable|namespace|new|` +
	`noexcept|not|not_eq|nullptr|nullptr_t|operator|or|or_eq|private|protected|public|register|reinterpret_cast|requires|` +
	`restrict|return|short|signed|sizeof|static|static_assert|static_cast|struct|switch|template|this|thread_local|throw|` +
	`true|try|typedef|typeid|typename|typeof|typeof_unqual|union|unsigned|using|virtual|void|volatile|wchar_t|while|xor|xor_eq|` +
	`linux|unix|i386|NULL|offsetof|errno|assert|size_t|ptrdiff_t|max_align_t|` +
	`u?int(?:_least|_fast)?(?:8|16|32|64)_t|u?int(?:max|ptr)_t|` +
	`U?INT(?:_LEAST|_FAST)?(?:8|16|32|64)(?:_MIN|_MAX|_C)|U?INT(?:MAX|PTR)_(?:MIN|MAX|C)|SIZE_MAX|PTRDIFF_(?:MIN|MAX)|` +
	`_.*|.*__.*)$`)

// cField is the name of a parameter or a count as a field of a struct. A word of
// the language gets an underscore.
func cField(name string) string {
	field := snakeCase(name)
	if cWord.MatchString(field) {
		field += "_"
	}
	return field
}

// cTypeWord matches the words that are types of C and its usual headers: a declared
// type may be one, but no other name.
var cTypeWord = regexp.MustCompile(`^(?:char|double|float|int|long|short|bool|size_t|ptrdiff_t|u?int(?:8|16|32|64|ptr)_t)$`)

// checkNames takes every name of the header and reports those that are taken.
func (c *cPrinter) checkNames() diag.List {
	check := newNameCheck("C")
	top := fixedNames()
	for _, s := range cFixedMacros {
		top[c.macro(s)] = object{}
	}
	for _, s := range cFixedNames {
		top[c.ident(s)] = object{}
	}
	if c.several() {
		for _, s := range cStreamMacros {
			top[c.macro(s)] = ofStreams
		}
		for _, s := range cStreamNames {
			top[c.ident(s)] = ofStreams
		}
	}
	add := func(name string, o object) {
		if cWord.MatchString(name) {
			check.none(o, name+" has a meaning of its own there")
			return
		}
		check.add(top, name, o)
	}
	for _, t := range c.types() {
		o := object{"type", t.Name, t.Pos}
		switch name := c.elemType(t); {
		case t.Builtin:
		case snakeCase(t.Name) == "":
			check.none(o, noCName)
		case t.C != "" && cTypeWord.MatchString(t.C):
		case isCIdent(name) && (t.C == "" || top[name].name == ""):
			// Two types may share one C type, which the header does not define.
			add(name, o)
		}
	}
	c.checkFields(check)
	for _, p := range c.props {
		check.addC(add, object{"parameter", p.Name, p.Pos}, func(n string) []string { return []string{c.macro(n)} })
	}
	for _, p := range c.params {
		if n := snakeCase(p.Name); n != "" { // else it has no field either
			add(c.ident("param", n), object{"parameter", p.Name, p.Pos})
		}
	}
	for _, b := range c.statics {
		check.addC(add, object{"buffer", b.Name, b.Pos}, func(n string) []string { return c.bufferNames(n, cStaticSuffixes[:]) })
	}
	for _, b := range c.dynamic {
		check.addC(add, object{"buffer", b.Name, b.Pos}, func(n string) []string { return c.bufferNames(n, cDynamicSuffixes[:]) })
	}
	for _, s := range c.seq.Steps {
		check.addC(add, object{"step", s.Name, s.Pos}, func(n string) []string { return []string{c.macro("STEP", n)} })
	}
	for _, s := range c.streams() {
		check.addC(add, s, func(n string) []string { return []string{c.macro("STREAM", n)} })
	}
	return check.diags
}

func (c *cPrinter) bufferNames(name string, suffixes []string) []string {
	out := []string{c.ident(name), c.ident(name, "count")}
	for _, s := range suffixes {
		out = append(out, c.macro(name, s))
	}
	return out
}

const noCName = "the name must have a letter or a digit"

// addC takes the C names of an object.
func (c *nameCheck) addC(add func(string, object), o object, names func(string) []string) {
	name := snakeCase(o.name)
	if name == "" {
		c.none(o, noCName)
		return
	}
	for _, n := range names(name) {
		add(n, o)
	}
}

// checkFields takes the fields of the structs of parameters and counts.
func (c *cPrinter) checkFields(check *nameCheck) {
	params, counts := fixedNames(), fixedNames()
	field := func(space nameSpace, o object) {
		name := cField(o.name)
		if name == "" || startsWithDigit(name) {
			check.none(o, noLetter)
			return
		}
		check.add(space, name, o)
	}
	for _, p := range c.params {
		field(params, object{"parameter", p.Name, p.Pos})
	}
	for _, n := range c.seq.Counts {
		field(counts, object{"count", n.Name, n.Pos})
	}
}
