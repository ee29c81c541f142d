package shape

import (
	"cmp"
	"slices"
)

// Range is the differences strictly between Lo and Hi, at least one.
type Range struct{ Lo, Hi int64 }

// Forbidden returns the differences, offset of b minus offset of a, at which the
// shapes have a byte in use at the same step: ascending ranges that do not touch.
// It takes n log n for n pieces and pairs of pieces that share a step.
func Forbidden(a, b []Piece) []Range {
	ranges, _ := ForbiddenWithin(nil, a, b)
	return ranges
}

// ForbiddenWithin is Forbidden, or false if that is too much.
func ForbiddenWithin(spend Spend, a, b []Piece) ([]Range, bool) {
	var ranges []Range
	var liveA, liveB []Piece
	if !spend.affords(len(a) + len(b)) {
		return nil, false
	}
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].First <= b[0].First {
			liveB = since(liveB, a[0].First)
			if !spend.affords(len(liveB)) {
				return nil, false
			}
			for _, q := range liveB {
				ranges = append(ranges, between(a[0], q))
			}
			liveA, a = append(liveA, a[0]), a[1:]
		} else {
			liveA = since(liveA, b[0].First)
			if !spend.affords(len(liveA)) {
				return nil, false
			}
			for _, p := range liveA {
				ranges = append(ranges, between(p, b[0]))
			}
			liveB, b = append(liveB, b[0]), b[1:]
		}
	}
	return Merge(ranges), true
}

// since drops the pieces that end at a step or before.
func since(pieces []Piece, step uint64) []Piece {
	return slices.DeleteFunc(pieces, func(p Piece) bool { return p.End <= step })
}

// between returns where q starts, seen from p, when the windows share a byte.
func between(p, q Piece) Range {
	return Range{int64(p.Low) - int64(q.High), int64(p.High) - int64(q.Low)}
}

// Apart returns the differences at which two buffers of the sizes share a byte of
// their whole extents: what a pair that may never share forbids. There is no such
// difference, and ok is false, if one of them is empty.
func Apart(a, b uint64) (r Range, ok bool) {
	return Range{-int64(b), int64(a)}, a > 0 && b > 0
}

// Merge sorts ranges and joins those between which no difference is left. It
// works in place.
func Merge(ranges []Range) []Range {
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Compare(a.Lo, b.Lo) })
	out := ranges[:0]
	for _, r := range ranges {
		if last := len(out) - 1; last >= 0 && r.Lo < out[last].Hi {
			out[last].Hi = max(out[last].Hi, r.Hi)
		} else {
			out = append(out, r)
		}
	}
	return out
}
