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
	for _, r := range []struct {
		name string
		abi.Region
	}{{"device", l.Device}, {"host", l.Host}} {
		if !powerOfTwo(r.Align) {
			return fmt.Errorf("%w: alignment %d of the %s region is no power of two", ErrLayout, r.Align, r.name)
		}
	}
	if !powerOfTwo(l.ArenaAlign) || l.ArenaAlign > l.Device.Align {
		return fmt.Errorf("%w: arena alignment %d, device pool alignment %d", ErrLayout, l.ArenaAlign, l.Device.Align)
	}
	for _, area := range []struct {
		name                string
		offset, size, align uint64
	}{
		{"control block", l.ControlOffset, abi.ControlSize, abi.ControlAlign},
		{"slots", l.SlotsOffset, uint64(len(l.Slots)) * abi.SlotSize, abi.SlotSize},
		{"parameter values", l.ParamsOffset, uint64(len(l.Params)) * abi.WordSize, abi.WordSize},
		{"step program", l.ProgramOffset, uint64(len(l.Program)) * abi.WordSize, abi.WordSize},
	} {
		if !inside(area.offset, area.size, l.Device.Size) || area.offset%area.align != 0 {
			return fmt.Errorf("%w: %s at %d does not fit", ErrLayout, area.name, area.offset)
		}
	}
	for i := range l.Buffers {
		b := &l.Buffers[i]
		region := l.Device
		if b.Scope == abi.ScopeHost {
			region = l.Host
		}
		if !inside(b.Offset, b.Size, region.Size) || !powerOfTwo(b.Align) || b.Offset%b.Align != 0 || b.Align > region.Align {
			return fmt.Errorf("%w: buffer %s at %d does not fit", ErrLayout, b.Name, b.Offset)
		}
	}
	return checkProgram(l)
}

func checkProgram(l *abi.Layout) error {
	p, err := abi.DecodeProgram(l.Program)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLayout, err)
	}
	h := &p.Header
	if h.NumSteps != uint64(len(l.Steps)) || h.NumSlots != uint64(len(l.Slots)) || h.NumParams != uint64(len(l.Params)) ||
		h.SlotsOffset != l.SlotsOffset || h.ParamsOffset != l.ParamsOffset {
		return fmt.Errorf("%w: the step program belongs to another layout", ErrLayout)
	}
	if l.Batch < -1 || l.Batch >= len(l.Params) {
		return fmt.Errorf("%w: batch parameter %d of %d", ErrLayout, l.Batch, len(l.Params))
	}
	return nil
}

func inside(offset, size, limit uint64) bool {
	end, err := checked.Add(offset, size)
	return err == nil && end <= limit
}
