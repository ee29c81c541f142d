package page

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner/diff"
)

// baseline is what changed since an older plan.
type baseline struct {
	Source  text     `json:"source"`
	Hash    string   `json:"hash"`
	Verdict text     `json:"verdict"`
	Figures []figure `json:"figures"` // of the memory of one worker
	Buffers []change `json:"buffers"` // those that moved to another class first, then the largest change
	Lines   []text   `json:"lines"`   // the comparison as seqplan diff prints it
}

// figure is a number of bytes before and now; null is not known.
type figure struct {
	What   string  `json:"what,omitempty"`
	Old    *number `json:"old"`
	New    *number `json:"new"`
	Change *number `json:"change"` // with its sign
}

func newBaseline(d *diff.Diff, index index) *baseline {
	if d == nil {
		return nil
	}
	out := &baseline{
		Source: text(d.Old.Source), Hash: d.Old.Hash.String(), Verdict: text(d.Verdict),
		Figures: []figure{}, Buffers: []change{},
	}
	add := func(what string, f diff.Figure) {
		if f.Old.Known() || f.New.Known() {
			out.Figures = append(out.Figures, figure{what, known(f.Old), known(f.New), known(f.Change)})
		}
	}
	for i := range d.Pools {
		add("static "+d.Pools[i].Scope.String()+" pool", d.Pools[i].Size)
	}
	typical, worst := &d.Arena.Typical, &d.Arena.Worst
	add("arena, typical sum", typical.Sum)
	add("arena, typical peak", typical.Peak)
	add("arena, worst sum", worst.Sum)
	add("arena, worst peak", worst.Peak)
	list := slices.Clone(d.Buffers)
	slices.SortStableFunc(list, func(a, b diff.Buffer) int {
		return cmp.Or(cmp.Compare(calledOut(&b), calledOut(&a)), cmp.Compare(sizeOf(&b), sizeOf(&a)))
	})
	for i := range list {
		out.Buffers = append(out.Buffers, newChange(&list[i], index))
	}
	for _, line := range d.Lines(diff.Options{}) {
		out.Lines = append(out.Lines, text(line))
	}
	return out
}

// known is an amount or a change of diff, null if it is not known.
func known(n interface {
	Known() bool
	String() string
},
) *number {
	if !n.Known() {
		return nil
	}
	s := number(n.String())
	return &s
}

// sizeOf is the size of a change of a buffer, which is never above 64 bits.
func sizeOf(b *diff.Buffer) uint64 {
	size, _ := b.Change.Size().Uint64()
	return size
}

// calledOut puts what moved to another class before all else.
func calledOut(b *diff.Buffer) int {
	if b.Kind == diff.MovedClass {
		return 1
	}
	return 0
}
