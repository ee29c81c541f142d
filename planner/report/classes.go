package report

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Classes is the table of the four classes of memory. The rows are a closed
// partition: their buffers and bytes add up to Total.
type Classes struct {
	Rows  []ClassRow `json:"rows"`
	Total Total      `json:"total"`
	// Basis says what the bytes of the dynamic buffers are.
	Basis Basis `json:"basis"`
	// Unbounded counts the dynamic buffers that have neither a typical nor a
	// worst size; they count 0 bytes.
	Unbounded int `json:"unbounded,omitempty"`
}

// Basis is what the bytes of dynamic buffers stand for.
type Basis string

// The bases.
const (
	Typical Basis = "typical" // every count at its typical value
	Worst   Basis = "worst"   // every count at its max
	Mixed   Basis = "mixed"   // typical where all counts of a buffer tell, else worst
)

// ClassRow is one class in one scope.
type ClassRow struct {
	Class planner.Class   `json:"class"`
	Scope sequences.Scope `json:"scope"`
	Total
}

// Total is the sum of some buffers.
type Total struct {
	Buffers int             `json:"buffers"`
	Bytes   sequences.Bytes `json:"bytes"` // the sum of the sizes, not of the memory that they occupy
	Percent float64         `json:"percent"`
	// InPlace is what of Bytes is of buffers that take over the storage of another one,
	// which the pools and the arena count once.
	InPlace sequences.Bytes `json:"in_place"`
}

func classes(p *planner.Plan) Classes {
	var c Classes
	for _, class := range []planner.Class{planner.Static, planner.Dynamic} {
		for _, scope := range []sequences.Scope{sequences.Device, sequences.Host} {
			c.Rows = append(c.Rows, ClassRow{Class: class, Scope: scope})
		}
	}
	typical, worst := false, false
	for i := range p.Buffers {
		b := &p.Buffers[i]
		size, basis := sizeOf(b)
		if b.Class == planner.Dynamic {
			typical = typical || basis == Typical
			worst = worst || basis == Worst
			if basis == "" {
				c.Unbounded++
			}
		}
		row := &c.Rows[2*int(b.Class)+int(b.Scope)]
		for _, r := range []*Total{&row.Total, &c.Total} {
			r.Buffers++
			r.Bytes = add(r.Bytes, size)
			if b.InPlaceOf != "" {
				r.InPlace = add(r.InPlace, size)
			}
		}
	}
	switch {
	case typical && worst:
		c.Basis = Mixed
	case worst:
		c.Basis = Worst
	default:
		c.Basis = Typical
	}
	for i := range c.Rows {
		c.Rows[i].Percent = percent(c.Rows[i].Bytes, c.Total.Bytes)
	}
	c.Total.Percent = percent(c.Total.Bytes, c.Total.Bytes)
	return c
}

// sizeOf returns the size of a buffer that the report counts, and for a dynamic
// one what it stands for; "" if nothing is known.
func sizeOf(b *planner.Buffer) (sequences.Bytes, Basis) {
	switch {
	case b.Class == planner.Static:
		return b.Max, ""
	case b.Typical != nil:
		return *b.Typical, Typical
	case b.Proof != planner.ProofNone:
		return b.Max, Worst
	}
	return 0, ""
}

// add saturates: the sum of sizes that never live together may leave uint64.
func add(a, b sequences.Bytes) sequences.Bytes {
	sum, carry := bits.Add64(uint64(a), uint64(b), 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sequences.Bytes(sum)
}

// times saturates too.
func times(a sequences.Bytes, n uint64) sequences.Bytes {
	hi, lo := bits.Mul64(uint64(a), n)
	if hi != 0 {
		return math.MaxUint64
	}
	return sequences.Bytes(lo)
}

func percent(part, whole sequences.Bytes) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

func (c Classes) text(t *printer) {
	t.section("Memory (sum of sizes; %s)", dynamicBasis(c.Basis))
	head, inPlace := "", func(Total) string { return "" }
	if c.Total.InPlace > 0 {
		head, inPlace = "\tof it in place", func(t Total) string { return "\t" + Bytes(t.InPlace) }
	}
	t.line("  class\tscope\tbuffers\tshare\tbytes%s", head)
	for _, row := range c.Rows {
		t.line("  %s\t%s\t%d\t%.1f %%\t%s%s", row.Class, row.Scope, row.Buffers, row.Percent, Bytes(row.Bytes), inPlace(row.Total))
	}
	t.line("  total\t\t%d\t%.1f %%\t%s%s", c.Total.Buffers, c.Total.Percent, Bytes(c.Total.Bytes), inPlace(c.Total))
	for _, note := range c.notes() {
		t.line("  %s", phrase(note))
	}
}

// notes say what the table does not.
func (c Classes) notes() (notes []string) {
	if c.Total.InPlace > 0 {
		notes = append(notes, "in place: in the storage of another buffer, which the pools and the arena count once")
	}
	if n := c.Unbounded; n > 0 {
		notes = append(notes, "of no known size, and counted as 0 B: "+prose.Plural(n, "dynamic buffer"))
	}
	return notes
}

func (c Classes) markdown(line func(string, ...any)) {
	head, rule, inPlace := "", "", func(Total) string { return "" }
	if c.Total.InPlace > 0 {
		head, rule, inPlace = " of it in place |", "--:|", func(t Total) string { return fmt.Sprintf(" %s |", Bytes(t.InPlace)) }
	}
	line("| class | scope | buffers | share | bytes (%s) |%s", dynamicBasis(c.Basis), head)
	line("|---|---|--:|--:|--:|%s", rule)
	for _, row := range c.Rows {
		line("| %s | %s | %d | %.1f %% | %s |%s", row.Class, row.Scope, row.Buffers, row.Percent, Bytes(row.Bytes), inPlace(row.Total))
	}
	line("| **total** | | %d | %.1f %% | %s |%s", c.Total.Buffers, c.Total.Percent, Bytes(c.Total.Bytes), inPlace(c.Total))
	for _, note := range c.notes() {
		line("\n%s%s.", strings.ToUpper(note[:1]), note[1:])
	}
}

// dynamicBasis says what the bytes of dynamic buffers are.
func dynamicBasis(b Basis) string {
	switch b {
	case Worst:
		return "dynamic: worst case"
	case Mixed:
		return "dynamic: typical where known, else worst case"
	}
	return "dynamic: typical"
}
