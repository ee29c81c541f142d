package verify

import "github.com/seqplan/seqplan/sequences"

// races checks that the host waits where it must. Between two waits the host and
// the device run apart: a host step may then touch neither what a device step
// wrote or was using, nor a slot that the device fills.
func (c *checker) races() {
	waited := sequences.StepID(-1) // the step before which the host last waited
	for i := range c.seq.Steps {
		s := sequences.StepID(i)
		if c.layout.Steps[i].Wait {
			waited = s
		}
		step := &c.seq.Steps[i]
		if !step.Host {
			continue
		}
		for _, b := range step.Reads {
			if c.seq.Buffers[b].Scope == sequences.Device && (waited < 0 || c.byDevice(b) && c.seq.Buffers[b].Step >= waited) {
				c.fault(Race, c.seq.Buffers[b].Name, "", i, "the host reads device memory without a wait")
			}
		}
		for _, b := range c.pointedTo(step.Reads) {
			buffer := &c.seq.Buffers[b]
			if c.dynamic[b] && buffer.Step > waited {
				c.fault(Race, buffer.Name, "", i, "the host reads it before its slot is known")
			} else if buffer.Scope == sequences.Host && c.byDevice(b) && buffer.Step >= waited {
				c.fault(Race, buffer.Name, "", i, "the host reads what the device wrote without a wait")
			}
		}
		for _, b := range append(append([]sequences.BufferID{}, step.Writes...), step.Scratch...) {
			buffer := &c.seq.Buffers[b]
			if c.dynamic[b] && waited < s {
				c.fault(Race, buffer.Name, "", i, "the host writes it before its slot is known")
			}
			if buffer.InPlaceOf != sequences.None && buffer.Scope == sequences.Host && c.busy(buffer.InPlaceOf, max(0, int(waited)), i) {
				c.fault(Race, buffer.Name, c.seq.Buffers[buffer.InPlaceOf].Name, i, "the host overwrites what the device is using")
			}
		}
	}
}

// byDevice reports whether a device step writes a buffer.
func (c *checker) byDevice(b sequences.BufferID) bool {
	s := c.seq.Buffers[b].Step
	return s != sequences.None && !c.seq.Steps[s].Host
}

// busy reports whether a device step in [from, to) uses a buffer.
func (c *checker) busy(b sequences.BufferID, from, to int) bool {
	for s := from; s < to; s++ {
		if c.seq.Steps[s].Host {
			continue
		}
		for _, u := range c.pointedTo(used(c.seq, &c.seq.Steps[s])) {
			if u == b {
				return true
			}
		}
	}
	return false
}

// pointedTo returns the buffers of a list and all they hold pointers into.
func (c *checker) pointedTo(list []sequences.BufferID) []sequences.BufferID {
	seen := map[sequences.BufferID]bool{}
	var out []sequences.BufferID
	var visit func(b sequences.BufferID)
	visit = func(b sequences.BufferID) {
		if !seen[b] {
			seen[b] = true
			out = append(out, b)
			for _, v := range c.seq.Buffers[b].Views {
				visit(v)
			}
		}
	}
	for _, b := range list {
		visit(b)
	}
	return out
}
