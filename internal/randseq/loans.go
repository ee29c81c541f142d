package randseq

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mark is the place in the text where the offset, the hint, the gaps and the shrinks
// of the next buffer come to stand, once all its uses are known.
func (m *maker) mark() string {
	if m.Places == 0 && m.Loans == 0 {
		return ""
	}
	return fmt.Sprintf("@%d@", len(m.buffers))
}

// special returns the text of the inputs and steps with all marks replaced.
func (m *maker) special() string {
	if m.Places == 0 && m.Loans == 0 {
		return m.steps.String()
	}
	for _, holder := range slices.Backward(m.buffers) { // what it views comes before it
		if holder.view >= 0 {
			v := &m.buffers[holder.view]
			v.users = append(v.users, holder.users...)
		}
	}
	var out strings.Builder
	for i, part := range strings.Split(m.steps.String(), "@") {
		if i%2 == 0 {
			out.WriteString(part)
			continue
		}
		id, _ := strconv.Atoi(part)
		if b := &m.buffers[id]; !b.dynamic && !b.took {
			out.WriteString(m.place() + m.loans(b))
		}
	}
	return out.String()
}

// room is more than any static buffer needs, and a multiple of every alignment.
const room = 512 << 10

// place draws an offset that no other buffer has, or a hint.
func (m *maker) place() string {
	if !m.chance(m.Places) {
		return ""
	}
	if m.r.IntN(2) == 0 {
		return fmt.Sprintf(", hint: %dKiB", 4*m.r.IntN(256))
	}
	m.places++
	return fmt.Sprintf(", offset: 0x%x", (m.places-1)*room)
}

// loans draws gaps and shrinks.
func (m *maker) loans(b *buffer) string {
	if m.Loans == 0 || b.persists || b.counted {
		return ""
	}
	slices.Sort(b.users)
	b.users = slices.Compact(b.users)
	text := ""
	if m.chance(m.Loans) {
		var gaps []string
		for i := 1; i < len(b.users); i++ {
			if from, to := b.users[i-1], b.users[i]; m.file[to].before[from] && m.splits(b, from, to) && m.r.IntN(3) > 0 {
				gaps = append(gaps, fmt.Sprintf("{after: %s, before: %s%s}", m.file[from].name, m.file[to].name, m.window(b)))
			}
		}
		if len(gaps) > 0 {
			text += fmt.Sprintf(", gaps: [%s]", strings.Join(gaps, ", "))
		}
	}
	if m.chance(m.Loans) && !b.gone {
		var shrinks []string
		for _, u := range b.users {
			if m.splits(b, u, u) && m.r.IntN(2) == 0 {
				shrinks = append(shrinks, fmt.Sprintf("{after: %s, count: \"(%s) / %d\"}", m.file[u].name, b.count, 2<<len(shrinks)))
			}
		}
		if len(shrinks) > 0 {
			text += fmt.Sprintf(", shrink: [%s]", strings.Join(shrinks[:min(len(shrinks), 8)], ", "))
		}
	}
	return text
}

// splits reports whether every use is at from or to, before from or behind to.
func (m *maker) splits(b *buffer, from, to int) bool {
	for _, u := range b.users {
		if u != from && u != to && !(u < from && m.file[from].before[u]) && !(u > to && m.file[u].before[to]) {
			return false
		}
	}
	return true
}

// window draws, some of the time, bytes that the buffer has for all parameters.
func (m *maker) window(b *buffer) string {
	factor, _ := strings.CutPrefix(b.count, "n_events * ")
	k, err := strconv.Atoi(factor)
	if err != nil || m.r.IntN(2) == 0 {
		return ""
	}
	low := m.r.IntN(k*b.elem + 1)
	return fmt.Sprintf(", window: [%d, %d]", low, low+m.r.IntN(k*b.elem-low+1))
}
