package expr

import (
	"encoding/binary"
	"math/big"
	"slices"
)

// Limits of the polynomial normal form; a larger one proves nothing.
const (
	maxMonos  = 64 // monomials of a polynomial
	maxDegree = 8
	varBytes  = 4  // of a variable in the name of a monomial
	monoWork  = 64 // what one monomial costs, in operations of a tape
)

// poly is a polynomial: the coefficient of each monomial. A monomial is named
// by its variables, sorted, varBytes each; the constant by "".
type poly map[string]*big.Int

// polyVar is a variable of a polynomial. It stands for a parameter, or for a
// subexpression that is no polynomial, less its smallest value: it is in
// [0, width].
type polyVar struct {
	width uint64
	dir   []Dir
	node  *Node // nil for a parameter; of an align_up only what it adds
	ref   int   // of a parameter
}

// polynomial bounds a sum, a difference or a product through its normal form:
// equal terms cancel, and variables count from their smallest value, so that
// n*n - n has no negative coefficient for n >= 1. It fails if the normal form
// does not rule out a negative value or an overflow.
func (a *analysis) polynomial(n *Node) (span, bool) {
	if n.Kind > Mul {
		return span{}, false
	}
	b := polyBuilder{a: a}
	p, ok := b.combine(n)
	if !ok {
		return span{}, false
	}
	lo, hi := new(big.Int), new(big.Int)
	up, down := make([]bool, len(b.vars)), make([]bool, len(b.vars))
	for name, coefficient := range p {
		if name == "" {
			lo.Add(lo, coefficient)
			hi.Add(hi, coefficient)
			continue
		}
		end, moves := hi, up
		if coefficient.Sign() < 0 {
			end, moves = lo, down
		}
		most := new(big.Int).Set(coefficient)
		for _, v := range monoVars(name) {
			most.Mul(most, new(big.Int).SetUint64(b.vars[v].width))
			moves[v] = true
		}
		end.Add(end, most)
	}
	if lo.Sign() < 0 || !hi.IsUint64() {
		return span{}, false
	}
	s := span{lo: lo.Uint64(), hi: hi.Uint64(), dir: a.still}
	for i, v := range b.vars {
		if up[i] {
			s.dir = join(s.dir, v.dir)
		}
		if down[i] {
			s.dir = join(s.dir, flipped(v.dir))
		}
	}
	return s, true
}

type polyBuilder struct {
	a    *analysis
	vars []polyVar
}

// build returns the polynomial of an expression that cannot fail.
func (b *polyBuilder) build(n *Node) (poly, bool) {
	if !b.spend(1) {
		return nil, false
	}
	if n.Kind == CountOf {
		if node, ok := b.a.seen(n); ok {
			return b.build(node)
		}
	}
	s, err := b.a.span(n)
	switch {
	case err != nil || s.dynamic:
		return nil, false
	case s.constant():
		return constPoly(s.lo), true
	case n.Kind == Param:
		return b.variable(s, polyVar{ref: n.Ref}), true
	case n.Kind == Add, n.Kind == Sub, n.Kind == Mul:
		return b.combine(n)
	case n.Kind == AlignUp:
		return b.aligned(n, s)
	}
	return b.variable(s, polyVar{node: n}), true
}

func (b *polyBuilder) spend(monos int) bool {
	b.a.work -= monos * monoWork
	return b.a.work > 0
}

func (b *polyBuilder) combine(n *Node) (poly, bool) {
	x, ok := b.build(n.Args[0])
	if !ok {
		return nil, false
	}
	y, ok := b.build(n.Args[1])
	if !ok {
		return nil, false
	}
	switch n.Kind {
	case Add:
		x = addPoly(x, y, 1)
	case Sub:
		x = addPoly(x, y, -1)
	default:
		if !b.spend(len(x) * len(y)) {
			return nil, false
		}
		x, ok = mulPoly(x, y)
	}
	return x, ok && len(x) <= maxMonos && b.spend(len(x))
}

// aligned returns the argument of an align_up plus a pad, which is a variable.
func (b *polyBuilder) aligned(n *Node, s span) (poly, bool) {
	by, err := b.a.span(n.Args[1])
	if err != nil || by.lo == 0 {
		return nil, false
	}
	x, ok := b.build(n.Args[0])
	if !ok {
		return nil, false
	}
	pad := b.variable(span{hi: by.hi - 1, dir: blurred(s.dir)}, polyVar{node: n})
	return addPoly(x, pad, 1), true
}

// variable returns the polynomial of v, which takes the values of s.
func (b *polyBuilder) variable(s span, v polyVar) poly {
	p := constPoly(s.lo)
	if s.constant() {
		return p
	}
	i := slices.IndexFunc(b.vars, func(w polyVar) bool {
		return v.ref == w.ref && Equal(v.node, w.node)
	})
	if i < 0 {
		i = len(b.vars)
		v.width, v.dir = s.hi-s.lo, s.dir
		b.vars = append(b.vars, v)
	}
	p[string(binary.BigEndian.AppendUint32(nil, uint32(i)))] = big.NewInt(1)
	return p
}

func constPoly(v uint64) poly {
	p := poly{}
	p.add("", new(big.Int).SetUint64(v))
	return p
}

// add adds a term. Terms with the coefficient 0 are dropped.
func (p poly) add(name string, coefficient *big.Int) {
	if old, ok := p[name]; ok {
		coefficient = new(big.Int).Add(old, coefficient)
	}
	if coefficient.Sign() == 0 {
		delete(p, name)
		return
	}
	p[name] = coefficient
}

// addPoly returns x + sign * y.
func addPoly(x, y poly, sign int64) poly {
	p := poly{}
	for name, coefficient := range x {
		p.add(name, coefficient)
	}
	for name, coefficient := range y {
		p.add(name, new(big.Int).Mul(coefficient, big.NewInt(sign)))
	}
	return p
}

func mulPoly(x, y poly) (poly, bool) {
	p := poly{}
	for xName, xc := range x {
		for yName, yc := range y {
			if len(xName)+len(yName) > maxDegree*varBytes {
				return nil, false
			}
			p.add(mulMono(xName, yName), new(big.Int).Mul(xc, yc))
		}
	}
	return p, true
}

func mulMono(x, y string) string {
	vars := append(monoVars(x), monoVars(y)...)
	slices.Sort(vars)
	var name []byte
	for _, v := range vars {
		name = binary.BigEndian.AppendUint32(name, v)
	}
	return string(name)
}

func monoVars(name string) []uint32 {
	vars := make([]uint32, 0, 2*len(name)/varBytes)
	for ; name != ""; name = name[varBytes:] {
		vars = append(vars, binary.BigEndian.Uint32([]byte(name[:varBytes])))
	}
	return vars
}
