package streampool

// ticks count the work that was queued in one stream.
type ticks uint64

// clock says of each stream, by its index, how far it is known to have come: a
// vector clock. The index of a closed stream is used again, and its ticks go on.
type clock []ticks

// at returns how far a stream is known to have come.
func (c clock) at(stream int) ticks {
	if stream < len(c) {
		return c[stream]
	}
	return 0
}

// covers reports whether a point of a stream is known to have been reached.
func (c clock) covers(p point) bool { return p.tick <= c.at(p.stream) }

// join adds what another clock knows.
func (c *clock) join(other clock) {
	c.grow(len(other))
	for i, t := range other {
		(*c)[i] = max((*c)[i], t)
	}
}

// set raises what is known of one stream.
func (c *clock) set(p point) {
	c.grow(p.stream + 1)
	(*c)[p.stream] = max((*c)[p.stream], p.tick)
}

func (c *clock) grow(n int) {
	for len(*c) < n {
		*c = append(*c, 0)
	}
}

// point is a place in the work of a stream: behind the first tick operations.
type point struct {
	stream int
	tick   ticks
}
