package play

import "slices"

// within returns the bytes of a buffer of some size that a check is about.
func (c *check) within(size uint64) (from, to uint64) {
	if c.part == nil {
		return 0, size
	}
	to = min(c.part.to, size)
	return min(c.part.from, to), to
}

// regain ends a gap of a buffer: what stayed in use is compared, what was lent is lost,
// and the step writes all of it again.
func (r *round) regain(c check) error {
	if from, to := c.within(r.holds[c.buffer].size); from < to {
		if err := r.compare(c); err != nil {
			return err
		}
	}
	return r.put(c.buffer)
}

// shrink gives the end of a buffer back, and the counts that lie there.
func (r *round) shrink(k shrink) error {
	b := &r.seq.Buffers[k.buffer]
	elements, err := r.at.Eval(k.to.Count)
	if err != nil {
		return err
	}
	w := &r.holds[k.buffer]
	if elem := uint64(r.seq.Types[b.Type].Size); elements < w.size/elem {
		w.size = elements * elem
		w.cells = slices.DeleteFunc(slices.Clone(w.cells), func(c Cell) bool { return !w.holds(c) })
	}
	return nil
}
