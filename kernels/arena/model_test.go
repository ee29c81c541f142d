package arena_test

import (
	"encoding/binary"
	"math/big"

	"github.com/seqplan/seqplan/kernels/abi"
)

// model is the allocator as docs/abi.md describes it, written down as plainly as
// possible: on the structured program, with maps and big integers.
type model struct {
	c    *Case
	pool []byte // as it was before; the model writes nothing

	slots             map[uint64]placed
	live              []span // pieces of the arena in use, sorted, none touching the next
	next, high        *big.Int
	wanted            *big.Int
	failed, firstSlot uint64
	failedBytes       uint64
	code              abi.Code
	done              uint64
	mark              *big.Int // what the word of the mark holds
}

// placed is a slot that was allocated. offset is nil for host memory.
type placed struct{ offset, size *big.Int }

// trouble ends a size program.
type trouble struct {
	code  abi.Code
	value uint64
}

var bad = &trouble{code: abi.BadProgram}

var (
	top = new(big.Int).SetUint64(^uint64(0))
	one = big.NewInt(1)
)

func u(v uint64) *big.Int { return new(big.Int).SetUint64(v) }

func newModel(c *Case, pool []byte, high, done uint64) *model {
	return &model{
		c: c, pool: append([]byte(nil), pool...), slots: make(map[uint64]placed),
		next: u(0), high: u(high), wanted: u(0), firstSlot: abi.NoSlot, done: done,
		mark: u(binary.LittleEndian.Uint64(pool[c.MarkAt():])),
	}
}

// rounded is the size rounded up to the arena alignment.
func (m *model) rounded(size *big.Int) *big.Int {
	a := u(m.c.Align)
	n := new(big.Int).Add(size, a)
	n.Sub(n, one)
	return n.Mul(n.Div(n, a), a)
}

func (m *model) release(word uint64) bool {
	slot, slotOnly := word&(1<<63-1), word>>63 == 1
	if slot >= m.c.Slots {
		return false
	}
	s := m.slots[slot]
	if s.offset == nil {
		return true
	}
	if m.reuse() && !slotOnly {
		from := new(big.Int).Sub(s.offset, u(m.c.Start)).Uint64()
		if !m.vacate(span{from, from + m.rounded(s.size).Uint64()}) {
			m.fail(slot, *bad)
			return true
		}
		m.next = m.top()
	}
	s.offset = nil
	m.slots[slot] = s
	return true
}

func (m *model) step(i int) {
	for _, r := range m.c.Steps[i].Releases {
		if m.code == abi.OK && !m.release(r) {
			m.fail(abi.NoSlot, *bad)
			return
		}
	}
	for _, a := range m.c.Steps[i].Allocs {
		wrongFlags := a.Flags > abi.AllocHost|abi.AllocInPlace || !abi.ValidRule(a.Rule)
		wrongBase := a.Flags&abi.AllocInPlace == 0 && a.Base != 0
		if a.Slot >= m.c.Slots || wrongFlags || wrongBase {
			m.fail(abi.NoSlot, *bad)
			return // the rest of the step is not looked at, and it is not the end step
		}
		m.alloc(a)
	}
	if i == len(m.c.Steps)-1 {
		m.done = m.c.Epoch
	}
}

func (m *model) fail(slot uint64, why trouble) {
	if m.code == abi.OK {
		m.code, m.firstSlot, m.failedBytes = why.code, slot, why.value
	}
	m.failed++
}

func (m *model) alloc(a Alloc) {
	if m.code != abi.OK {
		m.failed++
		return
	}
	size, why := m.size(a.Code)
	if why != nil {
		m.fail(a.Slot, *why)
		return
	}
	onHost := a.Flags&abi.AllocHost != 0
	rounded := m.rounded(size)
	switch {
	case a.Flags&abi.AllocInPlace != 0:
		base, ok := m.slots[a.Base]
		switch {
		case a.Base >= m.c.Slots, !onHost && (!ok || base.offset == nil), onHost && ok && base.offset != nil:
			m.fail(a.Slot, *bad)
			return
		case rounded.Cmp(top) > 0:
			m.fail(a.Slot, trouble{code: abi.BadArithmetic})
			return
		}
		room := u(0)
		if ok {
			room = m.rounded(base.size)
		}
		if rounded.Cmp(room) > 0 || m.fault(a.Slot) {
			m.fail(a.Slot, trouble{abi.Exhausted, rounded.Uint64()})
			return
		}
		m.slots[a.Slot] = placed{base.offset, size}
	case onHost:
		m.slots[a.Slot] = placed{nil, size}
	case rounded.Cmp(top) > 0:
		m.fail(a.Slot, trouble{code: abi.BadArithmetic})
	default:
		if m.wanted.Add(m.wanted, rounded).Cmp(top) > 0 {
			m.wanted.Set(top)
		}
		at := m.room(rounded, a.Rule)
		after := new(big.Int).Add(at, rounded)
		if after.Cmp(u(m.c.Capacity)) > 0 || m.fault(a.Slot) {
			m.fail(a.Slot, trouble{abi.Exhausted, rounded.Uint64()})
			return
		}
		m.slots[a.Slot] = placed{new(big.Int).Add(u(m.c.Start), at), size}
		m.occupy(span{at.Uint64(), after.Uint64()})
		if after.Cmp(m.next) > 0 {
			m.next = after
		}
		if m.next.Cmp(m.high) > 0 {
			m.high = m.next
		}
	}
}

func (m *model) fault(slot uint64) bool { return m.c.Flags>>32 == slot+1 }

// expect is the pool that the allocator must leave.
func (m *model) expect() []byte {
	pool := append([]byte(nil), m.pool...)
	word := func(at uint64, v uint64) { binary.LittleEndian.PutUint64(pool[at:], v) }
	for i, v := range []uint64{
		m.next.Uint64(), m.high.Uint64(), m.wanted.Uint64(), m.failed, m.failedBytes, m.firstSlot, uint64(m.code), m.done,
	} {
		word(ControlAt+64+8*uint64(i), v)
	}
	word(m.c.MarkAt(), m.mark.Uint64())
	table := pool[m.c.ExtentsAt():m.c.ParamsAt()]
	clear(table)
	if m.reuse() {
		for i, g := range m.gaps() {
			word(m.c.ExtentsAt(), uint64(i)+1)
			word(m.c.ExtentsAt()+uint64(i+1)*16, g.from)
			word(m.c.ExtentsAt()+uint64(i+1)*16+8, g.to-g.from)
		}
	}
	for i := range m.c.Slots {
		at := SlotsAt + 16*i
		word(at, ^uint64(0))
		word(at+8, 0)
		if s, ok := m.slots[i]; ok {
			word(at+8, s.size.Uint64())
			if s.offset != nil {
				word(at, s.offset.Uint64())
			}
		}
	}
	return pool
}
