package play

import (
	"math"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

var grid = kernels.Grid{Blocks: 1, Threads: 1}

// write fills a buffer with the pattern of this round and stores its counts.
func (r *round) write(b sequences.BufferID) error {
	w := written{seed: mix(mix(r.opts.Seed^r.serial) + uint64(b)), cells: r.cells[b]}
	plan := &r.plan.Buffers[b]
	if plan.Class == planner.Dynamic {
		w.size = math.MaxUint64 // the device knows
	} else {
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
		return r.fill(r.pool.Base(), r.place(b), w)
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
	if err := r.fill(r.staging, kernels.StaticPlace(0), w); err != nil {
		return err
	}
	return r.stream.CopyToHost(mem, r.staging)
}

// compare checks that a buffer still holds what was written.
func (r *round) compare(c check) error {
	b := c.buffer
	w := r.holds[b]
	plan := &r.plan.Buffers[b]
	if plan.Scope == sequences.Device {
		return r.check(r.pool.Base(), r.place(b), w, c)
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
	if err := r.stream.CopyToDevice(r.staging, mem); err != nil {
		return err
	}
	return r.check(r.staging, kernels.StaticPlace(0), w, c)
}

// fill enqueues the pattern and the counts of one buffer.
func (r *round) fill(base kernels.Addr, place kernels.Place, w written) error {
	slots := r.plan.Layout.SlotsOffset
	err := r.stream.Launch(r.kernel.fill, grid, kernels.Args{uint64(base), slots, uint64(place), 0, w.size, w.seed})
	for _, c := range w.cells {
		if err == nil {
			err = r.stream.Launch(r.kernel.store, grid, kernels.Args{uint64(base), slots, uint64(place), c.at, c.width, c.value})
		}
	}
	return err
}

// check enqueues the comparison of one buffer, around its counts and with them.
func (r *round) check(base kernels.Addr, place kernels.Place, w written, c check) error {
	slots := r.plan.Layout.SlotsOffset
	report := uint64(r.reports) + uint64(len(r.pending))*kernels.CheckReportSize
	r.pending = append(r.pending, c)
	from := uint64(0)
	for _, cell := range w.cells {
		err := r.stream.Launch(r.kernel.check, grid, kernels.Args{uint64(base), slots, uint64(place), from, cell.at, w.seed, report})
		if err == nil {
			err = r.stream.Launch(r.kernel.checkValue, grid, kernels.Args{uint64(base), slots, uint64(place), cell.at, cell.width, cell.value, report})
		}
		if err != nil {
			return err
		}
		from = cell.at + cell.width
	}
	return r.stream.Launch(r.kernel.check, grid, kernels.Args{uint64(base), slots, uint64(place), from, w.size, w.seed, report})
}

func (r *round) place(b sequences.BufferID) kernels.Place {
	if plan := &r.plan.Buffers[b]; plan.Class == planner.Static {
		return kernels.StaticPlace(uint64(plan.Offset))
	}
	return kernels.SlotPlace(uint64(r.plan.Buffers[b].Slot))
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
	r.result.HostHigh = max(r.result.HostHigh, bytes)
}

// compareBytes does to host memory what the kernel Check does to device memory.
func compareBytes(mem []byte, seed uint64) kernels.CheckReport {
	var r kernels.CheckReport
	kernels.ComparePattern(mem, 0, seed, &r)
	return r
}
