package gen

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
)

func (c *cPrinter) poolConstants() {
	l := c.layout
	c.line("/* The plan that this header was generated from. */")
	c.define(c.macro("PLAN_HASH"), l.PlanHash)
	c.line("")
	c.line("/* The static regions and the arena of one worker, in bytes. */")
	c.define(c.macro("DEVICE_POOL_SIZE"), l.Device.Size)
	c.define(c.macro("DEVICE_POOL_ALIGN"), l.Device.Align)
	c.define(c.macro("HOST_POOL_SIZE"), l.Host.Size)
	c.define(c.macro("HOST_POOL_ALIGN"), l.Host.Align)
	c.define(c.macro("ARENA_AT"), l.Device.Size)
	c.define(c.macro("ARENA_ALIGN"), l.ArenaAlign)
	for _, d := range c.demands() {
		c.line("/* %s */", d.doc)
		c.define(c.macro("ARENA", d.kind), d.bytes)
	}
	c.line("")
	c.line("/* What the runtime keeps in the device pool: offsets of the areas, in bytes. */")
	c.define(c.macro("CONTROL_AT"), l.ControlOffset)
	c.define(c.macro("SLOTS_AT"), l.SlotsOffset)
	c.define(c.macro("EXTENTS_AT"), l.ExtentsOffset)
	c.define(c.macro("PARAMS_AT"), l.ParamsOffset)
	c.define(c.macro("PROGRAM_AT"), l.ProgramOffset)
	c.line("")
	c.define(c.macro("NUM_STEPS"), uint64(len(l.Steps)))
	c.define(c.macro("NUM_SLOTS"), uint64(len(l.Slots)))
	c.define(c.macro("NUM_PARAMS"), uint64(len(l.Params)))
	c.define(c.macro("PROGRAM_WORDS"), uint64(len(l.Program)))
	c.line("")
	mode, flags := "bump", uint64(0)
	if l.Reuse {
		mode, flags = "reuse", abi.FlagReuse
	}
	c.line("/* The flags of a batch: the arena mode is %s. */", mode)
	c.define(c.macro("FLAGS"), flags)
	c.line("")
}

// begin prints the function that fills line 0.
func (c *cPrinter) begin() {
	c.line("/* Fills line 0 of the control block, its first 64 bytes, which the host copies to")
	c.line("   %s before the reset of each batch. capacity is the size of the device", c.macro("CONTROL_AT"))
	c.line("   pool in bytes, at least %s; epoch is the number of the batch, from 1. */", c.macro("DEVICE_POOL_SIZE"))
	c.line("SEQPLAN_FN void %s(seqplan_control *line, uint64_t capacity, uint64_t epoch)", c.ident("begin_batch"))
	c.line("{")
	for _, f := range [][2]string{
		{"magic", "SEQPLAN_MAGIC"},
		{"arena_start", c.macro("ARENA_AT")},
		{"arena_capacity", fmt.Sprintf("capacity > %[1]s ? capacity - %[1]s : 0", c.macro("ARENA_AT"))},
		{"arena_align", c.macro("ARENA_ALIGN")},
		{"epoch", "epoch"},
		{"flags", c.macro("FLAGS")},
		{"num_slots", c.macro("NUM_SLOTS")},
		{"plan_hash", c.macro("PLAN_HASH")},
	} {
		c.line("    line->%s = %s;", f[0], f[1])
	}
	c.line("}")
	c.line("")
}

func (c *cPrinter) properties() {
	if len(c.props) == 0 {
		return
	}
	c.line("/* Properties: the parameters that have one value. */")
	for _, p := range c.props {
		c.define(c.macro(snakeCase(p.Name)), p.Min)
	}
	c.line("")
}

func (c *cPrinter) steps() {
	if len(c.seq.Steps) == 0 {
		return
	}
	c.line("/* Step indexes. */")
	for i := range c.seq.Steps {
		c.define(c.step(i), uint64(i))
	}
	c.line("")
}

