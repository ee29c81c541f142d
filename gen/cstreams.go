package gen

import "strconv"

// streamConstants prints the indexes of the streams, if there are several.
func (c *cPrinter) streamConstants() {
	if !c.several() {
		return
	}
	c.line("/* Stream indexes, how many streams there are, and how many waits for each other. */")
	for i, s := range c.streams() {
		c.define(c.macro("STREAM", snakeCase(s.name)), uint64(i))
	}
	c.define(c.macro("NUM_STREAMS"), uint64(len(c.seq.Streams)))
	c.define(c.macro("NUM_WAITS"), uint64(len(c.waits())))
	c.line("")
}

// queueTable prints the stream and the waits of each step.
func (c *cPrinter) queueTable() {
	if !c.several() {
		return
	}
	longest := 0
	for _, name := range c.seq.Streams {
		longest = max(longest, len(name))
	}
	c.line("/* The names of the streams. */")
	c.line("SEQPLAN_CONSTANT char %s[%d][%d] = {", c.ident("streams"), len(c.seq.Streams), longest+1)
	for _, name := range c.seq.Streams {
		c.line("    %s,", strconv.Quote(name))
	}
	c.line("};")
	c.line("")
	waits := c.waits()
	c.line("/* The steps that a stream waits for, through the events behind them; those of step s")
	c.line("   are the num_waits from first_wait of %s[s] on. */", c.ident("steps"))
	c.line("SEQPLAN_CONSTANT uint64_t %s[%d] = {", c.ident("waits"), max(1, len(waits)))
	for _, w := range waits {
		c.line("    %s,", c.step(int(w)))
	}
	if len(waits) == 0 {
		c.line("    0, /* none: C has no empty array */")
	}
	c.line("};")
	c.line("")
	c.line("/* Where a step is queued, and what has to be complete before it. The offsets of the plan")
	c.line("   are right only if all waits are kept. What the device does for a step of the host is on")
	c.line("   the first stream. */")
	c.structOf(c.ident("step"), []string{
		"uint64_t stream; /* that the step is queued on, behind all that is queued there before */",
		"uint64_t first_wait; /* steps of other streams: the stream waits for the events behind them */",
		"uint64_t num_waits;",
		"uint64_t event; /* 1: a later step waits for this one: record an event behind it */",
		"uint64_t host_wait; /* 1: then the host waits for all streams, before the step and behind its device program */",
	})
	c.line("/* The streams and the waits of the steps, by step. */")
	c.line("SEQPLAN_CONSTANT %s %s[%d] = {", c.ident("step"), c.ident("steps"), len(c.queues))
	first := 0
	for i, q := range c.queues {
		stream := c.macro("STREAM", snakeCase(c.seq.Streams[q.stream]))
		c.line("    { %s, %d, %d, %d, %d }, /* %s */", stream, first, len(q.waits), bit(q.event), bit(q.hostWait), printable(c.seq.Steps[i].Name))
		first += len(q.waits)
	}
	c.line("};")
	c.line("")
}

func (c *cPrinter) step(i int) string { return c.macro("STEP", snakeCase(c.seq.Steps[i].Name)) }

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
