package planner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// bounded is what is known of the size of one buffer, in bytes.
type bounded struct {
	max     uint64 // the largest size; 0 if proof is ProofNone
	proof   ProofKind
	at      []uint64 // parameter values that attain max, where known
	typical *uint64  // dynamic: with every count typical, at the largest parameter values
}

// bounder finds bounds for all buffers and counts, each once.
type bounder struct {
	seq     *sequences.Sequence
	classes []classified
	box     expr.Box
	diags   sequences.Diagnostics

	elements []analyzed // by BufferID
	counts   []countBounds
	sizes    []bounded  // by BufferID
	shrinks  [][]uint64 // by BufferID: of a static buffer the largest size after each shrink, in bytes
	typical  *evaluator // at the largest parameter values, every count typical
}

// analyzed is the result of an analysis, if there is one.
type analyzed struct {
	expr.Bounds
	ok bool
}

// countBounds are the declared figures of a count.
type countBounds struct {
	max     analyzed // ok only if a max is declared and proved
	typical *uint64  // at the largest parameter values
}

// errUnknown stops the analysis of an expression that mentions a buffer without
// bounds: either that was reported, or there is nothing to report.
var errUnknown = errors.New("nothing is known of a buffer that it mentions")

// findBounds proves all that a plan needs of the sizes: those of the buffers, that counts
// lie in their buffers, and what is left behind each shrink.
func findBounds(seq *sequences.Sequence, classes []classified) *bounder {
	b := boundSizes(seq, classes)
	b.countIndexes()
	b.boundShrinks()
	return b
}

// boundSizes proves the largest size of every buffer over the parameter ranges.
// For a dynamic buffer it uses the declared bounds of the counts, if all of them
// are declared.
func boundSizes(seq *sequences.Sequence, classes []classified) *bounder {
	b := &bounder{
		seq: seq, classes: classes,
		elements: make([]analyzed, len(seq.Buffers)),
		counts:   make([]countBounds, len(seq.Counts)),
		sizes:    make([]bounded, len(seq.Buffers)),
		typical:  newEvaluator(seq, largest(seq)),
	}
	for _, p := range seq.Params {
		b.box = append(b.box, expr.Range{Min: p.Min, Max: p.Max})
	}
	b.typical.count = func(id sequences.CountID) (uint64, error) {
		if t := b.counts[id].typical; t != nil {
			return *t, nil
		}
		return 0, errNoValue
	}
	for id := range seq.Counts {
		b.countFigures(sequences.CountID(id))
	}
	forEachInSizeOrder(seq, func(id sequences.BufferID) {
		if classes[id].class == Static {
			b.static(id)
		} else {
			b.dynamic(id)
		}
	})
	return b
}

// analyze bounds one expression. A count without a max may be as large as its
// element holds.
func (b *bounder) analyze(n *expr.Node) (expr.Bounds, error) {
	return expr.Analyze(n, b.box, expr.AnalysisEnv{
		Count: func(ref int) (expr.Bounds, error) {
			most := b.counts[ref].max.Hi
			if !b.counts[ref].max.ok {
				most = b.countLimit(sequences.CountID(ref))
			}
			return expr.Bounds{Hi: most, Dynamic: true}, nil
		},
		CountOf: func(ref int) (expr.Bounds, error) {
			if !b.elements[ref].ok {
				return expr.Bounds{}, errUnknown
			}
			return b.elements[ref].Bounds, nil
		},
	})
}

// static proves the largest size of a static buffer.
func (b *bounder) static(id sequences.BufferID) {
	buffer := &b.seq.Buffers[id]
	bounds, err := b.analyze(buffer.Count)
	if err != nil {
		b.report(sizeOf(buffer), err)
		return
	}
	b.elements[id] = analyzed{bounds, true}
	size, err := b.bytes(buffer, bounds)
	if err != nil {
		return
	}
	b.sizes[id] = bounded{max: size, proof: ProofKind(bounds.Proof.String()), at: bounds.At}
	if bounds.Proof == expr.ProofConstant {
		b.sizes[id].at = nil // any point would do
	}
}

