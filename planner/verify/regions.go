package verify

import (
	"math/bits"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
)

// regions checks that the bases of the pools are aligned for everything in them.
func (c *checker) regions() {
	need := [2]uint64{abi.ScopeDevice: abi.ControlAlign, abi.ScopeHost: 1}
	var arena uint64 = 1
	for i := range c.seq.Buffers {
		b := &c.seq.Buffers[i]
		scope := scopeOf(b)
		need[scope] = max(need[scope], uint64(b.Align))
		if c.dynamic[i] && scope == abi.ScopeDevice {
			arena = max(arena, uint64(b.Align))
		}
	}
	need[abi.ScopeDevice] = max(need[abi.ScopeDevice], c.layout.ArenaAlign)
	if a := c.layout.ArenaAlign; bits.OnesCount64(a) != 1 || a < arena {
		c.fault(Misaligned, "arena", "", -1, "its alignment is %d, the dynamic buffers need %d", a, arena)
	}
	for scope, r := range []abi.Region{c.layout.Device, c.layout.Host} {
		name := abi.Scope(scope).String() + " pool"
		switch {
		case bits.OnesCount64(r.Align) != 1 || r.Align < need[scope]:
			c.fault(Misaligned, name, "", -1, "its alignment is %d, its content needs %d", r.Align, need[scope])
		case r.Size%r.Align != 0:
			c.fault(Misaligned, name, "", -1, "its size %d is no multiple of its alignment %d", r.Size, r.Align)
		}
	}
}

func scopeOf(b *sequences.Buffer) abi.Scope {
	if b.Scope == sequences.Host {
		return abi.ScopeHost
	}
	return abi.ScopeDevice
}

// placements checks where the static buffers and the reserved areas are.
func (c *checker) placements() {
	areas := c.areas()
	for i, a := range areas {
		for _, b := range areas[:i] {
			c.apart(a, b)
		}
	}
	var blocks [2][]*block
	start := [2]uint64{abi.ScopeDevice: c.start(areas)}
	for i := range c.seq.Buffers {
		b := sequences.BufferID(i)
		at, static := c.static[b]
		if !static {
			continue
		}
		buffer, e := &c.seq.Buffers[i], &c.layout.Buffers[at]
		if bits.OnesCount64(e.Align) != 1 || e.Align < uint64(buffer.Align) {
			c.fault(Misaligned, e.Name, "", -1, "its alignment is %d, it needs %d", e.Align, buffer.Align)
		} else if e.Offset%e.Align != 0 {
			c.fault(Misaligned, e.Name, "", -1, "its offset %d is no multiple of %d", e.Offset, e.Align)
		}
		if buffer.Offset != nil && e.Offset-start[e.Scope] != uint64(*buffer.Offset) {
			c.fault(Moved, e.Name, "", -1, "its offset is %d, not %d from %d on", e.Offset, *buffer.Offset, start[e.Scope])
		}
		top, ok := c.inside(e.Name, e.Scope, e.Offset, e.Size)
		if !ok {
			continue
		}
		if e.Scope == abi.ScopeDevice {
			for _, a := range areas {
				c.apart(a, area{e.Name, e.Offset, top})
			}
		}
		if base, taken := c.static[buffer.InPlaceOf]; taken && c.layout.Buffers[base].Offset != e.Offset {
			c.fault(NotInPlace, e.Name, c.layout.Buffers[base].Name, int(buffer.Step), "the offsets are %d and %d", e.Offset, c.layout.Buffers[base].Offset)
		}
		blocks[e.Scope] = append(blocks[e.Scope], c.blocks(b, e.Offset, top)...)
	}
	c.overlaps(sequences.Device, blocks[abi.ScopeDevice])
	c.overlaps(sequences.Host, blocks[abi.ScopeHost])
}

// area is a part of the device pool.
type area struct {
	name        string
	offset, top uint64
}

// apart checks that an area and something else share no byte.
func (c *checker) apart(a, b area) {
	if a.offset < b.top && b.offset < a.top {
		c.fault(Reserved, a.name, b.name, -1, "bytes [%d, %d) and [%d, %d)", a.offset, a.top, b.offset, b.top)
	}
}

// start is where the static device buffers start: behind the areas, on a multiple of
// what any of them is aligned to.
func (c *checker) start(areas []area) uint64 {
	align, end := uint64(c.seq.Device.Align), uint64(0)
	for b := range c.static {
		if c.seq.Buffers[b].Scope == sequences.Device {
			align = max(align, uint64(c.seq.Buffers[b].Align))
		}
	}
	for _, a := range areas {
		end = max(end, a.top)
	}
	return (end + align - 1) / align * align
}

// areas are the parts of the device pool that the runtime itself uses.
func (c *checker) areas() []area {
	l := c.layout
	var out []area
	for _, a := range []struct {
		name                string
		offset, size, align uint64
	}{
		{"control block", l.ControlOffset, abi.ControlSize, abi.ControlAlign},
		{"slot table", l.SlotsOffset, abi.SlotSize * uint64(len(l.Slots)), abi.LineSize},
		{"table of extents", l.ExtentsOffset, abi.ExtentsSize(len(l.Slots)), abi.LineSize},
		{"parameter values", l.ParamsOffset, abi.WordSize * uint64(len(l.Params)), abi.LineSize},
		{"step program", l.ProgramOffset, abi.WordSize * uint64(len(l.Program)), abi.LineSize},
	} {
		if a.offset%a.align != 0 {
			c.fault(Misaligned, a.name, "", -1, "its offset %d is no multiple of %d", a.offset, a.align)
		}
		if top, ok := c.inside(a.name, abi.ScopeDevice, a.offset, a.size); ok {
			out = append(out, area{a.name, a.offset, top})
		}
	}
	return out
}

// inside checks that bytes lie in the static region of a scope and returns
// their end.
func (c *checker) inside(name string, scope abi.Scope, offset, size uint64) (top uint64, ok bool) {
	region := c.layout.Device
	if scope == abi.ScopeHost {
		region = c.layout.Host
	}
	top, err := checked.Add(offset, size)
	if err != nil || top > region.Size {
		c.fault(OutOfPool, name, "", -1, "bytes [%d, %d+%d) in a region of %d", offset, offset, size, region.Size)
		return 0, false
	}
	return top, true
}
