package arena_test

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
)

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
	if m.mark.Cmp(u(m.c.Capacity)) > 0 || new(big.Int).Mod(m.mark, u(m.c.Align)).Sign() != 0 {
		m.fail(abi.NoSlot, *bad)
		return
	}
	if m.mark.Cmp(m.next) > 0 {
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
