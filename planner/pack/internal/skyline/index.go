package skyline

import "math/bits"

// index is an order of rectangles: by class, which is the binary logarithm of
// their length, the longest first, and then by first section. So those that cover
// a section are, of each class, in a short range.
type index struct {
	first, end []int32
	classes    []class
	ends       []ends // by level: of groups of fanout rectangles, of groups of groups, and so on
}

// ends are where the rectangles of each group end.
type ends struct{ least, most []int32 }

// class are the rectangles with lengths in [1 << log, 2 << log).
type class struct {
	log, shift int
	starts     []int32 // by section >> shift: the first rectangle that starts there or later
}

const (
	fanoutBits = 4
	fanout     = 1 << fanoutBits
)

func (c *class) shortest() int32 { return 1 << c.log }
func (c *class) longest() int32  { return int32(min(2<<c.log-1, 1<<31-1)) }

// from is where the rectangles begin that start in a section, or a little before.
func (c *class) from(section int32) int { return int(c.starts[section>>c.shift]) }

// to is where those end that start in a section, or a little after.
func (c *class) to(section int32) int { return int(c.starts[section>>c.shift+1]) }

func classOf(first, end int32) int { return bits.Len32(uint32(end-first)) - 1 }

func newIndex(first, end []int32, sections int32) *index {
	x := &index{first: first, end: end}
	for at := 0; at < len(first); {
		c := class{log: classOf(first[at], end[at])}
		c.shift = max(0, c.log-2)
		c.starts = make([]int32, sections>>c.shift+2)
		for g := range c.starts {
			for at < len(first) && classOf(first[at], end[at]) == c.log && int(first[at])>>c.shift < g {
				at++
			}
			c.starts[g] = int32(at)
		}
		x.classes = append(x.classes, c)
	}
	least, most := end, end
	for len(least) > fanout {
		n := (len(least) + fanout - 1) / fanout
		l := ends{least: make([]int32, n), most: make([]int32, n)}
		for i := range n {
			l.least[i], l.most[i] = least[i<<fanoutBits], most[i<<fanoutBits]
			for k := i << fanoutBits; k < min(len(least), (i+1)<<fanoutBits); k++ {
				l.least[i], l.most[i] = min(l.least[i], least[k]), max(l.most[i], most[k])
			}
		}
		x.ends = append(x.ends, l)
		least, most = l.least, l.most
	}
	return x
}

// touching calls back with the rectangles that share a section with [first, end),
// in order.
func (x *index) touching(first, end int32, each func(i int32)) {
	for c := range x.classes {
		c := &x.classes[c]
		for i := c.from(max(0, first+1-c.longest())); i < c.to(end-1); i++ {
			if x.first[i] < end && x.end[i] > first {
				each(int32(i))
			}
		}
	}
}
