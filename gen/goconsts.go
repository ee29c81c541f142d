package gen

import (
	"fmt"
	"math"

	"github.com/dave/jennifer/jen"

	"github.com/seqplan/seqplan/sequences"
)

// uint64Const is one line of a block of uint64 constants, which have 64 bits on
// every platform.
func uint64Const(name string, value uint64, comment string) jen.Code {
	c := jen.Id(name).Uint64().Op("=").Add(decimal(value))
	if comment != "" {
		c.Comment(comment)
	}
	return c
}

func (g *goPrinter) poolConstants() {
	l := g.layout
	lines := []jen.Code{
		uint64Const("DevicePoolSize", l.Device.Size, ""),
		uint64Const("DevicePoolAlign", l.Device.Align, ""),
		uint64Const("HostPoolSize", l.Host.Size, ""),
		uint64Const("HostPoolAlign", l.Host.Align, ""),
		uint64Const("ArenaAlign", l.ArenaAlign, ""),
	}
	for _, d := range g.demands() {
		lines = append(lines, uint64Const(camelCase("arena_"+d.kind), d.bytes, d.doc))
	}
	g.f.Comment("The static regions and the arena of one worker, in bytes.")
	g.f.Const().Defs(lines...)
	g.f.Line()
	g.f.Comment("How many steps the sequence has, and how many slots.")
	g.f.Const().Defs(
		jen.Id("NumSteps").Op("=").Lit(len(l.Steps)),
		jen.Id("NumSlots").Op("=").Lit(len(l.Slots)),
	)
	g.f.Line()
}

func (g *goPrinter) properties() {
	if len(g.props) == 0 {
		return
	}
	var lines []jen.Code
	for _, p := range g.props {
		lines = append(lines, uint64Const(camelCase(p.Name), p.Min, ""))
	}
	g.f.Comment("Properties: the parameters that have one value.")
	g.f.Const().Defs(lines...)
	g.f.Line()
}

func (g *goPrinter) staticConstants() {
	for _, b := range g.statics {
		name := camelCase(b.Name)
		offset := "Offset"
		if b.Scope == sequences.Host {
			offset = "HostOffset"
		}
		g.f.Comment(g.describe(b) + ".")
		g.f.Const().Defs(
			jen.Id(name+"Offset").Qual(abiPath, offset).Op("=").Add(decimal(uint64(b.plan.Offset))),
			uint64Const(name+"Size", uint64(b.plan.Max), "largest, in bytes"),
			uint64Const(name+"MaxCount", b.maxCount(), "largest, in elements"),
			uint64Const(name+"ElemSize", uint64(b.typ.Size), ""),
			uint64Const(name+"Align", uint64(b.plan.Align), ""),
		)
		g.f.Line()
	}
}

func (g *goPrinter) slotConstants() {
	for _, b := range g.dynamic {
		name := camelCase(b.Name)
		lines := []jen.Code{jen.Id(name+"Slot").Qual(abiPath, "SlotID").Op("=").Lit(b.plan.Slot)}
		if b.bounded() {
			lines = append(lines,
				uint64Const(name+"MaxSize", uint64(b.plan.Max), "largest, in bytes"),
				uint64Const(name+"MaxCount", b.maxCount(), "largest, in elements"))
		}
		lines = append(lines,
			uint64Const(name+"ElemSize", uint64(b.typ.Size), ""),
			uint64Const(name+"Align", uint64(b.plan.Align), ""))
		g.f.Comment(g.describe(b) + ".")
		g.f.Const().Defs(lines...)
		g.f.Line()
	}
}

func (g *goPrinter) stepConstants() {
	var lines []jen.Code
	for i, s := range g.seq.Steps {
		lines = append(lines, jen.Id(goStep(s.Name)).Qual(abiPath, "StepID").Op("=").Lit(i))
	}
	if len(lines) == 0 {
		return
	}
	g.f.Comment("The steps, in order.")
	g.f.Const().Defs(lines...)
	g.f.Line()
}

// paramsType prints the launch-time parameters.
func (g *goPrinter) paramsType() {
	var fields, values []jen.Code
	for _, p := range g.params {
		fields = append(fields, jen.Id(camelCase(p.Name)).Uint64().Comment(rangeText(p)))
		values = append(values, jen.Id("p").Dot(camelCase(p.Name)))
	}
	g.f.Comment("Params are the launch-time parameters, with the ranges that the plan is proved for.")
	g.f.Type().Id("Params").Struct(fields...)
	g.f.Line()
	g.f.Comment("Values returns the parameters in the order of Layout().Params.")
	g.f.Func().Params(jen.Id("p").Id("Params")).Id("Values").Params().Index().Uint64().Block(
		jen.Return(jen.Index().Uint64().Values(values...)))
	g.f.Line()
}

func rangeText(p sequences.Param) string {
	if p.Max == math.MaxUint64 {
		return fmt.Sprintf("%s: at least %d", p.Name, p.Min)
	}
	return fmt.Sprintf("%s: %d to %d", p.Name, p.Min, p.Max)
}
