package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/sequences/expr"
)

// formulas are the different formulas of a page, as JavaScript.
type formulas struct {
	index map[string]int
	list  []string
	err   error
}

// add returns the index of the formula of an expression; -1 if there is none.
func (f *formulas) add(n *expr.Node) int {
	if n == nil {
		return -1
	}
	text, err := expr.PrintJS(n, "c", func(kind expr.Kind, ref int, _ string) string {
		name := map[expr.Kind]string{expr.Param: "p[%d]", expr.Count: "k(%d)", expr.CountOf: "n(%d)"}[kind]
		return fmt.Sprintf(name, ref)
	})
	if err != nil && f.err == nil {
		f.err = err
	}
	at, ok := f.index[text]
	if !ok {
		at = len(f.list)
		f.index[text] = at
		f.list = append(f.list, text)
	}
	return at
}

// script defines seqplanFormulas: by index a function of the arithmetic, the values of the
// parameters, the value of a count and the elements of a buffer.
func (f *formulas) script() string {
	lines := slices.Clone(f.list)
	for i, text := range lines {
		lines[i] = "(c, p, k, n) => " + text + ",\n"
	}
	return "const seqplanFormulas = [\n" + strings.Join(lines, "") + "];\n"
}
