package gen

import (
	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// goFixed are the package-level names of every generated Go file.
var goFixed = [...]string{
	"ArenaAlign", "ArenaTypical", "ArenaWorst", "Counts", "DevicePoolAlign", "DevicePoolSize", "HostPoolAlign", "HostPoolSize",
	"Layout", "NumSlots", "NumSteps", "Open", "Params", "PlanHash", "Pool",
}

// goStreamNames are those that a file has if there are several streams.
var goStreamNames = [...]string{"NumStreams", "Step", "Steps", "Streams"}

// goPoolNames are the methods and fields of a generated Pool, its own and those
// of the embedded dynpool.Pool, which an accessor would hide.
var goPoolNames = [...]string{
	"Addr", "AllocList", "ArenaCapacity", "ArenaStart", "Base", "Begin", "Close", "Device", "HostBytes", "Layout", "Mark",
	"Pool", "Pools", "Release", "SlotAddr", "Stats",
}

// The suffixes of the generated constants and functions of a buffer.
var (
	goStaticSuffixes  = [...]string{"Offset", "Size", "Align", "ElemSize", "MaxCount", "Count"}
	goDynamicSuffixes = [...]string{"Slot", "Align", "ElemSize", "MaxSize", "MaxCount", "Count"}
)

// checkGoNames takes every name of the Go file and reports those that are taken.
func (m *model) checkGoNames() diag.List {
	c := newNameCheck("Go")
	top, methods := fixedNames(goFixed[:]...), fixedNames(goPoolNames[:]...)
	fields, counts := fixedNames("Values"), fixedNames()
	if m.several() {
		top.fix(ofStreams, goStreamNames[:]...)
	}

	for _, p := range m.props {
		c.addGo(top, object{"parameter", p.Name, p.Pos}, "")
	}
	for _, p := range m.params {
		c.addGo(fields, object{"parameter", p.Name, p.Pos}, "")
	}
	for _, n := range m.seq.Counts {
		c.addGo(counts, object{"count", n.Name, n.Pos}, "")
	}
	for _, b := range m.statics {
		o := object{"buffer", b.Name, b.Pos}
		if c.addGo(methods, o, "") {
			c.addGo(top, o, goStaticSuffixes[:]...)
		}
	}
	for _, b := range m.dynamic {
		o := object{"buffer", b.Name, b.Pos}
		accessor := "Slot"
		if b.Scope == sequences.Host {
			accessor = ""
		}
		if c.addGo(methods, o, accessor) {
			c.addGo(top, o, goDynamicSuffixes[:]...)
		}
	}
	for _, s := range m.seq.Steps {
		c.add(top, goStep(s.Name), object{"step", s.Name, s.Pos})
	}
	for _, s := range m.streams() {
		c.add(top, goStream(s.name), s)
	}
	return c.diags
}

const noLetter = "the name must have a letter before its first digit"

// addGo takes the exported Go form of an object's name with each suffix. It is
// false if there is no such form.
func (c *nameCheck) addGo(space nameSpace, o object, suffixes ...string) bool {
	name := camelCase(o.name)
	if name == "" || startsWithDigit(name) {
		c.none(o, noLetter)
		return false
	}
	for _, s := range suffixes {
		c.add(space, name+s, o)
	}
	return true
}
