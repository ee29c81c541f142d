package report

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// MapOptions are the measures of a map of characters.
type MapOptions struct {
	Width  int  // of a line; 0 means 80
	Height int  // lines of the map itself; 0 means 20
	Color  bool // with the escapes of a terminal
}

const (
	mapMargin = 10 // for addresses
	mapLeast  = 20 // columns, whatever the width
	// mapLetters are the names of the buffers that cover most; the others are '+'.
	mapLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	mapFree    = '.'
	mapOthers  = '+'
	mapHeader  = '='
)

// Map draws the static pool of one scope in characters: steps across, addresses up, a
// letter for each of the buffers that cover most, and what the letters mean. A cell shows
// the buffer that covers most of it. A pool without bytes has no map.
func Map(w io.Writer, p *planner.Plan, scope sequences.Scope, opts MapOptions) error {
	if p.Pools[scope].Size == 0 {
		return nil
	}
	m := newMap(p, scope, opts)
	for _, id := range m.buffers {
		for _, k := range m.blocks[id] {
			m.fill(k, id)
		}
	}
	m.fill(block{0, sequences.StepID(m.steps), 0, m.pool.Reserved}, mapReserved)
	m.letter()
	for _, id := range m.order {
		m.name(id)
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// What a cell shows that is no buffer.
const mapNothing, mapReserved = -1, -2

// charMap is a map of characters in the making.
type charMap struct {
	*drawing
	opts    MapOptions
	plan    *planner.Plan
	width   int
	shown   [][]int       // by row, from the lowest address: the buffer in each cell
	covered [][]uint64    // by how much of a cell
	cells   [][]byte      // the letters and names
	owners  []string      // the letters, also below the names
	order   []int         // the buffers that have letters, the largest area first
	letters map[int]byte  // of these
	colors  map[byte]role // by letter
}

func newMap(p *planner.Plan, scope sequences.Scope, opts MapOptions) *charMap {
	opts.Width, opts.Height = cmp.Or(max(0, opts.Width), 80), cmp.Or(max(0, opts.Height), 20)
	m := &charMap{drawing: draw(p, scope), opts: opts, plan: p, letters: map[int]byte{}, colors: map[byte]role{}}
	m.width = max(mapLeast, opts.Width-mapMargin-3)
	if m.steps <= m.width {
		m.width = m.width / m.steps * m.steps // so that all steps are as wide
	}
	for range opts.Height {
		m.shown = append(m.shown, slices.Repeat([]int{mapNothing}, m.width))
		m.covered = append(m.covered, make([]uint64, m.width))
	}
	return m
}

// letter gives letters to those that cover most of the buffers that can be seen, and
// writes the cells.
func (m *charMap) letter() {
	seen := map[int]bool{}
	for _, row := range m.shown {
		for _, id := range row {
			seen[id] = true
		}
	}
	m.order = slices.DeleteFunc(slices.Clone(m.buffers), func(id int) bool { return !seen[id] })
	slices.SortStableFunc(m.order, func(a, b int) int { return cmp.Compare(m.area(b), m.area(a)) })
	m.order = m.order[:min(len(m.order), len(mapLetters))]
	for i, id := range m.order {
		m.letters[id], m.colors[mapLetters[i]] = mapLetters[i], roleOf(&m.plan.Buffers[id])
	}
	for _, row := range m.shown {
		var cells []byte
		for _, id := range row {
			letter, ok := m.letters[id]
			switch {
			case id == mapNothing:
				letter = mapFree
			case id == mapReserved:
				letter = mapHeader
			case !ok:
				letter = mapOthers
			}
			cells = append(cells, letter)
		}
		m.cells, m.owners = append(m.cells, cells), append(m.owners, string(cells))
	}
}

// columns are those that steps cover at least in part.
func (m *charMap) columns(k block) (from, to int) {
	w, s := m.width, m.steps
	return int(k.first) * w / s, (int(k.end)*w + s - 1) / s
}

// rowStart is the first address of a row.
func (m *charMap) rowStart(row int) uint64 {
	return scale(uint64(row), uint64(m.opts.Height), uint64(m.pool.Size))
}

// rows are those that have bytes of a block.
func (m *charMap) rows(k block) (from, to int) {
	h := uint64(m.opts.Height)
	from = int(min(h-1, scale(uint64(k.low), uint64(m.pool.Size), h)))
	for from > 0 && m.rowStart(from) > uint64(k.low) {
		from--
	}
	for to = from + 1; to < int(h) && m.rowStart(to) < uint64(k.high); to++ {
	}
	return from, to
}

// fill shows a buffer where a block of it covers more than what is there.
func (m *charMap) fill(k block, id int) {
	if k.low >= k.high || k.first >= k.end {
		return
	}
	left, right := m.columns(k)
	bottom, top := m.rows(k)
	for row := bottom; row < top; row++ {
		low, high := max(uint64(k.low), m.rowStart(row)), min(uint64(k.high), m.rowStart(row+1))
		for col := left; col < right; col++ {
			// In steps times the width of the map.
			from, to := max(int(k.first)*m.width, col*m.steps), min(int(k.end)*m.width, (col+1)*m.steps)
			part := uint64(times(sequences.Bytes(high-min(low, high)), uint64(to-from)))
			if part > m.covered[row][col] {
				m.shown[row][col], m.covered[row][col] = id, part
			}
		}
	}
}

// name writes the name of a buffer over its letters, in the first row where they run far
// enough.
func (m *charMap) name(id int) {
	letter, name := m.letters[id], last(m.plan.Buffers[id].Name)
	if len(name) > m.width || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return
	}
	for row := m.opts.Height - 1; row >= 0; row-- {
		run := strings.Repeat(string(letter), len(name)+4)
		if at := strings.Index(string(m.cells[row]), run); at >= 0 {
			copy(m.cells[row][at+1:], " "+name+" ")
			return
		}
	}
}

// last is a name without the names in front of its last dot, which are those of its step.
func last(name string) string {
	if at := strings.LastIndexByte(name, '.'); at >= 0 && at+1 < len(name) {
		return name[at+1:]
	}
	return name
}
