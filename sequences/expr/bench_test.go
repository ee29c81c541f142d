package expr

import "testing"

// typical are size expressions as real sequences have them.
var typical = []string{
	"n_events * 5000",
	"ceil_div(n_events * 208 + 1, 32) * 4",
	"max(n_events * 26 * 2 + 1, 1024)",
	"align_up(n_events * 12 KiB / 10, 256) + 64",
	"(n_events + 1) * min(max_tracks, 400) - n_events",
	"n_events % 256 + 1",
}

func typicalNodes(b *testing.B) []*Node {
	nodes := make([]*Node, len(typical))
	for i, src := range typical {
		n, err := Parse(src, origin)
		if err != nil {
			b.Fatal(err)
		}
		nodes[i] = withParams(n)
	}
	return nodes
}

// withParams resolves the two names of the typical expressions.
func withParams(n *Node) *Node {
	out := *n
	if n.Kind == Name {
		out.Kind, out.Ref = Param, map[string]int{"n_events": 0, "max_tracks": 1}[n.Ident]
	}
	out.Args = nil
	for _, arg := range n.Args {
		out.Args = append(out.Args, withParams(arg))
	}
	return &out
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Parse(typical[i%len(typical)], origin); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEval(b *testing.B) {
	nodes, env := typicalNodes(b), Env(values{params: []uint64{1000, 400}})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Eval(nodes[i%len(nodes)], env); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	for _, c := range []struct {
		name  string
		exprs func([]*Node) []*Node
		box   Box
	}{
		{"monotone", func(n []*Node) []*Node { return n[:4] }, Box{{1, 1000}, {400, 400}}},
		{"polynomial", func(n []*Node) []*Node { return n[4:5] }, Box{{1, 1000}, {1, 400}}},
		{"tightened", func(n []*Node) []*Node { return n[5:] }, Box{{1, 1000}, {400, 400}}},
		{"enumerated", func([]*Node) []*Node { return []*Node{resolved("p0 - p0 / 2")} }, Box{{1, 1 << 16}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			nodes := c.exprs(typicalNodes(b))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := Analyze(nodes[i%len(nodes)], c.box, AnalysisEnv{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
