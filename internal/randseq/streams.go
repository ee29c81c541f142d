package randseq

import (
	"fmt"
	"slices"
	"strings"
)

// fileStep is a step of the file, and what is complete before it starts.
type fileStep struct {
	name   string
	stream int
	host   bool
	before []bool // by step of the file
	needs  []int  // steps that it must come after
}

// begin starts a step.
func (m *maker) begin(name string, host bool) {
	fmt.Fprintf(&m.steps, "  - name: %s\n", name)
	s := fileStep{name: name, host: host}
	if host {
		m.steps.WriteString("    on: host\n")
	}
	if m.Streams > 1 && !host {
		s.stream = m.r.IntN(m.Streams)
		if s.stream > 0 {
			fmt.Fprintf(&m.steps, "    stream: q%d\n", s.stream)
		}
	}
	if m.tracks() {
		s.before = make([]bool, len(m.file))
		for a, other := range m.file {
			if host || other.host || other.stream == s.stream {
				s.wait(m.file, a)
			}
		}
	}
	m.file = append(m.file, s)
}

// tracks reports whether the order of steps matters.
func (m *maker) tracks() bool { return m.Streams > 1 || m.Loans > 0 }

// wait puts step a and all before it before s.
func (s *fileStep) wait(file []fileStep, a int) {
	s.before[a] = true
	for b, before := range file[a].before {
		s.before[b] = s.before[b] || before
	}
}

// need says which steps the step that is being made must come after.
func (m *maker) need(steps ...int) {
	s := &m.file[len(m.file)-1]
	for _, a := range steps {
		if a >= 0 && a < len(m.file)-1 {
			s.needs = append(s.needs, a)
		}
	}
}

// use is a use of a buffer by the step that is being made.
func (m *maker) use(b int) {
	m.need(m.buffers[b].at)
	m.buffers[b].users = append(m.buffers[b].users, len(m.file)-1)
}

// after ends a step: it writes the edges that it needs, and now and then another.
func (m *maker) after() {
	if m.Streams <= 1 {
		return
	}
	s := &m.file[len(m.file)-1]
	if m.chance(m.Edges) && len(m.file) > 1 {
		m.need(m.r.IntN(len(m.file) - 1))
	}
	slices.Sort(s.needs)
	var names []string
	for _, a := range slices.Backward(s.needs) {
		if !s.before[a] {
			s.wait(m.file, a)
			names = append(names, m.file[a].name)
		}
	}
	switch {
	case len(names) == 1 && m.r.IntN(2) == 0:
		fmt.Fprintf(&m.steps, "    after: %s\n", names[0])
	case len(names) > 0:
		fmt.Fprintf(&m.steps, "    after: [%s]\n", strings.Join(names, ", "))
	}
}
