package randseq

import (
	"fmt"
	"strings"
)

// step writes one step: it reads some of the recent buffers and writes a few.
func (m *maker) step(s int) {
	host := m.chance(m.HostSteps)
	m.begin(fmt.Sprintf("s%d", s), host)
	reads := m.reads(s)
	for _, b := range reads {
		m.use(b)
	}
	if len(reads) > 0 {
		names := make([]string, len(reads))
		for i, b := range reads {
			names[i] = m.buffers[b].name
		}
		fmt.Fprintf(&m.steps, "    reads: [%s]\n", strings.Join(names, ", "))
	}
	// Spread what is left to write evenly over the steps that are left.
	written := 0
	for _, b := range m.buffers {
		if b.step >= 0 {
			written++
		}
	}
	n := max(1, (m.Buffers-written+m.Steps-s-1)/(m.Steps-s))
	m.steps.WriteString("    writes:\n")
	for i := range n {
		m.write(s, i, reads)
	}
	if m.chance(m.Special) {
		text, _, counts := m.size()
		m.need(counts...)
		fmt.Fprintf(&m.steps, "    scratch:\n      t%d: {type: f32, count: \"%s\"}\n", s, text)
	}
	if m.chance(m.Special) && m.grouped {
		m.steps.WriteString("    barrier: g0\n")
		for b := range m.buffers {
			if m.buffers[b].grouped && m.buffers[b].step < s {
				m.use(b)
			}
		}
	}
	m.after()
	m.count(s)
}

// reads draws buffers of the last steps whose content is still there.
func (m *maker) reads(s int) []int {
	var out []int
	for i := len(m.buffers) - 1; i >= 0 && m.buffers[i].step >= s-m.Reach; i-- {
		if !m.buffers[i].gone && m.r.IntN(4) == 0 && len(out) < 6 {
			out = append(out, i)
		}
	}
	return out
}

// write writes one buffer of a step.
func (m *maker) write(s, i int, reads []int) {
	at := len(m.file) - 1
	b := buffer{name: fmt.Sprintf("b%d_%d", s, i), step: s, at: at, users: []int{at}, view: -1, host: m.chance(m.HostBuffers)}
	b.count, b.dynamic, b.counts = m.size()
	extra := ""
	typ := [...]struct {
		name string
		size int
	}{{"u8", 1}, {"u32", 4}, {"f64", 8}, {"hit", 12}}[m.r.IntN(4)]
	switch {
	case !m.chance(m.Special):
	case m.r.IntN(2) == 0 && m.tryInPlace(&b, reads, &extra):
		typ.name, typ.size = "u8", 1
	case m.r.IntN(3) == 0:
		view := m.r.IntN(len(m.buffers))
		v := &m.buffers[view]
		if !v.gone {
			v.kept, b.view = true, view
			m.need(v.at)
			extra = fmt.Sprintf(", views: [%s]", v.name)
		}
	case m.r.IntN(3) == 0:
		extra, b.kept = ", group: g0", true
		m.grouped, b.grouped = true, true
	case m.r.IntN(2) == 0 && !b.dynamic:
		extra, b.kept, b.persists = ", keep: true", true, true
	default:
		extra = fmt.Sprintf(", align: %d", 1<<m.r.IntN(13))
	}
	b.elem = typ.size
	m.need(b.counts...)
	fmt.Fprintf(&m.steps, "      %s: {type: %s, count: \"%s\"%s%s%s}\n", b.name, typ.name, b.count, scopeText(b.host), extra, m.mark())
	m.buffers = append(m.buffers, b)
}

// tryInPlace makes b take over the storage of a buffer that the step reads.
func (m *maker) tryInPlace(b *buffer, reads []int, extra *string) bool {
	for _, i := range reads {
		base := &m.buffers[i]
		if base.gone || base.kept || base.step < 0 {
			continue
		}
		base.gone = true
		b.host, b.count, b.dynamic = base.host, fmt.Sprintf("count_of(%s)", base.name), base.dynamic
		b.counts, b.took = base.counts, true
		m.need(base.users...)
		*extra = fmt.Sprintf(", in_place_of: %s", base.name)
		return true
	}
	return false
}

// count adds, some of the time, a step that leaves a count for later steps.
func (m *maker) count(s int) {
	if m.Dynamic == 0 || m.r.IntN(3) != 0 {
		return
	}
	name := fmt.Sprintf("n%d", len(m.known))
	typ := [...]string{"u32", "u64"}[m.r.IntN(2)]
	m.begin(fmt.Sprintf("c%d", s), false)
	fmt.Fprintf(&m.steps, "    writes:\n      o%d: {type: %s, count: \"n_events + 1\"}\n", s, typ)
	m.after()
	at := len(m.file) - 1
	m.buffers = append(m.buffers, buffer{name: fmt.Sprintf("o%d", s), step: s, at: at, users: []int{at}, view: -1, elem: 4, kept: true, counted: true})
	index := [...]string{"n_events", "0", "n_events - 1"}[m.r.IntN(3)]
	figures := ""
	if m.r.IntN(4) != 0 {
		figures += fmt.Sprintf(", max: \"n_events * %d\"", 100+m.r.IntN(1000))
	}
	if m.r.IntN(4) != 0 {
		figures += fmt.Sprintf(", typical: \"n_events * %d\"", 1+m.r.IntN(100))
	}
	fmt.Fprintf(&m.counts, "  %s: {at: \"o%d[%s]\"%s}\n", name, s, index, figures)
	m.known = append(m.known, name)
	m.writers = append(m.writers, at)
}