// dynamic bounds the size of a dynamic buffer through the counts. The part of
// its expression that has no count is proved like a static one; the device checks
// the rest with the true counts.
func (b *bounder) dynamic(id sequences.BufferID) {
	buffer := &b.seq.Buffers[id]
	s := &b.sizes[id]
	s.proof = ProofNone
	unbounded := slices.ContainsFunc(b.classes[id].drivenBy, func(c sequences.CountID) bool { return !b.counts[c].max.ok })
	bounds, err := b.analyze(buffer.Count)
	switch fault := new(expr.Fault); {
	case err == nil:
		b.elements[id] = analyzed{bounds, true}
		if unbounded {
			break
		}
		if size, err := b.bytes(buffer, bounds); err == nil {
			s.max, s.proof = size, ProofCounts
		}
	case unbounded && errors.As(err, &fault) && b.hasCount(fault.Node):
		// It may fail for counts that are not excluded, but need not occur.
	default:
		b.report(sizeOf(buffer), err)
	}
	typical, err := b.typical.bytes(id)
	switch {
	case err == nil:
		s.typical = &typical
	case !errors.Is(err, errNoValue):
		b.warn(CodeNoTypical, buffer.Count.Pos, "%s has no typical value: with every count typical, %v", sizeOf(buffer), checked.Cause(err))
	}
}

// bytes returns the bytes of the largest number of elements.
func (b *bounder) bytes(buffer *sequences.Buffer, bounds expr.Bounds) (uint64, error) {
	elem := uint64(b.seq.Types[buffer.Type].Size)
	size, err := checked.Mul(bounds.Hi, elem)
	if err != nil {
		b.diag(CodeOverflow, buffer.Count.Pos, "in %s, value leaves uint64: up to %d elements of %d bytes%s",
			sizeOf(buffer), bounds.Hi, elem, b.point(bounds.At))
	}
	return size, err
}

// hasCount reports whether an expression mentions a count, directly or through a
// buffer.
func (b *bounder) hasCount(n *expr.Node) bool {
	return expr.Has(n, expr.Count) || slices.ContainsFunc(expr.Refs(n, expr.CountOf), func(ref int) bool {
		return b.classes[ref].class == Dynamic
	})
}

func sizeOf(b *sequences.Buffer) string { return fmt.Sprintf("the size of %q", b.Name) }

// report turns a failed analysis into a diagnostic.
func (b *bounder) report(what string, err error) {
	fault := new(expr.Fault)
	if !errors.As(err, &fault) {
		return // errUnknown
	}
	code := CodeUnproven
	switch {
	case fault.Unproven:
		b.diags = append(b.diags, sequences.Diagnostic{
			Pos: fault.Node.Pos, Code: code, Severity: diag.Error,
			Message: fmt.Sprintf("in %s, cannot rule out for all parameter values: %v", what, checked.Cause(err)),
			Hint:    "narrow the ranges of the parameters, or bound the operands with min or max",
		})
		return
	case fault.Failure == expr.FailOverflow:
		code = CodeOverflow
	case fault.Failure == expr.FailNegative:
		code = CodeNegative
	case fault.Failure == expr.FailDivZero:
		code = CodeDivZero
	}
	where := b.point(fault.At)
	if b.hasCount(fault.Node) {
		where = " with the counts at their bounds"
	}
	b.diag(code, fault.Node.Pos, "in %s, %v%s", what, checked.Cause(err), where)
}

// point names the values of the parameters that have a range.
func (b *bounder) point(at []uint64) string {
	if len(at) < len(b.seq.Params) {
		return ""
	}
	var words []string
	for i, p := range b.seq.Params {
		if !p.Fixed() {
			words = append(words, fmt.Sprintf("%s = %d", p.Name, at[i]))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " at " + strings.Join(words, ", ")
}

func (b *bounder) diag(code diag.Code, pos sequences.Pos, format string, args ...any) {
	b.diags = append(b.diags, sequences.Diagnostic{Pos: pos, Code: code, Severity: diag.Error, Message: fmt.Sprintf(format, args...)})
}

func (b *bounder) warn(code diag.Code, pos sequences.Pos, format string, args ...any) {
	b.diags = append(b.diags, sequences.Diagnostic{Pos: pos, Code: code, Severity: diag.Warning, Message: fmt.Sprintf(format, args...)})
}
