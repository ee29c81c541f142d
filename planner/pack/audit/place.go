package audit

import "github.com/seqplan/seqplan/kernels/checked"

// offsets checks each offset alone, and the height. It tells of which buffers the
// end is known.
func (c *checker) offsets() (sound []bool) {
	sound = make([]bool, len(c.p.Buffers))
	var height uint64
	highest := -1
	for i := range c.p.Buffers {
		b, at := &c.p.Buffers[i], c.r.Offsets[i]
		if at%b.Align != 0 {
			c.fault(Misaligned, i, -1, "the offset %d is not a multiple of the alignment %d", at, b.Align)
		}
		if b.Offset != nil && at != *b.Offset {
			c.fault(Moved, i, -1, "the offset is %d, fixed is %d", at, *b.Offset)
		}
		end, err := checked.Add(at, b.Size)
		if err != nil {
			c.fault(OutOfRange, i, -1, "offset %d and size %d together leave uint64", at, b.Size)
			continue
		}
		sound[i] = true
		if highest < 0 || end > height {
			height, highest = end, i
		}
	}
	if height != c.r.Height {
		c.fault(WrongHeight, highest, -1, "the height is %d, the largest end of a buffer %d", c.r.Height, height)
	}
	if limit := c.p.Capacity; limit != nil && placed(c.r.Status) && height > *limit {
		c.fault(OverCapacity, highest, -1, "it ends at %d, above the capacity %d", height, *limit)
	}
	return sound
}

func (c *checker) inPlace() {
	for _, group := range c.p.InPlace {
		for _, i := range group {
			if at, first := c.r.Offsets[i], c.r.Offsets[group[0]]; at != first {
				c.fault(NotInPlace, group[0], i, "their offsets are %d and %d", first, at)
			}
		}
	}
}

// excluded checks the pairs that may not share a byte at any time.
func (c *checker) excluded() {
	for _, pair := range c.p.Excluded {
		i, j := min(pair[0], pair[1]), max(pair[0], pair[1])
		low := max(c.r.Offsets[i], c.r.Offsets[j])
		high := min(c.r.Offsets[i]+c.p.Buffers[i].Size, c.r.Offsets[j]+c.p.Buffers[j].Size)
		// A buffer of size 0 ends where it starts, one that leaves uint64 before it.
		if low < high {
			c.fault(Excluded, i, j, "both have the bytes [%d, %d)", low, high)
		}
	}
}
