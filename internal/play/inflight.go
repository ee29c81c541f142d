package play

import (
	"slices"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// flight is a copy between host memory and the device that is queued, and may
// run at any time until the host waits.
type flight struct {
	buffer sequences.BufferID
	mem    span
	write  bool // into host memory
}

// span is a range of bytes, of the host pool or of a buffer.
type span struct{ from, to uint64 }

func (s span) overlaps(t span) bool { return s.from < t.to && t.from < s.to }

func (r *round) hostSpan(b sequences.BufferID) span {
	from := uint64(r.plan.Buffers[b].Offset)
	return span{from, from + r.holds[b].size}
}

// launch notes that the device will use a static host buffer.
func (r *round) launch(b sequences.BufferID, write bool) {
	r.flights = append(r.flights, flight{b, r.hostSpan(b), write})
}

// landing reports whether the device has yet to write a static host buffer. A
// barrier, or a pointer into the buffer, keeps its memory and does not read it, so
// the host need not wait for that.
func (r *round) landing(c check) bool {
	if c.why != planner.UseBarrier && c.why != planner.UseView {
		return false
	}
	return slices.ContainsFunc(r.flights, func(f flight) bool { return f.buffer == c.buffer && f.write })
}

// touch notes that the host uses a static host buffer now. Memory that the device
// may still be using for another buffer is a fault of the plan even where no byte
// is lost this time; so is the buffer itself, if the device has yet to write it.
func (r *round) touch(c check, write bool) {
	mem := r.hostSpan(c.buffer)
	for _, f := range r.flights {
		race := f.buffer != c.buffer && (f.write || write) || f.buffer == c.buffer && f.write
		if race && f.mem.overlaps(mem) {
			r.note(check{buffer: f.buffer, step: c.step, why: planner.UseInFlight, of: r.plan.Buffers[c.buffer].Name},
				kernels.CheckReport{Mismatches: min(f.mem.to, mem.to) - max(f.mem.from, mem.from)})
		}
	}
}
