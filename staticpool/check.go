package staticpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// ErrLayout marks a layout that contradicts itself.
var ErrLayout = errors.New("invalid layout")

// CapacityError says that a pool has no room for its static region.
type CapacityError struct {
	Pool     string // "device" or "host"
	Need     uint64 // bytes
	Capacity uint64 // bytes
}

// Short returns by how many bytes the capacity falls short.
func (e *CapacityError) Short() uint64 { return e.Need - e.Capacity }

func (e *CapacityError) Error() string {
	return fmt.Sprintf("the %s pool does not fit: its static region needs %d bytes, the capacity is %d, %d short",
		e.Pool, e.Need, e.Capacity, e.Short())
}

func powerOfTwo(v uint64) bool { return v != 0 && v&(v-1) == 0 }

// check makes sure that nothing in a layout leads outside its pool, so that no
// lookup has to.
func check(l *abi.Layout) error {
	if l == nil {
		return fmt.Errorf("%w: there is none", ErrLayout)
	}
	for _, check := range []func(*abi.Layout) error{checkRegions, checkAreas, checkBuffers, checkParams, checkProgram} {
		if err := check(l); err != nil {
			return fmt.Errorf("%w: %w", ErrLayout, err)
		}
	}
	return nil
}

func checkRegions(l *abi.Layout) error {
	for scope, r := range [...]abi.Region{abi.ScopeDevice: l.Device, abi.ScopeHost: l.Host} {
		if !powerOfTwo(r.Align) || r.Size%r.Align != 0 {
			return fmt.Errorf("the %s region has the alignment %d and the size %d", abi.Scope(scope), r.Align, r.Size)
		}
	}
	if !powerOfTwo(l.ArenaAlign) || l.ArenaAlign > l.Device.Align || l.Device.Align < abi.ControlAlign {
		return fmt.Errorf("alignment %d of the device pool, %d of the arena", l.Device.Align, l.ArenaAlign)
	}
	return nil
}

// area is what the runtime itself uses of the device pool.
type area struct {
	name                string
	offset, size, align uint64
}

// areas lists them. Each starts on a line of its own: a device whose caches are not
// coherent flushes whole lines.
func areas(l *abi.Layout) [5]area {
	return [...]area{
		{"the control block", l.ControlOffset, abi.ControlSize, abi.ControlAlign},
		{"the slots", l.SlotsOffset, uint64(len(l.Slots)) * abi.SlotSize, abi.LineSize},
		{"the table of extents", l.ExtentsOffset, abi.ExtentsSize(len(l.Slots)), abi.LineSize},
		{"the parameter values", l.ParamsOffset, uint64(len(l.Params)) * abi.WordSize, abi.LineSize},
		{"the step program", l.ProgramOffset, uint64(len(l.Program)) * abi.WordSize, abi.LineSize},
	}
}

// Reserved names the area of the runtime itself that a range of the device pool
// touches, or returns "". The layout is that of open pools, the range lies inside.
func Reserved(l *abi.Layout, offset, size uint64) string {
	for _, a := range areas(l) {
		if a.overlaps(offset, size) {
			return a.name
		}
	}
	return ""
}

// overlaps tells of two ranges inside the pool whether they share bytes.
func (a area) overlaps(offset, size uint64) bool {
	return a.size > 0 && size > 0 && a.offset < offset+size && offset < a.offset+a.size
}

func checkAreas(l *abi.Layout) error {
	all := areas(l)
	for i, a := range all {
		if !inside(a.offset, a.size, l.Device.Size) || a.offset%a.align != 0 {
			return fmt.Errorf("%s at %d, of %d bytes, aligned to %d", a.name, a.offset, a.size, a.align)
		}
		for _, b := range all[:i] {
			if a.overlaps(b.offset, b.size) {
				return fmt.Errorf("%s at %d overlaps %s at %d", a.name, a.offset, b.name, b.offset)
			}
		}
	}
	return nil
}

func checkBuffers(l *abi.Layout) error {
	for i := range l.Buffers {
		b := &l.Buffers[i]
		region := l.Device
		if b.Scope == abi.ScopeHost {
			region = l.Host
		}
		if !powerOfTwo(b.Align) || b.Offset%b.Align != 0 || b.Align > region.Align || !inside(b.Offset, b.Size, region.Size) {
			return fmt.Errorf("buffer %s at %d of the %s pool, of %d bytes, aligned to %d", b.Name, b.Offset, b.Scope, b.Size, b.Align)
		}
		if b.Scope != abi.ScopeDevice {
			continue
		}
		if taken := Reserved(l, b.Offset, b.Size); taken != "" {
			return fmt.Errorf("buffer %s at %d overlaps %s", b.Name, b.Offset, taken)
		}
	}
	return nil
}

func checkParams(l *abi.Layout) error {
	if l.Batch < -1 || l.Batch >= len(l.Params) {
		return fmt.Errorf("batch parameter %d of %d", l.Batch, len(l.Params))
	}
	for _, p := range l.Params {
		if p.Min > p.Max {
			return fmt.Errorf("parameter %s from %d to %d", p.Name, p.Min, p.Max)
		}
	}
	return nil
}

// checkProgram compares the step program with what the layout says of it.
func checkProgram(l *abi.Layout) error {
	p, err := abi.DecodeProgram(l.Program)
	if err != nil {
		return err
	}
	h := &p.Header
	if h.NumSteps != uint64(len(l.Steps)) || h.NumSlots != uint64(len(l.Slots)) || h.NumParams != uint64(len(l.Params)) ||
		h.SlotsOffset != l.SlotsOffset || h.ParamsOffset != l.ParamsOffset || h.ExtentsOffset != l.ExtentsOffset {
		return errors.New("the step program belongs to another layout")
	}
	for i, s := range p.Steps {
		switch {
		case i == len(l.Steps):
			if len(s.Allocs) > 0 {
				return errors.New("the end step allocates")
			}
		case len(s.Allocs)+len(s.Releases) > 0 && !l.Steps[i].Dynamic:
			return fmt.Errorf("step %d allocates or releases, but is not dynamic", i)
		}
		for _, a := range s.Allocs {
			info := &l.Slots[a.Slot]
			if info.Step != i || (info.Scope == abi.ScopeHost) != (a.Flags&abi.AllocHost != 0) {
				return fmt.Errorf("slot %s of step %d in the %s pool is allocated otherwise at step %d", info.Name, info.Step, info.Scope, i)
			}
		}
	}
	return nil
}

func inside(offset, size, limit uint64) bool {
	end, err := checked.Add(offset, size)
	return err == nil && end <= limit
}
