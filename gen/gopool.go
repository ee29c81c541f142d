package gen

import (
	"github.com/dave/jennifer/jen"

	"github.com/seqplan/seqplan/sequences"
)

// pool prints the pool type: the pools of one worker with an accessor for each
// buffer.
func (g *goPrinter) pool() {
	g.f.Comment("Pool holds the pools of one worker for this sequence.")
	g.f.Type().Id("Pool").Struct(jen.Op("*").Qual(dynpoolPath, "Pool"))
	g.f.Line()
	g.f.Comment("Open reserves the pools of one worker on a device.")
	g.f.Func().Id("Open").Params(
		jen.Id("dev").Qual(kernelsPath, "Device"), jen.Id("opts").Op("...").Qual(dynpoolPath, "Option"),
	).Params(jen.Op("*").Id("Pool"), jen.Error()).Block(
		jen.List(jen.Id("p"), jen.Err()).Op(":=").Qual(dynpoolPath, "Open").Call(
			jen.Id("dev"), jen.Id("Layout").Call(), jen.Id("opts").Op("...")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Return(jen.Op("&").Id("Pool").Values(jen.Id("p")), jen.Nil()),
	)
	g.f.Line()
	g.f.Comment("Begin starts a batch with the given parameters. It does not wait.")
	g.method("Begin", []jen.Code{jen.Id("stream").Qual(kernelsPath, "Stream"), jen.Id("params").Id("Params")},
		[]jen.Code{jen.Op("*").Qual(dynpoolPath, "Batch"), jen.Error()},
		jen.Id("p").Dot("Pool").Dot("Begin").Call(jen.Id("stream"), jen.Id("params").Dot("Values").Call().Op("...")))
	for _, b := range g.statics {
		g.staticAccessor(b)
	}
	for _, b := range g.dynamic {
		name := camelCase(b.Name)
		if b.Scope == sequences.Host {
			g.f.Comment(name + " returns the memory of " + b.Name + ". It is nil until the batch has ended, or has waited before.")
			g.method(name, []jen.Code{jen.Id("batch").Op("*").Qual(dynpoolPath, "Batch")}, []jen.Code{jen.Index().Byte()},
				jen.Id("batch").Dot("HostSlot").Call(jen.Id(name+"Slot")))
			continue
		}
		g.f.Comment(name + "Slot returns the address of the slot of " + b.Name + ", an abi.Slot in device memory.")
		g.method(name+"Slot", nil, []jen.Code{jen.Qual(kernelsPath, "Addr")},
			jen.Id("p").Dot("SlotAddr").Call(jen.Id(name+"Slot")))
	}
}

func (g *goPrinter) staticAccessor(b buffer) {
	name := camelCase(b.Name)
	if b.Scope == sequences.Host {
		g.f.Comment(name + " returns the memory of " + b.Name + ", of which a batch uses a part.")
		g.method(name, nil, []jen.Code{jen.Index().Byte()},
			jen.Id("p").Dot("HostBytes").Call(jen.Id(name+"Offset"), jen.Id(name+"Size")))
		return
	}
	g.f.Comment(name + " returns the address of " + b.Name + ".")
	g.method(name, nil, []jen.Code{jen.Qual(kernelsPath, "Addr")}, jen.Id("p").Dot("Addr").Call(jen.Id(name+"Offset")))
}

// method prints a method of Pool that returns one expression.
func (g *goPrinter) method(name string, args, results []jen.Code, value *jen.Statement) {
	f := g.f.Func().Params(jen.Id("p").Op("*").Id("Pool")).Id(name).Params(args...)
	if len(results) == 1 {
		f.Add(results[0])
	} else {
		f.Params(results...)
	}
	f.Block(jen.Return(value))
	g.f.Line()
}
