package arena_test

import (
	"cmp"
	"encoding/binary"
	"math/big"
	"slices"

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

// span is [from, to) of the arena.
type span struct{ from, to uint64 }

func (m *model) reuse() bool { return m.c.Flags&abi.FlagReuse != 0 }

// occupy adds a piece to those in use.
func (m *model) occupy(s span) {
	if s.from == s.to {
		return
	}
	m.live = append(m.live, s)
	slices.SortFunc(m.live, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	merged := m.live[:1]
	for _, s := range m.live[1:] {
		if last := &merged[len(merged)-1]; last.to == s.from {
			last.to = s.to
		} else {
			merged = append(merged, s)
		}
	}
	m.live = merged
}

// vacate takes a piece out of those in use, if all of it is.
func (m *model) vacate(s span) bool {
	for i, l := range m.live {
		if l.from <= s.from && s.to <= l.to && s.from < s.to {
			rest := slices.DeleteFunc([]span{{l.from, s.from}, {s.to, l.to}}, func(r span) bool { return r.from == r.to })
			m.live = slices.Replace(m.live, i, i+1, rest...)
			return true
		}
	}
	return s.from == s.to
}

// gaps are the free pieces between those in use.
func (m *model) gaps() []span {
	var out []span
	end := uint64(0)
	for _, l := range m.live {
		if l.from > end {
			out = append(out, span{end, l.from})
		}
		end = l.to
	}
	return out
}

// top is the end of what is in use.
func (m *model) top() *big.Int {
	if len(m.live) == 0 {
		return u(0)
	}
	return u(m.live[len(m.live)-1].to)
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

// single takes a size that belongs to no slot.
func (m *model) single(size uint64) placed {
	if m.code != abi.OK {
		m.failed++
		return placed{nil, u(0)}
	}
	rounded := m.rounded(u(size))
	if rounded.Cmp(top) > 0 {
		m.fail(abi.NoSlot, trouble{code: abi.BadArithmetic})
		return placed{nil, u(0)}
	}
	if m.wanted.Add(m.wanted, rounded).Cmp(top) > 0 {
		m.wanted.Set(top)
	}
	after := new(big.Int).Add(m.next, rounded)
	if after.Cmp(u(m.c.Capacity)) > 0 {
		m.fail(abi.NoSlot, trouble{abi.Exhausted, rounded.Uint64()})
		return placed{nil, u(0)}
	}
	m.occupy(span{m.next.Uint64(), after.Uint64()})
	s := placed{new(big.Int).Add(u(m.c.Start), m.next), u(size)}
	m.next = after
	if m.next.Cmp(m.high) > 0 {
		m.high = m.next
	}
	return s
}

// setMark stores the cursor, or after a failure what is no cursor.
func (m *model) setMark() {
	m.mark = top
	if m.code == abi.OK {
		m.mark = m.next
	}
}

// releaseMark frees everything at and above the mark, if no slot is there.
func (m *model) releaseMark() {
	if m.code != abi.OK {
		return
	}
	if m.mark.Cmp(m.next) > 0 || new(big.Int).Mod(m.mark, u(m.c.Align)).Sign() != 0 {
		m.fail(abi.NoSlot, *bad)
		return
	}
	for i := range m.c.Slots {
		if s := m.slots[i]; s.offset != nil && s.size.Sign() > 0 &&
			new(big.Int).Add(s.offset, m.rounded(s.size)).Cmp(new(big.Int).Add(u(m.c.Start), m.mark)) > 0 {
			m.fail(i, *bad)
			return
		}
	}
	cut := m.mark.Uint64()
	m.live = slices.DeleteFunc(m.live, func(s span) bool { return s.from >= cut })
	if n := len(m.live); n > 0 {
		m.live[n-1].to = min(m.live[n-1].to, cut)
	}
	m.next = m.mark
	if m.reuse() {
		m.next = m.top()
	}
}

// room is where a rounded size goes: to the low or high end of the smallest gap that
// is large enough, of those the first, else at the cursor.
func (m *model) room(rounded *big.Int, rule uint64) *big.Int {
	if !m.reuse() || rounded.Sign() == 0 {
		return m.next
	}
	at, best := m.next, (*big.Int)(nil)
	for _, g := range m.gaps() {
		if size := u(g.to - g.from); size.Cmp(rounded) >= 0 && (best == nil || size.Cmp(best) < 0) {
			at, best = u(g.from), size
			if rule == 1 {
				at = new(big.Int).Sub(u(g.to), rounded)
			}
		}
	}
	return at
}

func (m *model) fault(slot uint64) bool { return m.c.Flags>>32 == slot+1 }

// size runs a size program.
func (m *model) size(code []Instr) (*big.Int, *trouble) {
	var stack []*big.Int
	for _, in := range code {
		pops := 2
		switch in.Op {
		case abi.OpConst, abi.OpParam:
			pops = 0
		case abi.OpLoad, abi.OpLoadSlot:
			pops = 1
		}
		if in.Op < abi.OpConst || in.Op > abi.OpCheckMax || !m.legal(in) || len(stack) < pops || len(stack)-pops+1 > 32 {
			return nil, bad
		}
		args := stack[len(stack)-pops:]
		v, why := m.execute(in, args)
		if why != nil {
			return nil, why
		}
		stack = append(stack[:len(stack)-pops:len(stack)-pops], v)
	}
	if len(stack) != 1 {
		return nil, bad
	}
	return stack[0], nil
}

func (m *model) legal(in Instr) bool {
	switch in.Op {
	case abi.OpLoad, abi.OpLoadSlot:
		return in.A == 1 || in.A == 2 || in.A == 4 || in.A == 8
	case abi.OpParam:
		return uint64(in.A) < m.c.Params
	}
	return in.A == 0
}

func (m *model) execute(in Instr, args []*big.Int) (*big.Int, *trouble) {
	switch in.Op {
	case abi.OpConst:
		return u(in.Imm[0]), nil
	case abi.OpParam:
		return u(m.c.Values[in.A]), nil
	case abi.OpLoad:
		return m.load(u(in.Imm[0]), u(in.Imm[1]), int64(in.A), args[0])
	case abi.OpLoadSlot:
		s, ok := m.slots[in.Imm[0]]
		if !ok || s.offset == nil {
			return nil, bad
		}
		return m.load(s.offset, s.size, int64(in.A), args[0])
	case abi.OpCheckMax:
		if args[0].Cmp(args[1]) > 0 {
			return nil, &trouble{abi.CountOverMax, args[0].Uint64()}
		}
		return args[0], nil
	case abi.OpMin:
		if args[0].Cmp(args[1]) < 0 {
			return args[0], nil
		}
		return args[1], nil
	case abi.OpMax:
		if args[0].Cmp(args[1]) > 0 {
			return args[0], nil
		}
		return args[1], nil
	}
	v := calculate(in.Op, args[0], args[1])
	if v == nil || v.Sign() < 0 || v.Cmp(top) > 0 {
		return nil, &trouble{code: abi.BadArithmetic}
	}
	return v, nil
}

// calculate returns nil for a division by zero.
func calculate(op abi.Op, a, b *big.Int) *big.Int {
	v := new(big.Int)
	switch op {
	case abi.OpAdd:
		return v.Add(a, b)
	case abi.OpSub:
		return v.Sub(a, b)
	case abi.OpMul:
		return v.Mul(a, b)
	}
	if b.Sign() == 0 {
		return nil
	}
	switch op {
	case abi.OpDiv:
		return v.Div(a, b)
	case abi.OpMod:
		return v.Mod(a, b)
	}
	v.Add(a, b).Sub(v, one).Div(v, b) // ceil_div
	if op == abi.OpAlignUp {
		v.Mul(v, b)
	}
	return v
}

// load reads element index of the buffer [offset, offset+size) byte by byte.
func (m *model) load(offset, size *big.Int, width int64, index *big.Int) (*big.Int, *trouble) {
	from := new(big.Int).Mul(index, big.NewInt(width))
	end := new(big.Int).Add(from, big.NewInt(width))
	if end.Cmp(size) > 0 {
		return nil, bad
	}
	from.Add(from, offset)
	end.Add(end, offset)
	if end.Cmp(u(uint64(len(m.pool)))) > 0 {
		return nil, bad
	}
	v := new(big.Int)
	for i := width - 1; i >= 0; i-- {
		v.Lsh(v, 8).Or(v, u(uint64(m.pool[from.Int64()+i])))
	}
	return v, nil
}

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
