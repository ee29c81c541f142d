package expr

import (
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
)

// risk is a failure that the intervals of the arguments allow.
type risk struct {
	err error
	// The failure is worst where the value with the directions dir is lowest, or
	// highest; if dir has no Unknown then it does happen at that corner.
	dir     []Dir
	highest bool
	// certain: in a dynamic expression this is an error too, because the bound
	// leaves uint64 or the operation fails for all values of the counts.
	certain bool
}

// rule bounds one operation from the bounds of its arguments. With a risk that is
// certain in a dynamic expression there are no bounds; with any other they hold
// wherever the operation does not fail.
func (a *analysis) rule(kind Kind, args []span) (span, *risk) {
	if kind.nary() {
		return extreme(kind, args, a.still), nil
	}
	x, y := args[0], args[1]
	both := span{dir: join(x.dir, y.dir)}
	against := span{dir: join(x.dir, flipped(y.dir))}
	switch kind {
	case Add:
		return upward(both, x, y, checked.Add)
	case Mul:
		return upward(both, x, y, checked.Mul)
	case Sub:
		return difference(against, x, y)
	}
	if y.lo == 0 { // a division
		s := span{dir: a.unknown()}
		r := &risk{err: checked.ErrDivZero, dir: y.dir, certain: y.hi == 0}
		if r.certain || !x.dynamic && !y.dynamic {
			return s, r
		}
		y = span{lo: 1, hi: y.hi, dir: y.dir, dynamic: y.dynamic}
	}
	switch kind {
	case Div:
		against.lo, against.hi = x.lo/y.hi, x.hi/y.lo
		return against, nil
	case CeilDiv:
		against.lo, _ = checked.CeilDiv(x.lo, y.hi)
		against.hi, _ = checked.CeilDiv(x.hi, y.lo)
		return against, nil
	case Mod:
		return remainder(x, y), nil
	}
	return aligned(x, y)
}

// upward is the rule of an operation that grows with both arguments.
func upward(s, x, y span, op func(a, b uint64) (uint64, error)) (span, *risk) {
	var err error
	s.lo, _ = op(x.lo, y.lo) // where this fails, so does the next
	if s.hi, err = op(x.hi, y.hi); err != nil {
		return s, &risk{err: err, dir: s.dir, highest: true, certain: true}
	}
	return s, nil
}

func difference(s, x, y span) (span, *risk) {
	if x.hi < y.lo {
		return s, &risk{err: checked.ErrNegative, dir: s.dir, certain: true}
	}
	s.hi = x.hi - y.lo
	if x.lo < y.hi {
		return s, &risk{err: checked.ErrNegative, dir: s.dir}
	}
	s.lo = x.lo - y.hi
	return s, nil
}

// remainder is the rule of x % y with y > 0.
func remainder(x, y span) span {
	switch {
	case x.hi < y.lo:
		return span{lo: x.lo, hi: x.hi, dir: x.dir}
	case y.constant() && x.lo/y.lo == x.hi/y.lo: // no wrap in the range
		return span{lo: x.lo % y.lo, hi: x.hi % y.lo, dir: x.dir}
	}
	return span{hi: min(x.hi, y.hi-1), dir: blurred(join(x.dir, y.dir))}
}

// aligned is the rule of align_up(x, y) with y > 0.
func aligned(x, y span) (span, *risk) {
	s := span{dir: join(x.dir, blurred(y.dir))}
	if x.hi == 0 {
		return s, nil
	}
	var err error
	if y.constant() {
		s.lo, _ = checked.AlignUp(x.lo, y.lo)
		s.hi, err = checked.AlignUp(x.hi, y.lo)
	} else {
		s.lo = x.lo
		if x.lo > 0 {
			s.lo = max(x.lo, y.lo)
		}
		s.hi, err = checked.Add(x.hi, y.hi-1)
	}
	if err != nil {
		return s, &risk{err: err, dir: s.dir, highest: true, certain: true}
	}
	return s, nil
}

// extreme is the rule of min and max. An argument that can never be the
// smallest (the largest) has no say in the direction.
func extreme(kind Kind, args []span, still []Dir) span {
	s := span{lo: args[0].lo, hi: args[0].hi, dir: still}
	for _, arg := range args[1:] {
		if kind == Min {
			s.lo, s.hi = min(s.lo, arg.lo), min(s.hi, arg.hi)
		} else {
			s.lo, s.hi = max(s.lo, arg.lo), max(s.hi, arg.hi)
		}
	}
	for _, arg := range args {
		if kind == Min && arg.lo < s.hi || kind == Max && arg.hi > s.lo {
			s.dir = join(s.dir, arg.dir)
		}
	}
	return s
}

// join is the directions of a value that grows with two others.
func join(x, y []Dir) []Dir {
	if slices.Equal(x, y) {
		return x
	}
	dir := slices.Clone(x)
	for i, d := range y {
		switch {
		case d == Const || d == dir[i]:
		case dir[i] == Const:
			dir[i] = d
		default:
			dir[i] = Unknown
		}
	}
	return dir
}

func flip(d Dir) Dir {
	switch d {
	case Inc:
		return Dec
	case Dec:
		return Inc
	}
	return d
}

// flipped is the directions of a value that falls where the other grows.
func flipped(x []Dir) []Dir { return mapped(x, flip) }

// blurred is the directions of a value of which only the parameters are known.
func blurred(x []Dir) []Dir {
	return mapped(x, func(d Dir) Dir {
		if d != Const {
			return Unknown
		}
		return d
	})
}

func mapped(x []Dir, f func(Dir) Dir) []Dir {
	if !slices.ContainsFunc(x, func(d Dir) bool { return f(d) != d }) {
		return x
	}
	dir := slices.Clone(x)
	for i, d := range dir {
		dir[i] = f(d)
	}
	return dir
}
