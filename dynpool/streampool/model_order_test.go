package streampool_test

import (
	"math/bits"
	"slices"
)

// opSet is a set of operations of a program, by number.
type opSet []uint64

func (s opSet) has(op int) bool { return op/64 < len(s) && s[op/64]>>(op%64)&1 != 0 }

func (s *opSet) add(op int) {
	s.grow(op/64 + 1)
	(*s)[op/64] |= 1 << (op % 64)
}

func (s *opSet) join(other opSet) {
	s.grow(len(other))
	for i, w := range other {
		(*s)[i] |= w
	}
}

func (s *opSet) grow(words int) {
	for len(*s) < words {
		*s = append(*s, 0)
	}
}

// last is the highest number, 0 if there is none.
func (s opSet) last() int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != 0 {
			return i*64 + bits.Len64(s[i]) - 1
		}
	}
	return 0
}

// without is the set without what others hold.
func (s opSet) without(others ...opSet) opSet {
	rest := slices.Clone(s)
	for i := range rest {
		for _, o := range others {
			if i < len(o) {
				rest[i] &^= o[i]
			}
		}
	}
	return rest
}

// within reports whether others hold all of the set.
func (s opSet) within(others ...opSet) bool { return s.without(others...).last() == 0 }

// queue gives a number to an operation that is queued in a stream. It comes after all
// that is in the past of the stream then.
func (m *model) queue(s *modelStream) int {
	op := len(m.streamOf)
	m.streamOf = append(m.streamOf, s)
	s.past.join(m.host)
	s.past.add(op)
	return op
}

// mark gives a number to an operation that the device does not run.
func (m *model) mark(s *modelStream) int {
	op := m.queue(s)
	m.marks.add(op)
	return op
}

// missing are those of some operations that what is queued in a stream now would not
// come after.
func (m *model) missing(s *modelStream, ops []int) []int {
	var missing []int
	for _, op := range ops {
		if !s.past.has(op) && !m.host.has(op) {
			missing = append(missing, op)
		}
	}
	return missing
}

// order queues events and waits so that the stream comes after some operations.
func (m *model) order(s *modelStream, ops []int) {
	for {
		missing := m.missing(s, ops)
		if len(missing) == 0 {
			return
		}
		e := m.events[m.draw.pick(len(m.events))]
		m.record(m.streamOf[missing[0]], e)
		m.wait(s, e)
	}
}
