package kernelstest

import (
	"encoding/binary"
	"slices"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

// spoil makes the program malformed, in a way that does not lead outside the pool.
func (d *drawer) spoil() {
	// A slot that is read through a wrong table may have any memory.
	d.c.Launches = slices.DeleteFunc(d.c.Launches, func(l Launch) bool {
		_, ok := kernels.Place(l.Args[2]).Slot()
		return ok && l.Kernel != AllocIndex()
	})
	pool := slices.Clone(d.c.Pool)
	for range 20 {
		for range 1 + d.IntN(2) {
			d.spoilWord()
		}
		if d.inside() {
			return
		}
		copy(d.c.Pool, pool)
	}
}

// spoilWord changes a word of the program.
func (d *drawer) spoilWord() {
	words := uint64(len(d.l.Program))
	steps := uint64(len(d.l.Steps)) + 1
	firstRelease := abi.HeaderWords + steps*abi.StepWords
	index := d.Uint64N(words)
	switch d.IntN(6) {
	case 0:
		index = d.Uint64N(abi.HeaderWords)
	case 4: // releases up to the end of the program, or beyond
		entry := abi.HeaderWords + d.Uint64N(steps)*abi.StepWords
		abi.PutWords(d.c.Pool[d.l.ProgramOffset+entry*abi.WordSize:], []uint64{words - d.Uint64N(3), d.Uint64N(5)})
	case 3:
		abi.PutWords(d.c.Pool[d.l.ProgramOffset+abi.WordSize*(1+d.Uint64N(2)):], []uint64{^uint64(0)}) // words or steps
	case 1:
		index = abi.HeaderWords + d.Uint64N(steps*abi.StepWords)
	case 2:
		index = min(words-1, firstRelease+d.Uint64N(words))
	}
	at := d.l.ProgramOffset + index*abi.WordSize
	old := binary.LittleEndian.Uint64(d.c.Pool[at:])
	v := [...]uint64{
		old + 1, old - 1, old + abi.WordSize, value(d.Rand), d.Uint64N(words + 2), old ^ 1<<d.IntN(64),
		^uint64(0), ^uint64(7), 0, old | abi.ReleaseSlotOnly, 1<<61 + d.Uint64N(40),
	}[d.IntN(11)]
	abi.PutWords(d.c.Pool[at:], []uint64{v})
}

// inside reports whether no launch of the program leads outside the pool, where a
// device would not notice. It may err to the safe side.
func (d *drawer) inside() bool {
	for _, l := range d.c.Launches {
		switch l.Name() {
		case kernels.Reset, kernels.Step, kernels.Mark, kernels.Release:
			w := walker{drawer: d, program: l.Args[2], n: uint64(len(d.c.Pool))}
			if !w.launch(l) {
				return false
			}
		}
	}
	return true
}

// walker goes through a program without running it. A function returns false where a
// device might leave the pool.
type walker struct {
	*drawer
	program, n uint64
	words      uint64
	moved      bool // the slots are not where they should be
	outside    bool // a word of the program was
}

// table reports whether count records at an offset lie in the pool, or are refused
// because they leave uint64.
func (w *walker) table(offset, count, size uint64) (inside, refused bool) {
	if count > ^uint64(0)/size || offset > ^uint64(0)-count*size {
		return false, true
	}
	return offset+count*size <= w.n, false
}

func (w *walker) word(index uint64) uint64 {
	if index >= (w.n-w.program)/abi.WordSize {
		w.outside = true
		return 0
	}
	return binary.LittleEndian.Uint64(w.c.Pool[w.program+index*abi.WordSize:])
}

func (w *walker) launch(l Launch) bool {
	inside, refused := w.table(w.program, abi.HeaderWords, abi.WordSize)
	if refused || w.program%abi.WordSize != 0 {
		return true
	}
	if !inside {
		return false
	}
	slots, extents, count := w.word(5), w.word(7), w.word(3)
	line := abi.ReadHostLine(w.c.Pool)
	if w.word(0) != abi.ProgramMagic || (slots|extents|w.word(6))%abi.WordSize != 0 || count != line.NumSlots {
		return true
	}
	slotsInside, slotsRefused := w.table(slots, count, abi.SlotSize)
	extentsInside, extentsRefused := w.table(extents, count+1, abi.ExtentSize)
	if slotsRefused || extentsRefused {
		return true
	}
	if !slotsInside || !extentsInside {
		return false
	}
	w.words = min(w.word(1), (^uint64(0)-w.program)/abi.WordSize) // others leave uint64
	w.moved = slots != w.l.SlotsOffset || extents != w.l.ExtentsOffset
	if w.moved && (w.overwrites(slots, count*abi.SlotSize) || w.overwrites(extents, (count+1)*abi.ExtentSize)) {
		return false
	}
	return (l.Name() != kernels.Step || l.Args[3] > w.word(2) || w.step(l.Args[3])) && !w.outside
}

// overwrites reports whether a table lies over line 0, over the program or over the
// words that launches take for offsets.
func (w *walker) overwrites(offset, size uint64) bool {
	over := func(from, to uint64) bool { return offset < to && from < offset+size }
	return over(0, abi.LineSize) || over(w.l.ProgramOffset, w.n) || over(w.count, w.wk+w.c.Scratch[1])
}

// entry returns the words of a record, and false outside the program.
func (w *walker) entry(first, index, size uint64) ([]uint64, bool) {
	if index >= w.words/size || first >= w.words || index*size+size > w.words-first {
		return nil, false
	}
	var out []uint64
	for i := range size {
		out = append(out, w.word(first+index*size+i))
	}
	return out, true
}

func (w *walker) step(index uint64) bool {
	e, ok := w.entry(abi.HeaderWords, index, abi.StepWords)
	if !ok {
		return true
	}
	for i := uint64(0); i < e[1] && !w.outside; i++ {
		if _, ok := w.entry(e[0], i, 1); !ok {
			break
		}
	}
	for i := uint64(0); i < e[3] && !w.outside; i++ {
		a, ok := w.entry(e[2], i, abi.AllocWords)
		if !ok {
			return true
		}
		if !w.code(a[3], a[4]) {
			return false
		}
	}
	return true
}

// code goes through a size program up to what is not legal.
func (w *walker) code(first, words uint64) bool {
	if words > abi.MaxCodeSize || first > w.words || words > w.words-first {
		return true
	}
	for pc, end := first, first+words; pc < end && !w.outside; {
		op := abi.Op(w.word(pc))
		next := pc + 1 + uint64(op.Immediates())
		if !op.ValidArg(w.word(4)) || next > end {
			return true
		}
		inside, refused := true, false
		switch op.Code() {
		case abi.OpParam:
			inside, refused = w.table(w.word(6), uint64(op.A())+1, abi.WordSize)
		case abi.OpLoad:
			offset, width := w.word(pc+1), uint64(op.A())
			inside, _ = w.table(offset, w.word(pc+2)/width, width)
			refused = offset > ^uint64(0)-width
		case abi.OpLoadSlot:
			inside = !w.wild && !w.moved
		}
		if !inside && !refused {
			return false
		}
		pc = next
	}
	return true
}
