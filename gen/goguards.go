package gen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/seqplan/seqplan/kernels/abi"
)

// guards makes the build fail where the program does not fit the plan: the index
// into an array of one element is a constant that is zero only if all is well.
func (g *goPrinter) guards() {
	var lines []jen.Code
	lines = append(lines,
		jen.Comment("The ABI of the runtime is the one this file was generated for."),
		guard(jen.Qual(abiPath, "Version").Op("-").Lit(abi.Version)))
	for _, t := range g.goTypes {
		value := jen.Op("*").New(jen.Qual(t.path, t.name))
		lines = append(lines,
			jen.Comment(fmt.Sprintf("%s: %d bytes, aligned to %d.", t.typ.Name, t.typ.Size, t.typ.Align)),
			guard(jen.Qual("unsafe", "Sizeof").Call(value).Op("-").Add(decimal(uint64(t.typ.Size)))))
		if t.typ.Align <= maxGoAlign {
			// Where the platform aligns no type to the file's alignment, its largest will do.
			want := decimal(uint64(t.typ.Align))
			if t.typ.Align > 4 {
				want = jen.Min(want, jen.Qual("unsafe", "Alignof").Call(jen.Uint64().Call(jen.Lit(0))))
			}
			lines = append(lines, guard(jen.Qual("unsafe", "Alignof").Call(value).Op("-").Add(want)))
		}
	}
	g.f.Comment("If the build fails here, something has changed since this file was generated.")
	g.f.Var().Defs(lines...)
	g.f.Line()
}

func guard(index *jen.Statement) jen.Code {
	return jen.Id("_").Op("=").Index(jen.Lit(1)).Struct().Values().Index(index)
}
