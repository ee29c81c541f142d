package gen

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// layoutFunc prints the layout as a function, so that no caller can change the
// layout of another.
func (g *goPrinter) layoutFunc() {
	g.f.Comment("Layout returns the part of the plan that the runtime needs.")
	g.f.Func().Id("Layout").Params().Op("*").Qual(abiPath, "Layout").Block(
		jen.Return(jen.Op("&").Qual(abiPath, "Layout").Add(multiLine(fieldsOf(reflect.ValueOf(*g.layout))))))
}

// fieldsOf are the fields of a struct that are not zero, as "Name: value". The
// layout is printed through reflection so that a new field of it cannot be
// forgotten here.
func fieldsOf(v reflect.Value) []jen.Code {
	var out []jen.Code
	for f, value := range v.Fields() {
		switch {
		case f.Name == "PlanHash":
			out = append(out, jen.Id(f.Name).Op(":").Id("PlanHash"))
		case !value.IsZero():
			out = append(out, jen.Id(f.Name).Op(":").Add(literal(value)))
		}
	}
	return out
}

// literal prints a value of the kinds that a layout is made of.
func literal(v reflect.Value) *jen.Statement {
	switch v.Kind() {
	case reflect.Struct:
		return typeName(v.Type()).Values(fieldsOf(v)...)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint64 {
			return jen.Index().Add(typeName(v.Type().Elem())).Add(multiLine(wordRows(v)))
		}
		var items []jen.Code
		for _, item := range v.Seq2() {
			// The type of an element is left out: the slice has it already.
			items = append(items, jen.Values(fieldsOf(item)...))
		}
		return jen.Index().Add(typeName(v.Type().Elem())).Add(multiLine(items))
	case reflect.String:
		return jen.Lit(v.String())
	case reflect.Bool:
		return jen.Lit(v.Bool())
	case reflect.Int, reflect.Int64:
		return jen.Id(strconv.FormatInt(v.Int(), 10))
	}
	return decimal(v.Uint())
}

func typeName(t reflect.Type) *jen.Statement {
	if t.PkgPath() == "" {
		return jen.Id(t.Name())
	}
	return jen.Qual(t.PkgPath(), t.Name())
}

// wordsPerRow is how many words of a program stand on one line.
const wordsPerRow = 8

func wordRows(v reflect.Value) []jen.Code {
	var rows []jen.Code
	for i := 0; i < v.Len(); i += wordsPerRow {
		var row []string
		for j := i; j < min(i+wordsPerRow, v.Len()); j++ {
			row = append(row, fmt.Sprintf("%#x", v.Index(j).Uint()))
		}
		rows = append(rows, jen.Id(strings.Join(row, ", ")))
	}
	return rows
}

// multiLine is a literal's braces with one item on each line.
func multiLine(items []jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, items...)
}
