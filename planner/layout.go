package planner

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
)

// layoutInput is what the layout is made of: the results of the passes before.
type layoutInput struct {
	seq     *sequences.Sequence
	classes []classified
	lives   []Interval
	sizes   []uint64 // by BufferID: the largest size of a static buffer
	waits   []Wait
	pools   [2]packed // by scope
	rules   []uint64  // by BufferID: of a dynamic buffer, see abi.RuleLow
	reuse   bool      // the arena mode
}

// streams reports whether the steps are on several streams.
func (in *layoutInput) streams() bool { return len(in.seq.Streams) > 1 }

// makeLayout fixes every offset. The device pool starts with what the runtime
// itself uses: the control block, the slots, the table of extents, the values of
// the launch-time parameters, the step program, each on cache lines of its own; then
// come the packed buffers, from start on.
func makeLayout(in layoutInput) (l *abi.Layout, start uint64, err error) {
	l = &abi.Layout{Name: in.seq.Name}
	l.Params, l.Batch = launchParams(in.seq)
	l.Slots, l.ArenaAlign, l.Reuse = in.slots(), in.arenaAlign(), in.reuse
	// All of these count things that are in memory here: they cannot overflow.
	l.SlotsOffset = l.ControlOffset + abi.ControlSize
	l.ExtentsOffset = abi.NextLine(l.SlotsOffset + abi.SlotSize*uint64(len(l.Slots)))
	l.ParamsOffset = abi.NextLine(l.ExtentsOffset + abi.ExtentsSize(len(l.Slots)))
	l.ProgramOffset = abi.NextLine(l.ParamsOffset + abi.WordSize*uint64(len(l.Params)))

	// The offsets depend on the length of the program, which does not depend on
	// the offsets: encode it once for the length and again for good.
	if l.Program, err = encodeProgram(in, l, nil); err != nil {
		return nil, 0, err
	}
	reserved := l.ProgramOffset + abi.WordSize*uint64(len(l.Program))
	if start, err = checked.AlignUp(reserved, in.pools[sequences.Device].align); err != nil {
		return nil, 0, err
	}
	offsets, err := in.offsets(start)
	if err != nil {
		return nil, 0, err
	}
	if l.Program, err = encodeProgram(in, l, offsets); err != nil {
		return nil, 0, err
	}
	l.Buffers = in.statics(offsets)
	l.Device, err = region(start, in.pools[sequences.Device], max(abi.ControlAlign, l.ArenaAlign))
	if err != nil {
		return nil, 0, fmt.Errorf("size of the device pool: %w", err)
	}
	l.Host, err = region(0, in.pools[sequences.Host], in.hostAlign())
	if err != nil {
		return nil, 0, fmt.Errorf("size of the host pool: %w", err)
	}
	l.Steps = in.steps()
	return l, start, nil
}

// launchParams are the parameters with a range, and the index of the batch size.
func launchParams(seq *sequences.Sequence) (params []abi.Param, batch int) {
	batch = sequences.None
	for i, p := range seq.Params {
		if p.Fixed() {
			continue
		}
		if sequences.ParamID(i) == seq.Batch {
			batch = len(params)
		}
		params = append(params, abi.Param{Name: p.Name, Min: p.Min, Max: p.Max})
	}
	return params, batch
}

// arenaAlign is the largest alignment of a dynamic device buffer, and at least the
// base alignment.
func (in *layoutInput) arenaAlign() uint64 {
	align := uint64(in.seq.Device.Align)
	for i := range in.seq.Buffers {
		if b := &in.seq.Buffers[i]; b.Scope == sequences.Device && in.classes[i].class == Dynamic {
			align = max(align, uint64(b.Align))
		}
	}
	return align
}

// slots are the dynamic buffers of both scopes in file order.
func (in *layoutInput) slots() (slots []abi.SlotInfo) {
	for i := range in.seq.Buffers {
		b := &in.seq.Buffers[i]
		if in.classes[i].class == Static {
			continue
		}
		slots = append(slots, abi.SlotInfo{
			Name: b.Name, Scope: abiScope(b.Scope), ElemSize: uint64(in.seq.Types[b.Type].Size), Step: int(b.Step),
		})
	}
	return slots
}

// hostAlign is the largest alignment of a dynamic host buffer, at least 1.
func (in *layoutInput) hostAlign() uint64 {
	align := uint64(1)
	for i := range in.seq.Buffers {
		if b := &in.seq.Buffers[i]; b.Scope == sequences.Host {
			align = max(align, uint64(b.Align))
		}
	}
	return align
}

// offsets are the offsets of the static buffers from the bases of their pools,
// by BufferID.
func (in *layoutInput) offsets(start uint64) ([]uint64, error) {
	out := make([]uint64, len(in.seq.Buffers))
	for scope, from := range [2]uint64{sequences.Device: start} {
		pool := &in.pools[scope]
		if _, err := checked.Add(from, pool.Height); err != nil {
			return nil, fmt.Errorf("size of the %s pool: %w", sequences.Scope(scope), err)
		}
		for _, b := range pool.buffers {
			out[b] = from + pool.offsets[b]
		}
	}
	return out, nil
}

func (in *layoutInput) statics(offsets []uint64) []abi.StaticBuffer {
	var out []abi.StaticBuffer
	for i := range in.seq.Buffers {
		b := &in.seq.Buffers[i]
		if in.classes[i].class == Dynamic {
			continue
		}
		out = append(out, abi.StaticBuffer{
			Name: b.Name, Scope: abiScope(b.Scope), Offset: offsets[i], Size: in.sizes[i],
			Align: uint64(b.Align), ElemSize: uint64(in.seq.Types[b.Type].Size),
		})
	}
	return out
}

// steps describes the steps: a wait where one is needed, and whether the device
// program has work.
func (in *layoutInput) steps() []abi.StepInfo {
	out := make([]abi.StepInfo, len(in.seq.Steps))
	for i, s := range in.seq.Steps {
		out[i] = abi.StepInfo{Name: s.Name, Host: s.Host}
	}
	for _, w := range in.waits {
		out[w.Step].Wait = true
	}
	work := stepWork(in)
	for i := range out {
		out[i].Dynamic = len(work[i].releases)+len(work[i].allocs) > 0
	}
	return out
}

// region is the static region of one pool: the reserved bytes and the packing.
func region(start uint64, pool packed, align uint64) (abi.Region, error) {
	r := abi.Region{Align: max(align, pool.align)}
	size, err := checked.Add(start, pool.Height)
	if err == nil {
		r.Size, err = checked.AlignUp(size, r.Align)
	}
	return r, err
}

func abiScope(s sequences.Scope) abi.Scope {
	if s == sequences.Host {
		return abi.ScopeHost
	}
	return abi.ScopeDevice
}
