package planner

import (
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
)

// demand sums up the dynamic buffers of one worker. size returns the size of a
// buffer in bytes, or false if it is not known, which makes the demand unknown
// (nil). Device buffers are rounded up to arenaAlign, as the device does, host
// buffers to the base alignment of the host scope. A buffer that takes over the
// storage of another one takes no memory of its own.
func demand(seq *sequences.Sequence, classes []classified, lives []Interval, arenaAlign uint64, size func(sequences.BufferID) (uint64, bool)) (*Demand, error) {
	var sum, hostSum uint64
	starts := make([][]uint64, len(seq.Steps)+1)
	ends := make([][]uint64, len(seq.Steps)+1)
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		if classes[i].class == Static {
			continue
		}
		bytes, known := size(b.ID)
		if !known {
			return nil, nil
		}
		if b.InPlaceOf != sequences.None {
			continue
		}
		total, align := &sum, arenaAlign
		if b.Scope == sequences.Host {
			total, align = &hostSum, uint64(seq.Host.Align)
		}
		rounded, err := checked.AlignUp(bytes, align)
		if err != nil {
			return nil, err
		}
		if *total, err = checked.Add(*total, rounded); err != nil {
			return nil, err
		}
		if b.Scope == sequences.Device {
			starts[lives[i].First] = append(starts[lives[i].First], rounded)
			ends[lives[i].End] = append(ends[lives[i].End], rounded)
		}
	}
	d := &Demand{Sum: sequences.Bytes(sum), HostSum: sequences.Bytes(hostSum)}
	var live uint64 // never more than sum
	for s := range seq.Steps {
		for _, n := range ends[s] {
			live -= n
		}
		for _, n := range starts[s] {
			live += n
		}
		if sequences.Bytes(live) > d.Peak {
			d.Peak, d.PeakStep = sequences.Bytes(live), sequences.StepID(s)
		}
	}
	return d, nil
}
