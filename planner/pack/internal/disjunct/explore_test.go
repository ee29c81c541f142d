package disjunct_test

import (
	"fmt"
	"math/rand/v2"
	"os"
"strings"
"strconv"
"syscall"
	"testing"
	"time"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
)

func mixed(n int, maxSize int, seed uint64, features bool) pack.Problem {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	var p pack.Problem
	for range n {
		f := r.IntN(n)
		l := 1 + r.IntN(n/3)
		if r.IntN(4) == 0 { l = 1 + r.IntN(n) }
		e := min(n, f+l)
		b := pack.Buffer{First: uint64(f), End: uint64(e), Size: uint64(1 + r.IntN(maxSize)), Align: 1}
		if features {
			if on("a") && r.IntN(4) == 0 { b.Align = 1 << r.IntN(4) }
			if on("g") && e-f >= 3 && r.IntN(2) == 0 {
				g := pack.Gap{First: uint64(f + 1 + r.IntN(e-f-2))}
				g.End = g.First + 1 + uint64(r.IntN(e-int(g.First)))
				if on("w") && r.IntN(2) == 0 {
					g.Low = r.Uint64N(b.Size)
					g.High = g.Low + r.Uint64N(b.Size-g.Low+1)
				}
				b.Gaps = append(b.Gaps, g)
			}
		}
		p.Buffers = append(p.Buffers, b)
	}
	if features {
		for k := 0; on("i") && k < n/10; k++ {
			p.InPlace = append(p.InPlace, []int{2 * k, 2*k + 1})
		}
		for k := 0; on("x") && k < n/10; k++ {
			a, b := n/2+r.IntN(n/2), n/2+r.IntN(n/2)
			if a != b { p.Excluded = append(p.Excluded, [2]int{a, b}) }
		}
	}
	return p
}

func on(f string) bool { v := os.Getenv("FEAT"); return v == "" || strings.Contains(v, f) }

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano())
}

func TestExplore(t *testing.T) {
	if os.Getenv("EXPLORE") == "" { t.Skip() }
	budget := uint64(20000)
	if v := os.Getenv("BUDGET"); v != "" { budget, _ = strconv.ParseUint(v, 10, 64) }
	for _, maxSize := range []int{8, 1000} {
	for _, features := range feats() {
	ns := []int{20, 30, 40, 60}
	if v := os.Getenv("NS"); v != "" { ns = nil; for _, x := range strings.Fields(v) { k, _ := strconv.Atoi(x); ns = append(ns, k) } }
	for _, n := range ns {
		solved, nodes, gap := 0, uint64(0), 0.0
		atLB := 0
		start := cpu()
		const count = 20
		for seed := range uint64(count) {
			p := mixed(n, maxSize, seed, features)
			d, _, _ := convert(p)
			var lb, sum uint64
			for _, s := range d.Sections { var l uint64; for _, q := range s.Parts { l += q.High-q.Low }; lb = max(lb, l) }
			for _, it := range d.Items { sum += it.Size+8; lb = max(lb, it.Size) }
			if sum < lb { panic("x")}
			b := disjunct.Minimise(t.Context(), d, lb, sum+1, budget)
			if b.Optimal() { solved++ ; if b.Upper==lb {atLB++}}
			nodes += b.Nodes
			if b.Offsets != nil { requirePacking(t, d, b.Offsets, b.Upper) }
			gap += float64(b.Upper)/float64(b.Lower)-1
		}
		el := cpu()-start
		fmt.Printf("max %4d features %v n %3d: solved %d/%d (at LB %d) mean gap %.2f%% nodes %d  time %v  %.0f nodes/s\n", maxSize, features, n, solved, count, atLB, 100*gap/count, nodes/count, el/count, float64(nodes)/el.Seconds())
	}}}
}

func feats() []bool { if os.Getenv("FEAT") != "" { return []bool{true} }; return []bool{false, true} }
