package gen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// counts prints the struct of counts and, for each buffer, the function that
// computes its number of elements. A buffer that a count_of names has a second
// function that works inside of a calculation, so that the text stays as short
// as the sequence file.
func (g *goPrinter) counts() error {
	if len(g.seq.Counts) > 0 {
		var fields []jen.Code
		for _, c := range g.seq.Counts {
			fields = append(fields, jen.Id(camelCase(c.Name)).Uint64())
		}
		g.f.Comment("Counts are the integers that the steps leave in device memory.")
		g.f.Type().Id("Counts").Struct(fields...)
		g.f.Line()
	}
	for i := range g.seq.Buffers {
		b := &g.seq.Buffers[i]
		if err := g.count(b); err != nil {
			return fmt.Errorf("buffer %s: %w", b.Name, err)
		}
	}
	return nil
}

func (g *goPrinter) count(b *sequences.Buffer) error {
	name := camelCase(b.Name)
	text, err := g.goFormula(b.Count, g.counted[b.ID])
	if err != nil {
		return err
	}
	value := jen.Id(text)
	if g.counted[b.ID] {
		g.f.Func().Id("count" + name).Params(append([]jen.Code{jen.Id("c").Op("*").Qual(checkedPath, "Calc")}, g.arguments(b)...)...).
			Uint64().Block(jen.Return(value))
		g.f.Line()
		value = jen.Id(g.callCount(b, true))
	}
	g.f.Comment(name + "Count returns the number of elements of " + b.Name + ".")
	g.f.Func().Id(name+"Count").Params(g.arguments(b)...).Params(jen.Uint64(), jen.Error()).Block(
		jen.Var().Id("c").Qual(checkedPath, "Calc"),
		jen.Return(value, jen.Id("c").Dot("Err").Call()))
	g.f.Line()
	return nil
}

// arguments are the parameters of the count functions of a buffer.
func (g *goPrinter) arguments(b *sequences.Buffer) []jen.Code {
	args := []jen.Code{jen.Id("p").Id("Params")}
	if !g.static[b.ID] {
		args = append(args, jen.Id("n").Id("Counts"))
	}
	return args
}

// callCount is a call of the function that computes a count_of.
func (g *goPrinter) callCount(b *sequences.Buffer, own bool) string {
	calc, counts := "c", ""
	if own {
		calc = "&c"
	}
	if !g.static[b.ID] {
		counts = ", n"
	}
	return fmt.Sprintf("count%s(%s, p%s)", camelCase(b.Name), calc, counts)
}

// goFormula prints an expression. pointer tells whether c is a *checked.Calc.
func (g *goPrinter) goFormula(n *expr.Node, pointer bool) (string, error) {
	return expr.PrintGo(n, "c", func(kind expr.Kind, ref int, _ string) string {
		switch kind {
		case expr.Count:
			return "n." + camelCase(g.seq.Counts[ref].Name)
		case expr.CountOf:
			return g.callCount(&g.seq.Buffers[ref], !pointer)
		}
		if p := g.seq.Params[ref]; p.Fixed() {
			return camelCase(p.Name)
		}
		return "p." + camelCase(g.seq.Params[ref].Name)
	})
}