func (c *cPrinter) bufferConstants() {
	for _, b := range c.statics {
		name := snakeCase(b.Name)
		c.line("/* %s. */", c.describe(b))
		c.define(c.macro(name, "OFFSET"), uint64(b.plan.Offset))
		c.define(c.macro(name, "SIZE"), uint64(b.plan.Max))
		c.define(c.macro(name, "MAX_COUNT"), b.maxCount())
		c.define(c.macro(name, "ELEM_SIZE"), uint64(b.typ.Size))
		c.define(c.macro(name, "ALIGN"), uint64(b.plan.Align))
		c.line("")
	}
	for _, b := range c.dynamic {
		name := snakeCase(b.Name)
		c.line("/* %s. */", c.describe(b))
		c.define(c.macro(name, "SLOT"), uint64(b.plan.Slot))
		if b.bounded() {
			c.define(c.macro(name, "MAX_SIZE"), uint64(b.plan.Max))
			c.define(c.macro(name, "MAX_COUNT"), b.maxCount())
		}
		c.define(c.macro(name, "ELEM_SIZE"), uint64(b.typ.Size))
		c.define(c.macro(name, "ALIGN"), uint64(b.plan.Align))
		c.line("")
	}
}

// program prints the words of the step program, which the host copies to
// PROGRAM_AT.
func (c *cPrinter) program() {
	words := c.layout.Program
	if len(words) == 0 {
		return // C has no empty array
	}
	c.line("/* The step program. */")
	c.line("SEQPLAN_CONSTANT uint64_t %s[%d] = {", c.ident("program"), len(words))
	for len(words) > 0 {
		n := min(4, len(words))
		var row strings.Builder
		for _, w := range words[:n] {
			fmt.Fprintf(&row, " UINT64_C(0x%x),", w)
		}
		c.line(" %s", row.String())
		words = words[n:]
	}
	c.line("};")
	c.line("")
}

// accessors prints the functions that turn a base into a typed pointer.
func (c *cPrinter) accessors() {
	for _, b := range c.statics {
		name := snakeCase(b.Name)
		c.line("/* %s. */", c.describe(b))
		gm, at := "SEQPLAN_GM ", "seqplan_at"
		if b.Scope == sequences.Host {
			gm, at = "", "seqplan_host_at"
		}
		pointer := c.pointerTo(b)
		c.line("SEQPLAN_FN %s%s(%svoid *base)", pointer, c.ident(name), gm)
		c.line("{")
		c.line("    return (%s)%s(base, %s);", pointer, at, c.macro(name, "OFFSET"))
		c.line("}")
		c.line("")
	}
	for _, b := range c.dynamic {
		c.dynamicAccessor(b)
	}
}

// paramAccessors prints the functions with which a kernel reads the launch-time
// parameters of its batch.
func (c *cPrinter) paramAccessors() {
	for i, p := range c.params {
		c.line("/* %s, read from the device pool. */", rangeText(p))
		c.line("SEQPLAN_FN uint64_t %s(SEQPLAN_GM const void *base)", c.ident("param", snakeCase(p.Name)))
		c.line("{")
		c.line("    return seqplan_param(base, %s, %d);", c.macro("PARAMS_AT"), i)
		c.line("}")
		c.line("")
	}
}

func (c *cPrinter) dynamicAccessor(b buffer) {
	name := snakeCase(b.Name)
	pointer := c.pointerTo(b)
	slot, size := c.macro(name, "SLOT"), c.macro(name, "ELEM_SIZE")
	c.line("/* %s. NULL if it was not placed; n gets the number of elements and may be NULL. */", c.describe(b))
	if b.Scope == sequences.Host {
		c.line("SEQPLAN_FN %s%s(void *base, const seqplan_slot *slots, uint64_t *n)", pointer, c.ident(name))
		c.line("{")
		c.line("    return (%s)seqplan_host_placed(base, slots, %s, %s, n);", pointer, slot, size)
	} else {
		c.line("SEQPLAN_FN %s%s(SEQPLAN_GM void *base, uint64_t *n)", pointer, c.ident(name))
		c.line("{")
		c.line("    return (%s)seqplan_placed(base, %s, %s, %s, n);", pointer, c.macro("SLOTS_AT"), slot, size)
	}
	c.line("}")
	c.line("")
}
