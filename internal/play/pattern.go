package play

import (
	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// write fills a buffer with the pattern of this round and stores its counts.
func (r *round) write(b sequences.BufferID) error {
	w := written{seed: splitmix.Hash(r.seed, uint64(b)), cells: r.cells[b]}
	plan := &r.plan.Buffers[b]
	switch {
	case plan.Class == planner.Dynamic:
		w.size = unknown
	case r.seq.Buffers[b].Keep:
		w.size = uint64(plan.Max) // all that persists, whatever the size of the next batch
	default:
		var err error
		if w.size, err = r.at.Bytes(b); err != nil {
			return err
		}
	}
	r.holds[b] = w
	if r.seq.Buffers[b].Keep {
		r.kept[b] = w
	}
	if plan.Scope == sequences.Device {
		return r.fill(r.pool.Base(), r.place(b), w, r.grid(b))
	}
	if plan.Class == planner.Dynamic {
		if r.host {
			r.fillHostSlot(b)
		}
		return nil // else when the host has placed it
	}
	mem := r.hostBytes(b)
	if r.host {
		r.touch(check{b, r.step, planner.UseWrite, ""}, true)
		kernels.FillPattern(mem, 0, w.seed)
		return nil
	}
	r.launch(b, true)
	if err := r.fill(r.staging, kernels.StaticPlace(0), w, Grid(w.size)); err != nil {
		return err
	}
	if len(mem) == 0 {
		return nil
	}
	return r.stream.CopyToHost(mem, r.staging)
}

// compare checks that a buffer still holds what was written.
func (r *round) compare(c check) error {
	b := c.buffer
	w := r.holds[b]
	plan := &r.plan.Buffers[b]
	if plan.Scope == sequences.Device {
		return r.check(r.pool.Base(), r.place(b), w, c, r.grid(b))
	}
	if plan.Class == planner.Dynamic {
		if r.host && r.fillHostSlot(b) {
			r.note(c, compareBytes(r.batch.HostSlot(abi.SlotID(plan.Slot)), w.seed))
		}
		return nil // a device step cannot use it, since it is placed at the end
	}
	mem := r.hostBytes(b)
	if r.host {
		if !r.landing(c) {
			r.touch(c, false)
			r.note(c, compareBytes(mem, w.seed))
		}
		return nil
	}
	r.launch(b, false)
	if len(mem) > 0 {
		if err := r.stream.CopyToDevice(r.staging, mem); err != nil {
			return err
		}
	}
	return r.check(r.staging, kernels.StaticPlace(0), w, c, Grid(w.size))
}

// fill enqueues the pattern and the counts of one buffer.
func (p *player) fill(base kernels.Addr, place kernels.Place, w written, grid kernels.Grid) error {
	slots := p.plan.Layout.SlotsOffset
	err := p.stream.Launch(p.kernel.fill, grid, kernels.Args{uint64(base), slots, uint64(place), 0, w.size, w.seed})
	for _, c := range w.cells {
		if err == nil {
			err = p.stream.Launch(p.kernel.store, one, kernels.Args{uint64(base), slots, uint64(place), c.At, c.Width, c.Value})
		}
	}
	return err
}

// check enqueues the comparison of one buffer, around its counts and with them.
func (r *round) check(base kernels.Addr, place kernels.Place, w written, c check, grid kernels.Grid) error {
	slots := r.plan.Layout.SlotsOffset
	report := uint64(r.reports) + uint64(len(r.pending))*kernels.CheckReportSize
	r.pending = append(r.pending, c)
	from := uint64(0)
	for _, cell := range w.cells {
		err := r.stream.Launch(r.kernel.check, grid, kernels.Args{uint64(base), slots, uint64(place), from, cell.At, w.seed, report})
		if err == nil {
			err = r.stream.Launch(r.kernel.checkValue, one, kernels.Args{uint64(base), slots, uint64(place), cell.At, cell.Width, cell.Value, report})
		}
		if err != nil {
			return err
		}
		from = cell.At + cell.Width
	}
	return r.stream.Launch(r.kernel.check, grid, kernels.Args{uint64(base), slots, uint64(place), from, w.size, w.seed, report})
}

func (p *player) place(b sequences.BufferID) kernels.Place {
	if plan := &p.plan.Buffers[b]; plan.Class == planner.Static {
		return kernels.StaticPlace(uint64(plan.Offset))
	}
	return kernels.SlotPlace(uint64(p.plan.Buffers[b].Slot))
}

// grid is that of a device buffer. The size of a dynamic one is not known here, but
// about what it is.
func (r *round) grid(b sequences.BufferID) kernels.Grid {
	plan := &r.plan.Buffers[b]
	switch {
	case plan.Class == planner.Static:
		return Grid(r.holds[b].size)
	case plan.Typical != nil:
		return Grid(uint64(*plan.Typical))
	case plan.Max > 0:
		return Grid(uint64(plan.Max))
	}
	return Grid(unknown)
}

// hostBytes is the memory of a static host buffer, as much of it as this batch uses.
func (r *round) hostBytes(b sequences.BufferID) []byte {
	return r.pool.HostBytes(abi.HostOffset(r.plan.Buffers[b].Offset), r.holds[b].size)
}

// fillHostSlot fills a dynamic host buffer once it is placed. It reports whether
// it had been filled before.
func (r *round) fillHostSlot(b sequences.BufferID) bool {
	if r.placed[b] {
		return true
	}
	for base := b; base != sequences.None; base = sequences.BufferID(r.seq.Buffers[base].InPlaceOf) {
		r.placed[base] = true // what had the memory before is gone
	}
	kernels.FillPattern(r.batch.HostSlot(abi.SlotID(r.plan.Buffers[b].Slot)), 0, r.holds[b].seed)
	return false
}

// hostSlots fills the dynamic host buffers that were placed at the end of the
// batch, and then checks them, without those whose memory was taken over.
func (r *round) hostSlots() {
	var buffers []sequences.BufferID
	for i := range r.plan.Buffers {
		b, plan := sequences.BufferID(i), &r.plan.Buffers[i]
		if plan.Scope == sequences.Host && plan.Class == planner.Dynamic && !r.taken[b] {
			buffers = append(buffers, b)
			r.fillHostSlot(b)
		}
	}
	var bytes uint64
	end := sequences.StepID(len(r.seq.Steps))
	for _, b := range buffers {
		mem := r.batch.HostSlot(abi.SlotID(r.plan.Buffers[b].Slot))
		bytes += uint64(len(mem))
		r.note(check{b, end, planner.UseOutput, ""}, compareBytes(mem, r.holds[b].seed))
	}
	r.found.HostHigh = max(r.found.HostHigh, bytes)
}

// compareBytes does to host memory what the kernel Check does to device memory.
func compareBytes(mem []byte, seed uint64) kernels.CheckReport {
	var r kernels.CheckReport
	kernels.ComparePattern(mem, 0, seed, &r)
	return r
}
