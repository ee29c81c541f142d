// Package randseq makes random sequence files for tests: all features of the
// format, in sizes from a handful of buffers to tens of thousands. The text is a
// valid sequence file; whether its sizes can be proved is left to chance.
package randseq

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Config says what to make.
type Config struct {
	Steps   int // at least 1
	Buffers int // about how many buffers the steps write, in all
	Reach   int // a step reads what was written up to so many steps before; 0 means 8
	// HostSteps is the chance that a step runs on the host, and HostBuffers that
	// a buffer lives there.
	HostSteps, HostBuffers float64
	// Dynamic is the chance that a size depends on a count, where one is known.
	Dynamic float64
	// Special is the chance of each special feature of a buffer: views, in place,
	// keep, group, its own alignment.
	Special float64
	// Risky is the chance of a term that may be negative, divide by zero or
	// leave uint64.
	Risky float64
	// ReuseOff is the chance that a scope does not reuse memory.
	ReuseOff float64

	// Streams is on how many streams the steps run; 0 means one. Edges is the chance
	// of an edge that no buffer needs, for each step.
	Streams int
	Edges   float64
	// Policies is the chance that a scope has one of the policies for streams.
	Policies float64
	// Places is the chance that a static buffer has an offset or a hint, Loans that
	// it has gaps, and that it shrinks.
	Places, Loans float64
}

// Small draws a configuration for property tests.
func Small(r *rand.Rand) Config {
	chance := func(most float64) float64 { return most * float64(r.IntN(4)) / 3 }
	return Config{
		Steps: 1 + r.IntN(12), Buffers: 1 + r.IntN(30), Reach: 1 + r.IntN(8),
		HostSteps: chance(0.6), HostBuffers: chance(0.6), Dynamic: chance(0.8),
		Special: chance(0.3), Risky: chance(0.02), ReuseOff: chance(0.2),
	}
}

// Streams draws a configuration with several streams, places and loans.
func Streams(r *rand.Rand) Config {
	c := Small(r)
	chance := func(most float64) float64 { return most * float64(r.IntN(4)) / 3 }
	c.Streams, c.Edges, c.Policies, c.Places, c.Loans = 1+r.IntN(4), chance(0.5), chance(1), chance(0.3), chance(0.6)
	c.HostSteps /= 4 // they order everything
	return c
}

// buffer is what later steps have to know of a buffer.
type buffer struct {
	name    string
	step    int
	at      int   // the place of its step in the file; -1 for an input
	users   []int // steps of the file that write, read or keep it
	counts  []int // steps of the file that write the counts in its size
	view    int   // the buffer that it holds pointers into, or -1
	grouped bool
	elem    int
	count   string
	dynamic bool
	host    bool
	gone    bool // another buffer took over its storage
	kept    bool // something needs its content later

	took, persists, counted bool // took over another one, is kept, has a count in it
}

type maker struct {
	Config
	r       *rand.Rand
	steps   strings.Builder
	counts  strings.Builder
	buffers []buffer
	known   []string // counts that a step has left
	writers []int    // of them: the steps of the file that leave them
	grouped bool     // the group g0 has a member
	file    []fileStep
	places  int
}

// YAML makes a sequence file.
func YAML(r *rand.Rand, c Config) []byte {
	if c.Reach <= 0 {
		c.Reach = 8
	}
	m := &maker{Config: c, r: r}
	m.inputs()
	for s := range c.Steps {
		m.step(s)
	}
	var out strings.Builder
	out.WriteString("seqplan: 1\nname: random\n")
	for _, scope := range []string{"device", "host"} {
		if m.chance(c.ReuseOff) {
			fmt.Fprintf(&out, "%s: {reuse: off}\n", scope)
		} else if m.Policies > 0 && m.chance(m.Policies) {
			fmt.Fprintf(&out, "%s: {reuse: %s}\n", scope, [...]string{"stream", "event", "internal"}[r.IntN(3)])
		}
	}
	fmt.Fprintf(&out, "workers: %d\n", 1+r.IntN(3))
	fmt.Fprintf(&out, "params:\n  n_events: {min: %d, max: %d}\n  n_modules: {min: 1, max: %d}\n  width: %d\n",
		1+r.IntN(2), 2+r.IntN(200), 1+r.IntN(20), 1+r.IntN(64))
	out.WriteString("types:\n  hit: {size: 12, align: 4}\n")
	if len(m.known) > 0 {
		out.WriteString("counts:\n" + m.counts.String())
	}
	out.WriteString(m.special())
	last := m.buffers[len(m.buffers)-1].name
	fmt.Fprintf(&out, "outputs: [%s]\n", last)
	return []byte(out.String())
}

func (m *maker) chance(p float64) bool { return m.r.Float64() < p }

// size draws a size expression and tells whether it depends on a count. What the
// device needs to compute it, the step that is being made needs.
func (m *maker) size() (text string, dynamic bool, counts []int) {
	k := 1 + m.r.IntN(100)
	if m.chance(m.Risky) {
		return [...]string{
			fmt.Sprintf("n_events - %d", m.r.IntN(6)), fmt.Sprintf("width / (n_modules - %d)", m.r.IntN(3)),
			fmt.Sprintf("n_events * 0x%x", m.r.Uint64()>>m.r.IntN(64)), fmt.Sprintf("%d - n_modules * n_modules", k),
		}[m.r.IntN(4)], false, nil
	}
	if m.chance(m.Dynamic) {
		if m.r.IntN(3) == 0 {
			for range 4 {
				if b := m.buffers[m.r.IntN(len(m.buffers))]; b.dynamic {
					return fmt.Sprintf("count_of(%s)", b.name), true, b.counts
				}
			}
		}
		if len(m.known) > 0 {
			i := m.r.IntN(len(m.known))
			c := m.known[i]
			return [...]string{c, c + " + " + fmt.Sprint(k), fmt.Sprintf("%s * %d", c, k), fmt.Sprintf("ceil_div(%s, %d) + n_events", c, k)}[m.r.IntN(4)], true, m.writers[i : i+1]
		}
	}
	return [...]string{
		fmt.Sprint(k - 1), "n_events", fmt.Sprintf("n_events * %d", k), "n_events * n_modules", "width * n_events + 1",
		fmt.Sprintf("align_up(n_events, %d)", k), fmt.Sprintf("ceil_div(n_events * 3, %d)", k), fmt.Sprintf("max(n_events, n_modules * %d)", k),
		fmt.Sprintf("n_events %% %d", k), fmt.Sprintf("min(n_events, %d)", k),
	}[m.r.IntN(10)], false, nil
}

func (m *maker) inputs() {
	m.steps.WriteString("inputs:\n")
	for i := range 1 + m.r.IntN(3) {
		name := fmt.Sprintf("in%d", i)
		count := fmt.Sprintf("n_events * %d", 1+m.r.IntN(2000))
		host := m.chance(m.HostBuffers)
		fmt.Fprintf(&m.steps, "  %s: {type: u8, count: \"%s\"%s%s}\n", name, count, scopeText(host), m.mark())
		m.buffers = append(m.buffers, buffer{name: name, step: -1, at: -1, view: -1, elem: 1, count: count, host: host})
	}
	m.steps.WriteString("steps:\n")
}

func scopeText(host bool) string {
	if host {
		return ", scope: host"
	}
	return ""
}
