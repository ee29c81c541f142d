package gen

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// compiler is one way in which users compile a header.
type compiler struct {
	name string
	file string // name of the source
	args []string
}

var warnings = []string{"-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"}

func compilers() []compiler {
	c := func(name, file string, args ...string) compiler {
		return compiler{name, file, append(args, warnings...)}
	}
	return []compiler{
		c("gcc", "main.c", "-std=c11"),
		c("g++", "main.cc", "-std=c++17"),
		// As nvcc sees it, and with a qualifier that may not get lost.
		c("g++", "cuda.cc", "-std=c++17", "-D__CUDACC__", "-D__host__=", "-D__device__="),
		c("gcc", "gm.c", "-std=c11", "-DSEQPLAN_GM=volatile"),
	}
}

// compile compiles a source with the files of dir and returns what the compiler
// says.
func (c compiler) compile(t *testing.T, dir, source string) (output string, err error) {
	t.Helper()
	tooltest.Need(t, c.name)
	require.NoError(t, os.WriteFile(filepath.Join(dir, c.file), []byte(source), 0o666))
	cmd := exec.Command(c.name, append(c.args, "-o", "program", c.file)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run compiles and runs a source.
func (c compiler) run(t *testing.T, dir, source string) string {
	t.Helper()
	out, err := c.compile(t, dir, source)
	require.NoError(t, err, "%s", out)
	cmd := exec.Command("./program")
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return string(output)
}

// probe is a C program that prints what a header says, and what it must print.
type probe struct {
	c      cNames
	main   bytes.Buffer
	expect bytes.Buffer
}

func (p *probe) value(expression string, want uint64) {
	fmt.Fprintf(&p.main, "    printf(\"%%s %%llu\\n\", %q, (unsigned long long)(%s));\n", expression, expression)
	fmt.Fprintf(&p.expect, "%s %d\n", expression, want)
}

// optional asks for a macro that is defined only if it has a value.
func (p *probe) optional(macro string, defined bool, value func() uint64) {
	if defined {
		p.value(macro, value())
		return
	}
	fmt.Fprintf(&p.main, "#ifdef %s\n#error \"%s is defined\"\n#endif\n", macro, macro)
}

// begin asks for line 0 of a batch.
func (p *probe) begin(l *abi.Layout, flags uint64) {
	p.main.WriteString("    seqplan_control line;\n")
	for _, room := range []uint64{0, 7, 1 << 40} {
		fmt.Fprintf(&p.main, "    %s(&line, %s + UINT64_C(%d), 5);\n", p.c.ident("begin_batch"), p.c.macro("DEVICE_POOL_SIZE"), room)
		for field, want := range map[string]uint64{
			"magic": abi.Magic, "arena_start": l.Device.Size, "arena_capacity": room, "arena_align": l.ArenaAlign,
			"epoch": 5, "flags": flags, "num_slots": uint64(len(l.Slots)), "plan_hash": l.PlanHash,
		} {
			p.value("line."+field, want)
		}
	}
	fmt.Fprintf(&p.main, "    %s(&line, 0, 5);\n", p.c.ident("begin_batch"))
	p.value("line.arena_capacity", 0)
}

// farBase is a base that no offset may lose bits of; it is never dereferenced.
const farBase = 1 << 44

// newProbe asks for every constant, accessor and count of a plan, which it takes
// from the plan and from expr.Eval.
func newProbe(seq *sequences.Sequence, plan *planner.Plan, prefix string) *probe {
	p := &probe{c: cNames{prefix}}
	l := plan.Layout
	fmt.Fprintf(&p.main, "#include \"velo_seqplan.h\"\n#include \"velo_seqplan.h\"\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\nint main(void)\n{\n")
	fmt.Fprintf(&p.main, "    SEQPLAN_GM void *far = (SEQPLAN_GM void *)(uintptr_t)UINT64_C(%d);\n    (void)far;\n", uint64(farBase))
	p.value(p.c.macro("PLAN_HASH"), uint64(plan.Hash))
	p.value(p.c.macro("DEVICE_POOL_SIZE"), l.Device.Size)
	p.value(p.c.macro("DEVICE_POOL_ALIGN"), l.Device.Align)
	p.value(p.c.macro("HOST_POOL_SIZE"), l.Host.Size)
	p.value(p.c.macro("HOST_POOL_ALIGN"), l.Host.Align)
	p.value(p.c.macro("ARENA_ALIGN"), l.ArenaAlign)
	p.optional(p.c.macro("ARENA_TYPICAL"), plan.Arena.Typical != nil, func() uint64 { return uint64(plan.Arena.Typical.Sum) })
	p.optional(p.c.macro("ARENA_WORST"), plan.Arena.Worst != nil, func() uint64 { return uint64(plan.Arena.Worst.Sum) })
	p.value(p.c.macro("ARENA_AT"), l.Device.Size)
	flags := uint64(0)
	if l.Reuse {
		flags = abi.FlagReuse
	}
	p.value(p.c.macro("FLAGS"), flags)
	p.begin(l, flags)
	p.value(p.c.macro("EXTENTS_AT"), l.ExtentsOffset)
	p.value(p.c.macro("CONTROL_AT"), l.ControlOffset)
	p.value(p.c.macro("SLOTS_AT"), l.SlotsOffset)
	p.value(p.c.macro("PARAMS_AT"), l.ParamsOffset)
	p.value(p.c.macro("PROGRAM_AT"), l.ProgramOffset)
	p.value(p.c.macro("NUM_STEPS"), uint64(len(l.Steps)))
	p.value(p.c.macro("NUM_SLOTS"), uint64(len(l.Slots)))
	p.value(p.c.macro("NUM_PARAMS"), uint64(len(l.Params)))
	p.value(p.c.macro("PROGRAM_WORDS"), uint64(len(l.Program)))
	for i, w := range l.Program {
		p.value(fmt.Sprintf("%s[%d]", p.c.ident("program"), i), w)
	}
	for i, s := range seq.Steps {
		p.value(p.c.macro("STEP", snakeCase(s.Name)), uint64(i))
	}
	p.streams(plan)
	for _, param := range seq.Params {
		if param.Fixed() {
			p.value(p.c.macro(snakeCase(param.Name)), param.Min)
		}
	}
	p.buffers(seq, plan)
	p.counts(seq, plan)
	p.main.WriteString("    return 0;\n}\n")
	return p
}

func (p *probe) buffers(seq *sequences.Sequence, plan *planner.Plan) {
	slots := plan.Layout.SlotsOffset
	end := max(slots+abi.SlotSize*uint64(len(plan.Layout.Slots)), plan.Layout.ParamsOffset+abi.WordSize*uint64(len(plan.Layout.Params)))
	fmt.Fprintf(&p.main, "    unsigned char *near = (unsigned char *)aligned_alloc(128, (%d + 127) / 128 * 128);\n", end)
	p.main.WriteString("    uint64_t n = 0;\n    (void)n;\n    seqplan_slot *slots = (seqplan_slot *)(near + " + p.c.macro("SLOTS_AT") + ");\n    (void)slots;\n")
	for i, b := range plan.Buffers {
		name := snakeCase(b.Name)
		accessor := p.c.ident(name)
		if b.Class == planner.Static {
			p.value(p.c.macro(name, "OFFSET"), uint64(b.Offset))
			p.value(p.c.macro(name, "SIZE"), uint64(b.Max))
			p.value(p.c.macro(name, "MAX_COUNT"), uint64(b.Max/b.ElemSize))
			base := "far"
			if b.Scope == sequences.Host {
				base = "(void *)(uintptr_t)far"
			}
			p.value(fmt.Sprintf("(uintptr_t)%s(%s)", accessor, base), farBase+uint64(b.Offset))
			// The type of the accessor: one element on is one element size on.
			if seq.Types[seq.Buffers[i].Type].C == "" {
				p.value(fmt.Sprintf("(uintptr_t)(%s(%s) + 1)", accessor, base), farBase+uint64(b.Offset+b.ElemSize))
			}
		} else {
			p.value(p.c.macro(name, "SLOT"), uint64(b.Slot))
			bounded := b.Proof != planner.ProofNone
			p.optional(p.c.macro(name, "MAX_SIZE"), bounded, func() uint64 { return uint64(b.Max) })
			p.optional(p.c.macro(name, "MAX_COUNT"), bounded, func() uint64 { return uint64(b.Max / b.ElemSize) })
			args := "near, "
			if b.Scope == sequences.Host {
				args = "near, slots, "
			}
			// A slot past 4 GiB, and one that was not placed.
			offset := 5<<32 + 256*uint64(b.Slot)
			fmt.Fprintf(&p.main, "    slots[%d].offset = UINT64_C(%d);\n    slots[%d].size = UINT64_C(%d);\n", b.Slot, offset, b.Slot, 6<<32*uint64(b.ElemSize))
			p.value(fmt.Sprintf("(uintptr_t)%s(%s&n) - (uintptr_t)near", accessor, args), offset)
			p.value("n", 6<<32)
			p.value(fmt.Sprintf("(uintptr_t)%s(%sNULL) - (uintptr_t)near", accessor, args), offset)
			fmt.Fprintf(&p.main, "    slots[%d].offset = SEQPLAN_NOT_PLACED;\n", b.Slot)
			p.value(fmt.Sprintf("%s(%s&n) == NULL", accessor, args), 1)
			p.value("n", 0)
		}
		p.value(p.c.macro(name, "ELEM_SIZE"), uint64(b.ElemSize))
		p.value(p.c.macro(name, "ALIGN"), uint64(b.Align))
	}
	p.params(plan)
	p.main.WriteString("    free(near);\n")
}

// params reads every launch-time parameter as a kernel does.
func (p *probe) params(plan *planner.Plan) {
	fmt.Fprintf(&p.main, "    uint64_t *words = (uint64_t *)(near + %s);\n    (void)words;\n", p.c.macro("PARAMS_AT"))
	for i, param := range plan.Layout.Params {
		fmt.Fprintf(&p.main, "    words[%d] = %d;\n", i, 100+i)
		p.value(fmt.Sprintf("%s(near)", p.c.ident("param", snakeCase(param.Name))), 100+uint64(i))
	}
}

// counts calls every count function at the smallest, the largest and some absurd
// values.
func (p *probe) counts(seq *sequences.Sequence, plan *planner.Plan) {
	fmt.Fprintf(&p.main, "    %s params;\n    int err;\n    (void)params;\n    (void)err;\n", p.c.ident("params"))
	if len(seq.Counts) > 0 {
		fmt.Fprintf(&p.main, "    %s counts;\n    (void)counts;\n", p.c.ident("counts"))
	}
	at := map[string]func(low, high uint64) uint64{
		"1": func(low, _ uint64) uint64 { return low }, "2": func(_, high uint64) uint64 { return high },
		"3": func(_, _ uint64) uint64 { return 1 << 63 },
	}
	for _, key := range []string{"1", "2", "3"} {
		values := values{seq: seq}
		for _, param := range seq.Params {
			v := param.Min
			if !param.Fixed() {
				v = at[key](param.Min, param.Max)
				fmt.Fprintf(&p.main, "    params.%s = UINT64_C(%d);\n", cField(param.Name), v)
			}
			values.params = append(values.params, v)
		}
		for i, c := range seq.Counts {
			v := at[key](uint64(i), 1000003*uint64(i+1))
			fmt.Fprintf(&p.main, "    counts.%s = UINT64_C(%d);\n", cField(c.Name), v)
			values.counts = append(values.counts, v)
		}
		for i := range seq.Buffers {
			args := "&params, &err"
			if plan.Buffers[i].Class == planner.Dynamic {
				args = "&params, &counts, &err"
			}
			want, err := expr.Eval(seq.Buffers[i].Count, values)
			p.main.WriteString("    err = 0;\n")
			p.value(fmt.Sprintf("%s(%s)", p.c.ident(snakeCase(seq.Buffers[i].Name), "count"), args), want)
			bad := uint64(0)
			if err != nil {
				bad = 1
			}
			p.value("err != 0", bad)
		}
	}
}

// values is an expr.Env at one point.
type values struct {
	seq            *sequences.Sequence
	params, counts []uint64
}

func (v values) Param(ref int) (uint64, error) { return v.params[ref], nil }
func (v values) Count(ref int) (uint64, error) { return v.counts[ref], nil }
func (v values) CountOf(ref int) (uint64, error) {
	return expr.Eval(v.seq.Buffers[ref].Count, v)
}

// checkHeader generates a header into dir and asks it for everything.
func checkHeader(t *testing.T, dir string, seq *sequences.Sequence, plan *planner.Plan, prefix string) {
	t.Helper()
	var header bytes.Buffer
	require.NoError(t, C(&header, seq, plan, COptions{Prefix: prefix}))
	require.True(t, strings.HasPrefix(header.String(), "// Code generated by seqplan; DO NOT EDIT.\n"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "velo_seqplan.h"), header.Bytes(), 0o666))
	p := newProbe(seq, plan, prefix)
	for _, c := range compilers() {
		require.Equal(t, p.expect.String(), c.run(t, dir, p.main.String()), c.file)
	}
}
