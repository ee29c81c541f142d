package expr_test

import (
	"fmt"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences/expr"
)

func Example() {
	n, err := expr.Parse("ceil_div(n_events * 208, 32) * 4 KiB", diag.Pos{File: "velo.yaml", Line: 7, Col: 18})
	if err != nil {
		fmt.Println(err)
		return
	}
	n.Args[0].Args[0].Args[0] = &expr.Node{Kind: expr.Param, Ident: "n_events", Ref: 0} // what a resolver does

	b, err := expr.Analyze(n, expr.Box{{Min: 1, Max: 1000}}, expr.AnalysisEnv{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := expr.PrintGo(n, "c", func(_ expr.Kind, _ int, _ string) string { return "p.NEvents" })
	fmt.Println(n)
	fmt.Println(b.Hi, b.Proof, b.Dir)
	fmt.Println(text)
	// Output:
	// ceil_div(n_events * 208, 32) * 4096
	// 26624000 monotone [inc]
	// c.Mul(c.CeilDiv(c.Mul(p.NEvents, 208), 32), 4096)
}
