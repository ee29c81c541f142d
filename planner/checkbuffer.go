package planner

import (
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
)

func (c *checker) name(i int, b *Buffer) error {
	return known(c.buffers, b.Name, fmt.Sprintf("buffers[%d].name", i), i)
}

func (c *checker) buffer(i int, b *Buffer) error {
	at := func(field string) string { return fmt.Sprintf("buffers[%d].%s", i, field) }
	switch {
	case b.Step != sequences.None && int(b.Step) >= len(c.Steps) || b.Step < sequences.None:
		return c.noStep(at("step"), b.Step)
	case (b.Step == sequences.None) != (b.Kind == sequences.Input):
		return bad(at("step"), "an input has none, and no other buffer")
	case !power(b.Align):
		return bad(at("align"), "%d is no power of two", b.Align)
	case b.Lifetime.First < 0 || int(b.Lifetime.End) > len(c.Steps) || b.Lifetime.First >= b.Lifetime.End:
		return bad(at("lifetime"), "[%d, %d) are none of the %d steps", b.Lifetime.First, b.Lifetime.End, len(c.Steps))
	case len(b.ProofAt) != 0 && len(b.ProofAt) != len(c.Params):
		return bad(at("proof_at"), "%d values of %d parameters", len(b.ProofAt), len(c.Params))
	case b.HintKept && b.Hint == nil:
		return bad(at("hint_kept"), "there is no hint")
	}
	if j, ok := c.buffers[b.InPlaceOf]; b.InPlaceOf != "" &&
		(!ok || j >= i || c.Buffers[j].Class != b.Class || c.Buffers[j].Scope != b.Scope) {
		return bad(at("in_place_of"), "no buffer before this one has the name, the class and the scope")
	}
	class := c.static
	if b.Class == Dynamic {
		class = c.dynamic
	}
	if err := class(b, at); err != nil {
		return err
	}
	if err := c.uses(b, at); err != nil {
		return err
	}
	return c.lent(b, at)
}

func (c *checker) static(b *Buffer, at func(string) string) error {
	pool := &c.Pools[b.Scope]
	switch {
	case b.Slot != -1:
		return bad(at("slot"), "a static buffer has none: want -1")
	case b.Typical != nil:
		return bad(at("typical"), "a static buffer has one size")
	case len(b.DrivenBy) > 0:
		return bad(at("driven_by"), "no count is in the size of a static buffer")
	case !slices.Contains([]ProofKind{ProofConstant, ProofMonotone, ProofInterval, ProofEnumerated}, b.Proof):
		return bad(at("proof"), "no such proof of a static buffer")
	case b.Offset < pool.Reserved || b.Offset > pool.Size:
		return bad(at("offset"), "%d is not behind the %d reserved bytes of the %s pool, which has %d", b.Offset, pool.Reserved, pool.Scope, pool.Size)
	case b.Max > pool.Size-b.Offset:
		return bad(at("max"), "at its offset the buffer ends behind the %s pool, which has %d bytes", pool.Scope, pool.Size)
	case b.Offset%b.Align != 0:
		return bad(at("offset"), "%d is no multiple of the alignment, %d", b.Offset, b.Align)
	case b.FixedOffset != nil && *b.FixedOffset != b.Offset-pool.Reserved:
		return bad(at("fixed_offset"), "%d is not the offset, %d, without what is reserved", *b.FixedOffset, b.Offset)
	}
	return nil
}

func (c *checker) dynamic(b *Buffer, at func(string) string) error {
	switch {
	case b.Slot < 0 || b.Slot >= c.Arena.Slots:
		return bad(at("slot"), "%d is none of the %d slots", b.Slot, c.Arena.Slots)
	case b.Proof != ProofCounts && b.Proof != ProofNone:
		return bad(at("proof"), "no such proof of a dynamic buffer")
	case len(b.DrivenBy) == 0:
		return bad(at("driven_by"), "a count is in the size of a dynamic buffer")
	}
	for j, name := range b.DrivenBy {
		if _, ok := c.counts[name]; !ok {
			return bad(at(fmt.Sprintf("driven_by[%d]", j)), "there is no such count")
		}
	}
	return nil
}

// uses are in the steps, the last ones at the end of the batch, and sorted.
func (c *checker) uses(b *Buffer, at func(string) string) error {
	for j, u := range b.Uses {
		field := at(fmt.Sprintf("uses[%d].step", j))
		switch {
		case u.Step < 0 || int(u.Step) > len(c.Steps):
			return c.noStep(field, u.Step)
		case j > 0 && u.Step < b.Uses[j-1].Step:
			return bad(field, "%d is before the use in front of it", u.Step)
		}
	}
	return nil
}

// lent are parts of the life, in order, of bytes of the buffer, which may be rounded up.
func (c *checker) lent(b *Buffer, at func(string) string) error {
	size, err := checked.AlignUp(uint64(b.Max), uint64(b.Align))
	if err != nil {
		return bad(at("max"), "%d bytes cannot be rounded up: %v", b.Max, err)
	}
	from := b.Lifetime.First
	for j, l := range b.Lent {
		field := at(fmt.Sprintf("lent[%d]", j))
		switch {
		case l.First < from || l.First >= l.End || l.End > b.Lifetime.End:
			return bad(field, "the steps [%d, %d) are not in the life of the buffer, or not behind what it lends before", l.First, l.End)
		case l.Low > l.High || uint64(l.High) > size:
			return bad(field, "the bytes [%d, %d) are not in the buffer, which has %d", l.Low, l.High, b.Max)
		}
		from = l.End
	}
	return nil
}
