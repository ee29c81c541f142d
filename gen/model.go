package gen

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// ErrMismatch is returned for a plan that was not made from the sequence.
var ErrMismatch = errors.New("the plan does not belong to the sequence")

// model is what both generators print: a sequence and its plan, side by side.
type model struct {
	seq     *sequences.Sequence
	layout  *abi.Layout
	source  string // base name of the sequence file
	arena   planner.Arena
	params  []sequences.Param
	props   []sequences.Param
	statics []buffer
	dynamic []buffer
	static  []bool                      // by BufferID: the size mentions no count
	counted map[sequences.BufferID]bool // buffers that a count_of names
	queues  []queue                     // by step; nil if all are on one stream
}

// buffer is one buffer with its place in the plan.
type buffer struct {
	*sequences.Buffer
	typ  *sequences.Type
	plan *planner.Buffer
}

// bounded reports whether the largest size of the buffer is known.
func (b buffer) bounded() bool { return b.plan.Proof != planner.ProofNone }

// maxCount is the largest number of elements of a bounded buffer.
func (b buffer) maxCount() uint64 { return uint64(b.plan.Max) / uint64(b.typ.Size) }

// demand is what the arena needs for one kind of counts, in bytes.
type demand struct {
	kind  string // typical or worst
	bytes uint64
	doc   string
}

// demands are the needs of the arena that the plan knows.
func (m *model) demands() []demand {
	var out []demand
	if d := m.arena.Typical; d != nil {
		out = append(out, demand{"typical", uint64(d.Sum), "what the dynamic device buffers need with every count typical"})
	}
	if d := m.arena.Worst; d != nil {
		out = append(out, demand{"worst", uint64(d.Sum), "what they need with every count at its max"})
	}
	return out
}

func newModel(seq *sequences.Sequence, plan *planner.Plan) (*model, error) {
	if err := checkPair(seq, plan); err != nil {
		return nil, err
	}
	m := &model{
		seq: seq, layout: plan.Layout, source: printable(filepath.Base(plan.Source)), arena: plan.Arena,
		counted: map[sequences.BufferID]bool{}, queues: findQueues(seq, plan),
	}
	for _, p := range seq.Params {
		if p.Fixed() {
			m.props = append(m.props, p)
		} else {
			m.params = append(m.params, p)
		}
	}
	for i := range seq.Buffers {
		b := buffer{Buffer: &seq.Buffers[i], plan: &plan.Buffers[i]}
		b.typ = &seq.Types[b.Type]
		m.static = append(m.static, b.plan.Class == planner.Static)
		if m.static[i] {
			m.statics = append(m.statics, b)
		} else {
			m.dynamic = append(m.dynamic, b)
		}
		for _, ref := range expr.Refs(b.Count, expr.CountOf) {
			m.counted[sequences.BufferID(ref)] = true
		}
	}
	return m, nil
}

// checkPair makes sure that no index of the plan leads outside the sequence, so
// that a stale plan is an error and not a panic.
func checkPair(seq *sequences.Sequence, plan *planner.Plan) error {
	if seq == nil || plan == nil || plan.Layout == nil {
		return fmt.Errorf("%w: it has no layout", ErrMismatch)
	}
	l := plan.Layout
	if len(plan.Buffers) != len(seq.Buffers) || len(l.Buffers)+len(l.Slots) != len(seq.Buffers) || len(l.Steps) != len(seq.Steps) {
		return fmt.Errorf("%w: it has other buffers or steps", ErrMismatch)
	}
	slot := 0
	for i := range seq.Buffers {
		b, p := &seq.Buffers[i], &plan.Buffers[i]
		if p.Name != b.Name || int(b.ID) != i || b.Type < 0 || int(b.Type) >= len(seq.Types) || seq.Types[b.Type].Size == 0 {
			return fmt.Errorf("%w: at buffer %s", ErrMismatch, b.Name)
		}
		if err := checkRefs(seq, plan, b); err != nil {
			return err
		}
		if p.Class == planner.Static {
			continue
		}
		if p.Slot != slot || slot >= len(l.Slots) || l.Slots[slot].Name != b.Name {
			return fmt.Errorf("%w: at the slot of buffer %s", ErrMismatch, b.Name)
		}
		slot++
	}
	ranged := 0
	for _, p := range seq.Params {
		if p.Fixed() {
			continue
		}
		if ranged >= len(l.Params) || l.Params[ranged].Name != p.Name {
			return fmt.Errorf("%w: at parameter %s", ErrMismatch, p.Name)
		}
		ranged++
	}
	if ranged != len(l.Params) {
		return fmt.Errorf("%w: it has other parameters", ErrMismatch)
	}
	return checkStreams(seq, plan)
}

// checkRefs makes sure that the leaves of a count expression exist, and that a
// static buffer needs no count.
func checkRefs(seq *sequences.Sequence, plan *planner.Plan, b *sequences.Buffer) error {
	ok := true
	static := plan.Buffers[b.ID].Class == planner.Static
	expr.Walk(b.Count, func(n *expr.Node) bool {
		switch n.Kind {
		case expr.Param:
			ok = ok && n.Ref >= 0 && n.Ref < len(seq.Params)
		case expr.Count:
			ok = ok && n.Ref >= 0 && n.Ref < len(seq.Counts) && !static
		case expr.CountOf:
			ok = ok && n.Ref >= 0 && n.Ref < len(seq.Buffers) && (!static || plan.Buffers[n.Ref].Class == planner.Static)
		}
		return ok
	})
	if !ok {
		return fmt.Errorf("%w: at the count of buffer %s", ErrMismatch, b.Name)
	}
	return nil
}

// types are the element types that the buffers use, in file order.
func (m *model) types() []*sequences.Type {
	used := make([]bool, len(m.seq.Types))
	for i := range m.seq.Buffers {
		used[m.seq.Buffers[i].Type] = true
	}
	var out []*sequences.Type
	for i := range m.seq.Types {
		if used[i] {
			out = append(out, &m.seq.Types[i])
		}
	}
	return out
}

// countText is a count expression as written, on one line.
func (b buffer) countText() string { return printable(strings.Join(strings.Fields(b.CountText), " ")) }

// printable makes text safe inside a comment of both languages.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
	return strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(text)
}

// describe says what a buffer is: "hits: velo_hit[n_events * 20], written by
// decode, an output".
func (m *model) describe(b buffer) string {
	text := m.origin(b)
	if b.Output {
		text += ", an output"
	}
	return text
}

func (m *model) origin(b buffer) string {
	text := fmt.Sprintf("%s: %s[%s]", b.Name, b.typ.Name, b.countText())
	if b.Scope == sequences.Host {
		text += " in host memory"
	}
	switch {
	case b.Kind == sequences.Input:
		return text + ", an input"
	case b.Step < 0 || int(b.Step) >= len(m.seq.Steps):
		return text
	case b.Kind == sequences.Scratch:
		return text + ", scratch of " + m.seq.Steps[b.Step].Name
	}
	return text + ", written by " + m.seq.Steps[b.Step].Name
}
