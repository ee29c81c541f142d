package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// inTheWayNamed is how many buffers at the place of a hint are named, sharesNamed how many
// that share bytes.
const inTheWayNamed, sharesNamed = 3, 10

// shares finds who uses bytes of the buffer at other times.
func (e *Explanation) shares(p *planner.Plan) {
	for i := range p.Buffers {
		o := &p.Buffers[i]
		if o.Class == planner.Static && o.Scope == e.Scope && o.Name != e.Name && o.Max > 0 && o.Offset < e.Offset+e.Max && e.Offset < o.Offset+o.Max {
			e.Shares = append(e.Shares, o.Name)
		}
	}
}

// neighbours finds who lies next to the buffer, or to one that takes over its storage, who
// is kept apart from it, and what is at the place of its hint.
func (e *Explanation) neighbours(p *planner.Plan, pack *packing, id int) {
	if pack == nil {
		return
	}
	n := pack.Of[id]
	storage, last := []int{n}, e.Name
	for i := range p.Buffers { // takers come later in file order
		if t := &p.Buffers[i]; t.InPlaceOf == last {
			storage, last = append(storage, pack.Of[i]), t.Name
		}
	}
	e.Below, e.Above = pack.neighbours(slices.Compact(storage))
	e.KeptApart = pack.apartFrom(n)
	if e.Hint != nil && !e.HintKept {
		e.HintNotKept = notKept(pack, n, &p.Pools[e.Scope], *e.Hint)
	}
}

// notKept says why a hint is not kept.
func notKept(pack *packing, n int, pool *planner.Pool, hint sequences.Bytes) string {
	size := sequences.Bytes(pack.Buffers[n].Size)
	if hint > pool.Height || size > pool.Height-hint {
		return fmt.Sprintf("it would end above the height of the pool, %d", uint64(pool.Height))
	}
	why := "no packing with it was found that is as low"
	var there []string
	for _, k := range pack.inTheWay(n, uint64(pool.Reserved+hint)) {
		if pack.Buffers[k].Offset != nil {
			return pack.names[k] + " is there, at a fixed offset"
		}
		there = append(there, pack.names[k])
	}
	switch more := len(there) - inTheWayNamed; {
	case len(there) == 1:
		why = there[0] + " is there, and " + why
	case more > 0:
		why = fmt.Sprintf("%s and %d more are there, and %s", strings.Join(there[:inTheWayNamed], ", "), more, why)
	case len(there) > 1:
		why = strings.Join(there, ", ") + " are there, and " + why
	}
	return why
}

// fixed is the offset that the file gives.
func (e *Explanation) fixed() string {
	switch {
	case e.FixedOffset == nil:
		return ""
	case e.base == 0:
		return fmt.Sprintf(", fixed: %d in the file", uint64(*e.FixedOffset))
	}
	return fmt.Sprintf(", fixed: %d in the file, counted from %d", uint64(*e.FixedOffset), uint64(e.base))
}

func (e *Explanation) place(t *printer) {
	t.line("  align\t%s", Bytes(e.Align))
	switch {
	case e.Class == planner.Dynamic && e.Scope == sequences.Host:
		t.line("  place\tslot %d, sized by the device, placed by the host", e.Slot)
	case e.Class == planner.Dynamic:
		t.line("  place\tslot %d, placed by the device", e.Slot)
	default:
		t.line("  place\toffset %d of the %s pool%s", uint64(e.Offset), e.Scope, e.fixed())
	}
	switch {
	case e.HintKept:
		t.line("  hint\t%d, kept", uint64(*e.Hint))
	case e.Hint != nil:
		t.line("  hint\t%d, not kept: %s", uint64(*e.Hint), whole(e.HintNotKept))
	}
	if e.InPlaceOf != "" {
		t.line("  in place of\t%s", e.InPlaceOf)
	}
	if e.Stream != "" {
		t.line("  written on\tstream %s", e.Stream)
	}
	if e.After != "" {
		t.line("  \tafter %s", whole(e.After))
	}
	if len(e.KeptApart) > 0 {
		t.line("  kept apart\tfrom %s, only because nothing puts one before the other; they could share", prose.Plural(len(e.KeptApart), "buffer"))
		largest(t, e.KeptApart)
	}
	for _, n := range []struct{ what, name string }{{"below", e.Below}, {"above", e.Above}} {
		if n.name != "" {
			t.line("  %s\t%s", n.what, n.name)
		}
	}
	if len(e.Shares) > 0 {
		named, more := e.Shares[:min(sharesNamed, len(e.Shares))], ""
		if n := len(e.Shares) - len(named); n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		t.line("  shares bytes\tat other times with %s%s", names(named), more)
	}
}
