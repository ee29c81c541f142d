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
	blocks := [2][]block{abi.ScopeDevice: c.areas()}
	roots := map[sequences.BufferID]*block{}
	for i := range c.seq.Buffers {
		b := sequences.BufferID(i)
		at, static := c.static[b]
		if !static {
			continue
		}
		e := &c.layout.Buffers[at]
		if bits.OnesCount64(e.Align) != 1 || e.Align < uint64(c.seq.Buffers[i].Align) {
			c.fault(Misaligned, e.Name, "", -1, "its alignment is %d, it needs %d", e.Align, c.seq.Buffers[i].Align)
		} else if e.Offset%e.Align != 0 {
			c.fault(Misaligned, e.Name, "", -1, "its offset %d is no multiple of %d", e.Offset, e.Align)
		}
		top, ok := c.inside(e.Name, e.Scope, e.Offset, e.Size)
		if !ok {
			continue
		}
		own := block{name: e.Name, offset: e.Offset, top: top, life: c.lives[b]}
		root := roots[c.seq.Buffers[i].InPlaceOf]
		if root == nil {
			roots[b] = &own
			continue
		}
		// One piece of storage, used first by the base and then by this one.
		roots[b] = root
		if root.offset != own.offset {
			c.fault(NotInPlace, e.Name, root.name, own.life.first, "the offsets are %d and %d", own.offset, root.offset)
		}
		root.top = max(root.top, own.top)
		root.life.end = max(root.life.end, own.life.end)
	}
	for i := range c.seq.Buffers {
		b := sequences.BufferID(i)
		if root := roots[b]; root != nil && root.name == c.seq.Buffers[i].Name {
			scope := scopeOf(&c.seq.Buffers[i])
			blocks[scope] = append(blocks[scope], *root)
		}
	}
	for _, list := range blocks {
		for _, hit := range collisions(list, len(c.seq.Steps)) {
			kind := Overlap
			if hit.a.area || hit.b.area {
				kind = Reserved
			}
			c.fault(kind, hit.a.name, hit.b.name, hit.step, "bytes [%d, %d) and [%d, %d)",
				hit.a.offset, hit.a.top, hit.b.offset, hit.b.top)
		}
	}
}

// areas are the parts of the device pool that the runtime itself uses.
func (c *checker) areas() []block {
	l := c.layout
	all := life{0, len(c.seq.Steps)}
	var out []block
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
			out = append(out, block{a.name, true, a.offset, top, all})
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
