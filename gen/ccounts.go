package gen

import (
	"fmt"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// counts prints the structs of parameters and counts and, for each buffer, the
// function that computes its number of elements.
func (c *cPrinter) counts() error {
	var params, counts []string
	for _, p := range c.params {
		params = append(params, fmt.Sprintf("uint64_t %s; /* %s */", cField(p.Name), rangeText(p)))
	}
	for _, n := range c.seq.Counts {
		counts = append(counts, fmt.Sprintf("uint64_t %s;", cField(n.Name)))
	}
	c.line("/* The launch-time parameters, in the order in which they lie at %s. */", c.macro("PARAMS_AT"))
	c.structOf(c.ident("params"), params)
	if len(counts) > 0 {
		c.line("/* The integers that the steps leave in device memory. */")
		c.structOf(c.ident("counts"), counts)
	}
	c.line("/* Numbers of elements. *err is 0 or the first failure, which stays: set it to 0")
	c.line("   before the first call. After a failure the functions return 0. */")
	// A buffer may name one that comes later.
	for i := range c.seq.Buffers {
		if b := &c.seq.Buffers[i]; c.counted[b.ID] {
			c.line("%s;", c.countFunction(b))
		}
	}
	c.line("")
	for i := range c.seq.Buffers {
		b := &c.seq.Buffers[i]
		text, err := c.cFormula(b.Count)
		if err != nil {
			return fmt.Errorf("buffer %s: %w", b.Name, err)
		}
		c.line("%s", c.countFunction(b))
		c.line("{")
		c.line("    (void)p;")
		if !c.static[b.ID] {
			c.line("    (void)n;")
		}
		c.line("    (void)err;")
		c.line("    return %s;", text)
		c.line("}")
		c.line("")
	}
	return nil
}

func (c *cPrinter) structOf(name string, fields []string) {
	c.line("typedef struct %s {", name)
	for _, f := range fields {
		c.line("    %s", f)
	}
	if len(fields) == 0 {
		c.line("    uint64_t none; /* C has no empty struct */")
	}
	c.line("} %s;", name)
	c.line("")
}

func (c *cPrinter) countFunction(b *sequences.Buffer) string {
	counts := ""
	if !c.static[b.ID] {
		counts = fmt.Sprintf("const %s *n, ", c.ident("counts"))
	}
	return fmt.Sprintf("SEQPLAN_FN uint64_t %s(const %s *p, %sint *err)",
		c.ident(snakeCase(b.Name), "count"), c.ident("params"), counts)
}

func (c *cPrinter) cFormula(n *expr.Node) (string, error) {
	return expr.PrintC(n, "err", func(kind expr.Kind, ref int, _ string) string {
		switch kind {
		case expr.Count:
			return "n->" + cField(c.seq.Counts[ref].Name)
		case expr.CountOf:
			call := c.ident(snakeCase(c.seq.Buffers[ref].Name), "count")
			if c.static[sequences.BufferID(ref)] {
				return call + "(p, err)"
			}
			return call + "(p, n, err)"
		}
		if p := c.seq.Params[ref]; p.Fixed() {
			return c.macro(snakeCase(p.Name))
		}
		return "p->" + cField(c.seq.Params[ref].Name)
	})
}
