package play

import (
	"math/bits"
	"slices"

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
		if plan.Scope == sequences.Device {
			where, _ := r.target(b)
			w.size = where.size
		}
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
	return r.put(b)
}

// put fills a buffer with what it is to hold.
func (r *round) put(b sequences.BufferID) error {
	w := r.holds[b]
	plan := &r.plan.Buffers[b]
	if plan.Scope == sequences.Device {
		where, ok := r.target(b)
		if !ok {
			return nil
		}
		return r.fill(where, w, r.grid(b))
	}
	if plan.Class == planner.Dynamic {
		if r.host {
			r.fillHostSlot(b)
		}
		return nil // else when the host has placed it
	}
	mem := r.hostBytes(b)
	if r.host {
		r.touch(check{buffer: b, step: r.step, why: planner.UseWrite}, true)
		kernels.FillPattern(mem, 0, w.seed)
		return nil
	}
	r.launch(b, true)
	if err := r.fill(r.stage(w), w, Grid(w.size)); err != nil {
		return err
	}
	if len(mem) == 0 {
		return nil
	}
	return r.stream.CopyToHost(mem, r.stage(w).base)
}

// compare checks that a buffer still holds what was written.
func (r *round) compare(c check) error {
	b := c.buffer
	w := r.holds[b]
	plan := &r.plan.Buffers[b]
	if plan.Scope == sequences.Device {
		where, ok := r.target(b)
		if !ok {
			r.pending = append(r.pending, launched{c, true})
			return nil
		}
		return r.check(where, w, c, r.grid(b))
	}
	if plan.Class == planner.Dynamic {
		if r.host && r.fillHostSlot(b) {
			r.note(c, compareBytes(r.memory.hostSlot(abi.SlotID(plan.Slot)), 0, w.seed))
		}
		return nil // a device step cannot use it, since it is placed at the end
	}
	mem := r.hostBytes(b)
	if r.host {
		if !r.landing(c) {
			r.touch(c, false)
			from, to := c.within(uint64(len(mem)))
			r.note(c, compareBytes(mem[from:to], from, w.seed))
		}
		return nil
	}
	r.launch(b, false)
	if len(mem) > 0 {
		if err := r.stream.CopyToDevice(r.stage(w).base, mem); err != nil {
			return err
		}
	}
	return r.check(r.stage(w), w, c, Grid(w.size))
}

// fill enqueues the pattern and the counts of one buffer.
func (p *player) fill(to target, w written, grid kernels.Grid) error {
	slots := p.plan.Layout.SlotsOffset
	err := p.stream.Launch(p.kernel.fill, grid, kernels.Args{uint64(to.base), slots, uint64(to.place), 0, w.size, w.seed})
	for _, c := range w.cells {
		if err == nil && w.holds(c) {
			err = p.stream.Launch(p.kernel.store, one, kernels.Args{uint64(to.base), slots, uint64(to.place), c.At, c.Width, c.Value})
		}
	}
	return err
}

// check enqueues the comparison of one buffer, around its counts and with them. A
// count outside of the buffer is missing, as the kernels find of a slot.
func (r *round) check(in target, w written, c check, grid kernels.Grid) error {
	slots := r.plan.Layout.SlotsOffset
	report := uint64(r.reports) + uint64(len(r.pending))*kernels.CheckReportSize
	missing := slices.ContainsFunc(w.cells, func(c Cell) bool { return !w.holds(c) })
	r.pending = append(r.pending, launched{c, missing})
	from, to := c.within(w.size)
	for _, cell := range w.cells {
		if !w.holds(cell) || cell.At >= to {
			break // from low to high
		}
		end := cell.At + cell.Width
		if end > to {
			to = cell.At
			break
		}
		if cell.At < from {
			from = max(from, end)
			continue
		}
		err := r.stream.Launch(r.kernel.check, grid, kernels.Args{uint64(in.base), slots, uint64(in.place), from, cell.At, w.seed, report})
		if err == nil {
			err = r.stream.Launch(r.kernel.checkValue, one, kernels.Args{uint64(in.base), slots, uint64(in.place), cell.At, cell.Width, cell.Value, report})
		}
		if err != nil {
			return err
		}
		from = end
	}
	return r.stream.Launch(r.kernel.check, grid, kernels.Args{uint64(in.base), slots, uint64(in.place), from, max(from, to), w.seed, report})
}

// target is where a device buffer lies, or false if the host knows that it has no
// memory.
func (p *player) target(b sequences.BufferID) (target, bool) {
	plan := &p.plan.Buffers[b]
	if plan.Class == planner.Dynamic {
		return p.memory.find(abi.SlotID(plan.Slot))
	}
	return target{p.pool.Base(), kernels.StaticPlace(uint64(plan.Offset)), uint64(plan.Max)}, true
}

// stage is where a static host buffer lies while the device works on it.
func (p *player) stage(w written) target {
	return target{p.staging[p.stream.now], kernels.StaticPlace(0), w.size}
}

// grid is that of a device buffer. The size of one that the device places is not known
// here, but about what it is: its share of that in the largest batch.
func (r *round) grid(b sequences.BufferID) kernels.Grid {
	plan := &r.plan.Buffers[b]
	about := uint64(plan.Max)
	switch {
	case r.holds[b].size != unknown:
		return Grid(r.holds[b].size)
	case plan.Typical != nil:
		about = uint64(*plan.Typical)
	case about == 0:
		return Grid(unknown)
	}
	if r.seq.Batch != sequences.None {
		high, low := bits.Mul64(about, r.events)
		about, _ = bits.Div64(high, low, r.seq.Params[r.seq.Batch].Max) // at least as many events
	}
	return Grid(about)
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
	kernels.FillPattern(r.memory.hostSlot(abi.SlotID(r.plan.Buffers[b].Slot)), 0, r.holds[b].seed)
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
		mem := r.memory.hostSlot(abi.SlotID(r.plan.Buffers[b].Slot))
		bytes += uint64(len(mem))
		r.note(check{buffer: b, step: end, why: planner.UseOutput}, compareBytes(mem, 0, r.holds[b].seed))
	}
	r.found.HostHigh = max(r.found.HostHigh, bytes)
}

// compareBytes does to host memory what the kernel Check does to device memory.
func compareBytes(mem []byte, at, seed uint64) kernels.CheckReport {
	var r kernels.CheckReport
	kernels.ComparePattern(mem, at, seed, &r)
	return r
}
