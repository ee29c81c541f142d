package ascendc_test

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// index is the index of a kernel in kernelstest.Launch.
func index(name string) int {
	for i, s := range kernels.Builtins() {
		if s.Name == name {
			return i
		}
	}
	return kernelstest.AllocIndex()
}

// list draws a case with lists of some chunks: of a length around the end of a chunk,
// or of any length, with slots that start anywhere in a line, and with an arena that
// ends, or a size that cannot be rounded, in any chunk.
func list(seed uint64, chunks int) *kernelstest.Case {
	r := rand.New(rand.NewPCG(seed, 0x1157))
	limit := uint64(chunks) * kernels.ListChunk
	s := &kernelstest.Sequence{ArenaAlign: 1 << r.IntN(7), Statics: []abi.StaticBuffer{
		{Name: "count", Size: 8, ElemSize: 8},
		{Name: "sizes", Size: limit * 8, ElemSize: 8},
		{Name: "out", Size: limit*abi.SlotSize + abi.LineSize, ElemSize: abi.SlotSize},
		{Name: "work", Size: kernels.ListWorkSize(limit), ElemSize: 64},
	}}
	l := s.Layout()
	count, sizes, out, work := s.Offset(0), s.Offset(1), s.Offset(2), s.Offset(3)
	out += 8 * r.Uint64N(abi.LineSize/8)
	pool := kernelstest.Image(l, r.Uint64N(2)*1<<40+r.Uint64N(limit*128), 0)
	for i := range limit {
		binary.LittleEndian.PutUint64(pool[sizes+8*i:], r.Uint64N(256))
	}
	if r.IntN(3) == 0 {
		binary.LittleEndian.PutUint64(pool[sizes+8*r.Uint64N(limit):], ^uint64(0)-r.Uint64N(8))
	}
	for i := range pool[out : out+limit*abi.SlotSize+8] {
		pool[out+uint64(i)] = byte(i)
	}
	c := &kernelstest.Case{Seed: seed, Pool: append(pool, make([]byte, -len(pool)&7)...)}
	c.Scratch = [2]uint64{work, kernels.ListWorkSize(limit)}
	launch := func(name string, args ...uint64) {
		l := kernelstest.Launch{Kernel: index(name)}
		copy(l.Args[1:], args)
		c.Launches = append(c.Launches, l)
	}
	for range 2 {
		launch(kernels.Reset, l.ControlOffset, l.ProgramOffset)
		for range 1 + r.IntN(2) {
			n := r.Uint64N(limit + 1)
			if r.IntN(2) == 0 {
				n = min(limit, uint64(r.IntN(chunks+1))*kernels.ListChunk+r.Uint64N(6)) // 6: other than a line of slots
			}
			launch(kernels.Store, 0, uint64(kernels.StaticPlace(count)), 0, 8, n)
			for _, name := range []string{kernels.ListSum, kernels.ListScan, kernels.ListPlace} {
				launch(name, l.ControlOffset, sizes, out, count, limit, work)
			}
		}
	}
	return c
}
