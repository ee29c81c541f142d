package kernelstest

import (
	"math/rand/v2"
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
)

// edges are values at which arithmetic goes wrong.
var edges = [...]uint64{
	0, 1, 2, 3, 255, 256, 257, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<63 - 1, 1 << 63, ^uint64(0) - 255, ^uint64(0) - 1, ^uint64(0),
}

// value is a size or a factor: mostly small, sometimes at an edge.
func value(r *rand.Rand) uint64 {
	if r.IntN(12) == 0 {
		return edges[r.IntN(len(edges))]
	}
	return r.Uint64N(600)
}

// Random makes a sequence with sizes of every kind: zero, small, near 2^64, counts
// over their bound, operations that fail. Its first two static buffers hold counts,
// of four and of eight bytes.
func Random(r *rand.Rand) *Sequence {
	s := &Sequence{
		Params:     []abi.Param{{Name: "n", Min: 0, Max: ^uint64(0)}, {Name: "m", Min: 0, Max: ^uint64(0)}},
		ArenaAlign: 1 << r.IntN(13),
		Reuse:      r.IntN(3) > 0,
		Statics: []abi.StaticBuffer{
			{Name: "counts32", Size: 64, ElemSize: 4},
			{Name: "counts64", Size: 64, ElemSize: 8},
			{Name: "counts8", Size: 5, ElemSize: 1},
			{Name: "counts16", Size: 10, ElemSize: 2},
		},
	}
	var made []Buffer
	var held []uint64 // slots, in the words of a release
	for range 1 + r.IntN(5) {
		var step Step
		// Mostly what is held, each once; sometimes again or with the wrong flag,
		// which a device must survive.
		r.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
		n := r.IntN(len(held) + 1)
		step.Releases, held = slices.Clone(held[:n]), held[n:]
		if n > 0 && r.IntN(20) == 0 {
			held = append(held, step.Releases[0]^abi.ReleaseSlotOnly*r.Uint64N(2))
		}
		for range r.IntN(5) {
			b := Buffer{Host: r.IntN(6) == 0, Rule: r.Uint64N(2)}
			if base, ok := pick(r, made, b.Host); ok && r.IntN(4) == 0 {
				b.InPlace, b.InPlaceOf = true, base
			}
			b.Code = s.randomCode(r, len(made))
			word := uint64(len(made))
			if b.InPlace && r.IntN(20) > 0 {
				word |= abi.ReleaseSlotOnly
			}
			held = append(held, word)
			made = append(made, b)
			step.Allocs = append(step.Allocs, b)
		}
		s.Steps = append(s.Steps, step)
	}
	return s
}

// pick picks a buffer of a scope that was made before.
func pick(r *rand.Rand, made []Buffer, host bool) (uint64, bool) {
	var of []uint64
	for i, b := range made {
		if b.Host == host {
			of = append(of, uint64(i))
		}
	}
	if len(of) == 0 {
		return 0, false
	}
	return of[r.IntN(len(of))], true
}

func (s *Sequence) randomCode(r *rand.Rand, slots int) []uint64 {
	if r.IntN(3) > 0 {
		return Const(value(r))
	}
	return s.randomExpr(r, slots, 1+r.IntN(4))
}

func (s *Sequence) randomExpr(r *rand.Rand, slots, depth int) []uint64 {
	if depth == 0 {
		if r.IntN(3) == 0 {
			return Param(uint32(r.IntN(len(s.Params))))
		}
		return Const(value(r))
	}
	arg := func() []uint64 { return s.randomExpr(r, slots, depth-1) }
	switch r.IntN(8) {
	case 0, 1:
		return slices.Concat(Const(r.Uint64N(9)), s.Load(r.IntN(len(s.Statics))))
	case 2:
		if slots > 0 {
			return slices.Concat(Const(r.Uint64N(40)), LoadSlot(r.Uint64N(uint64(slots)), 1<<r.IntN(4)))
		}
		return arg()
	case 3:
		return slices.Concat(arg(), Const(r.Uint64N(1<<11)), Code(abi.OpCheckMax))
	}
	return slices.Concat(arg(), arg(), Code(abi.OpAdd+abi.Op(r.IntN(int(abi.OpMax-abi.OpAdd)+1))))
}
