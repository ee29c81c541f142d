package gen

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// sketch builds a small sequence and a plan for it by hand, for tests of names
// and types: every buffer lies behind the one before it.
type sketch struct {
	seq  *sequences.Sequence
	plan *planner.Plan
	line int
}

func newSketch() *sketch {
	layout := &abi.Layout{
		Name: "velo", PlanHash: 0x0123456789abcdef, Batch: -1, Device: abi.Region{Align: 256}, Host: abi.Region{Align: 64},
		SlotsOffset: 128, ParamsOffset: 256, ProgramOffset: 512, ArenaAlign: 256, Program: []uint64{abi.ProgramMagic, 2},
	}
	return &sketch{
		seq: &sequences.Sequence{Name: "velo", File: "dir/velo.yaml", Workers: 1, Batch: sequences.None},
		plan: &planner.Plan{
			Name: "velo", Source: "velo.yaml", Hash: 0x0123456789abcdef, Layout: layout,
			Arena: planner.Arena{Typical: &planner.Demand{Sum: 1 << 20}, Worst: &planner.Demand{Sum: 1 << 33}},
		},
	}
}

// pos is a new line of the file for each object.
func (s *sketch) pos() sequences.Pos {
	s.line++
	return sequences.Pos{File: "velo.yaml", Line: s.line, Col: 5}
}

func (s *sketch) param(name string, low, high uint64) *expr.Node {
	id := len(s.seq.Params)
	s.seq.Params = append(s.seq.Params, sequences.Param{ID: sequences.ParamID(id), Name: name, Min: low, Max: high, Pos: s.pos()})
	if low != high {
		s.plan.Layout.Params = append(s.plan.Layout.Params, abi.Param{Name: name, Min: low, Max: high})
	}
	return &expr.Node{Kind: expr.Param, Ident: name, Ref: id}
}

func (s *sketch) count(name string) *expr.Node {
	id := len(s.seq.Counts)
	s.seq.Counts = append(s.seq.Counts, sequences.Count{ID: sequences.CountID(id), Name: name, Pos: s.pos()})
	return &expr.Node{Kind: expr.Count, Ident: name, Ref: id}
}

func (s *sketch) typ(t sequences.Type) sequences.TypeID {
	t.ID, t.Pos = sequences.TypeID(len(s.seq.Types)), s.pos()
	s.seq.Types = append(s.seq.Types, t)
	return t.ID
}

func (s *sketch) step(name string) {
	s.seq.Steps = append(s.seq.Steps, sequences.Step{ID: sequences.StepID(len(s.seq.Steps)), Name: name, Pos: s.pos()})
	s.plan.Layout.Steps = append(s.plan.Layout.Steps, abi.StepInfo{Name: name})
}

// buffer adds a buffer of at most most elements, or a dynamic one.
func (s *sketch) buffer(name string, typ sequences.TypeID, scope sequences.Scope, count *expr.Node, most uint64) {
	l, t := s.plan.Layout, s.seq.Types[typ]
	b := sequences.Buffer{
		ID: sequences.BufferID(len(s.seq.Buffers)), Name: name, Kind: sequences.Input, Type: typ, Scope: scope,
		Count: count, CountText: "count", Align: 256, Step: sequences.None, InPlaceOf: sequences.None, Pos: s.pos(),
	}
	p := planner.Buffer{Name: name, Scope: scope, Type: t.Name, ElemSize: t.Size, Align: 256, Slot: -1}
	if expr.Has(count, expr.Count) {
		p.Class, p.Slot = planner.Dynamic, len(l.Slots)
		l.Slots = append(l.Slots, abi.SlotInfo{Name: name, Scope: abi.Scope(scope), ElemSize: uint64(t.Size)})
	} else {
		pool := &l.Device
		if scope == sequences.Host {
			pool = &l.Host
		}
		p.Offset, p.Max = sequences.Bytes(pool.Size), sequences.Bytes(most)*t.Size
		pool.Size += (uint64(p.Max) + 255) / 256 * 256
		l.Buffers = append(l.Buffers, abi.StaticBuffer{
			Name: name, Scope: abi.Scope(scope), Offset: uint64(p.Offset), Size: uint64(p.Max), Align: 256, ElemSize: uint64(t.Size),
		})
	}
	s.seq.Buffers = append(s.seq.Buffers, b)
	s.plan.Buffers = append(s.plan.Buffers, p)
}

// static adds a static device buffer of bytes.
func (s *sketch) static(name string) {
	if len(s.seq.Types) == 0 {
		s.typ(sequences.Type{Name: "u8", Size: 1, Align: 1, Builtin: true, Unsigned: true})
	}
	s.buffer(name, 0, sequences.Device, &expr.Node{Kind: expr.Lit, Value: 7}, 7)
}

func (s *sketch) goText(t *testing.T) string { return generateGo(t, s, GoOptions{}) }

func (s *sketch) cText(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, C(&b, s.seq, s.plan, COptions{}))
	return b.String()
}

// goFaults and cFaults are the diagnostics of the generators.
func (s *sketch) goFaults(opt GoOptions) sequences.Diagnostics {
	list, _ := Go(&bytes.Buffer{}, s.seq, s.plan, opt).(sequences.Diagnostics)
	return list
}

func (s *sketch) cFaults(opt COptions) sequences.Diagnostics {
	list, _ := C(&bytes.Buffer{}, s.seq, s.plan, opt).(sequences.Diagnostics)
	return list
}

// lineOf is the number of the only line of a text that has a part, as text.
func lineOf(t *testing.T, text, part string) string {
	t.Helper()
	require.Equal(t, 1, strings.Count(text, part), part)
	before, _, _ := strings.Cut(text, part)
	return strconv.Itoa(strings.Count(before, "\n") + 1)
}

func generateGo(t *testing.T, s *sketch, opt GoOptions) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Go(&b, s.seq, s.plan, opt))
	return b.String()
}
