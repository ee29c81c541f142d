package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/sequences"
)

func (m *charMap) String() string {
	var b strings.Builder
	across := fmt.Sprintf("%s across", prose.Plural(m.steps, "step"))
	fmt.Fprintf(&b, "Map of the static %s pool: %s, %s up\n", m.pool.Scope, across, brief(m.pool.Size))
	for row := m.opts.Height - 1; row >= 0; row-- {
		label := ""
		if row%5 == 0 {
			label = brief(sequences.Bytes(m.rowStart(row)))
		}
		fmt.Fprintf(&b, "%*s |%s|\n", mapMargin, label, m.paint(string(m.cells[row]), m.owners[row]))
	}
	fmt.Fprintf(&b, "%*s  %s\n", mapMargin, "step", strings.TrimRight(m.axis(), " "))
	m.legend(&b)
	return b.String()
}

// axis numbers the steps.
func (m *charMap) axis() string {
	line := slices.Repeat([]byte{' '}, m.width)
	by := ticks(m.steps, max(2, m.width/7))
	for s := 0; s < m.steps; s += by {
		if text, at := fmt.Sprint(s), s*m.width/m.steps; at+len(text) <= m.width {
			copy(line[at:], text)
		}
	}
	return string(line)
}

// legend says what the letters are, cut to the width.
func (m *charMap) legend(b *strings.Builder) {
	for _, id := range m.order {
		buffer := &m.plan.Buffers[id]
		about := fmt.Sprintf("  %s  [%d, %d)", Bytes(buffer.Max), buffer.Lifetime.First, buffer.Lifetime.End)
		letter := string(m.letters[id])
		name := prose.Shorten(prose.Plain(buffer.Name), max(16, m.opts.Width-len(about)-4))
		fmt.Fprintf(b, "  %s %s%s\n", m.paint(letter, letter), name, about)
	}
	var sum sequences.Bytes
	others := 0
	for _, id := range m.buffers {
		if m.letters[id] == 0 {
			sum = add(sum, m.plan.Buffers[id].Max)
			others++
		}
	}
	if others > 0 {
		fmt.Fprintf(b, "  %c %s, %s together\n", mapOthers, prose.Plural(others, "smaller buffer"), Bytes(sum))
	}
	if strings.ContainsRune(strings.Join(m.owners, ""), mapHeader) {
		fmt.Fprintf(b, "  %c reserved, %s\n", mapHeader, Bytes(m.pool.Reserved))
	}
}

// mapColors are the colours of a terminal for the roles.
var mapColors = [...]string{"33", "34", "36", "35", "32"}

// paint colours a line by the letters that are below it.
func (m *charMap) paint(line, owners string) string {
	if !m.opts.Color {
		return line
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		end := i + 1
		for end < len(line) && owners[end] == owners[i] {
			end++
		}
		if color, known := m.colors[owners[i]]; known {
			fmt.Fprintf(&b, "\x1b[%sm%s\x1b[0m", mapColors[color], line[i:end])
		} else {
			b.WriteString(line[i:end])
		}
		i = end
	}
	return b.String()
}
