package planner

import (
	"path"
	"slices"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// describe fills the part of a plan that people read.
func (f *facts) describe(p *Plan, in layoutInput, start uint64) {
	seq := f.seq
	p.Name, p.Workers = seq.Name, seq.Workers
	if seq.File != "" {
		p.Source = path.Base(seq.File)
	}
	// In JSON an empty list is [], not null.
	p.Params, p.Counts, p.Buffers, p.Steps = []Param{}, []Count{}, []Buffer{}, []Step{}
	p.Waits = append([]Wait{}, f.waits...)
	for _, q := range seq.Params {
		p.Params = append(p.Params, Param{Name: q.Name, Min: q.Min, Max: q.Max})
	}
	if seq.Batch != sequences.None {
		p.Batch = seq.Params[seq.Batch].Name
	}
	for scope, pool := range in.pools {
		p.Pools = append(p.Pools, f.describePool(sequences.Scope(scope), pool, p, start))
		p.Packings = append(p.Packings, pool.packing(len(seq.Buffers)))
	}
	for i := range seq.Counts {
		p.Counts = append(p.Counts, f.describeCount(sequences.CountID(i)))
	}
	slot, static := 0, 0 // the next entries of the layout, which has file order too
	for i := range seq.Buffers {
		b := f.describeBuffer(sequences.BufferID(i), in.lives[i])
		b.Lent = in.pools[b.Scope].lent(&seq.Buffers[i], b.Class)
		if b.Class == Dynamic {
			b.Slot = slot
			slot++
		} else {
			b.Offset = sequences.Bytes(p.Layout.Buffers[static].Offset)
			static++
			pool := &p.Pools[b.Scope]
			if b.Hint != nil {
				b.HintKept = b.Offset-pool.Reserved == *b.Hint
				pool.Hints++
			}
			if b.HintKept {
				pool.HintsKept++
			}
		}
		p.Buffers = append(p.Buffers, b)
	}
	after := findAfter(seq, p.Layout.Steps, edgesOf(p.Added))
	for i, s := range seq.Steps {
		p.Steps = append(p.Steps, Step{
			Name: s.Name, Host: s.Host,
			Reads: bufferNames(seq, s.Reads), Writes: bufferNames(seq, slices.Concat(s.Writes, s.Scratch)),
			Stream: int(s.Stream), After: after[i],
		})
	}
	if len(seq.Streams) > 1 {
		p.Streams = slices.Clone(seq.Streams)
	}
}

func (f *facts) describePool(scope sequences.Scope, packed packed, p *Plan, start uint64) Pool {
	seq := f.seq
	region, reserved := p.Layout.Device, start
	if scope == sequences.Host {
		region, reserved = p.Layout.Host, 0
	}
	out := Pool{
		Scope: scope, Align: sequences.Bytes(region.Align), Reserved: sequences.Bytes(reserved),
		Size: sequences.Bytes(region.Size), Height: sequences.Bytes(packed.Height),
		LowerBound: sequences.Bytes(packed.Bound.Bytes), Optimal: packed.Status == pack.Optimal,
		Method: packed.Method, Nodes: packed.Nodes, PeakStep: sequences.StepID(packed.Bound.First),
		Capacity: seq.Scope(scope).Capacity,
	}
	switch kind := packed.Bound.Kind; {
	case packed.set.bytes > 0 && packed.set.bytes == packed.Bound.Bytes:
		out.BoundBy = BoundByOrder
	case kind != pack.MaxLive:
		out.BoundBy = kind.String()
	}
	u := packed.units
	if packed.bounded != nil {
		u = packed.bounded
	}
	live, err := pack.LowerBound(u.Problem)
	if err == nil && out.BoundBy != "" {
		if live.Bytes == packed.Bound.Bytes {
			out.BoundBy = ""
		}
		out.PeakStep = sequences.StepID(live.First)
	}
	if packed.set.bytes > live.Bytes {
		out.AtPeak, out.Padding = f.alive(u.setOf(packed.set))
	} else {
		out.AtPeak, out.Padding = f.alive(u.at(uint64(out.PeakStep)))
	}
	if len(seq.Streams) > 1 {
		out.Reuse, out.Apart, out.Could = seq.Scope(scope).Reuse.String(), len(packed.apart()), packed.could
	}
	return out
}

func (f *facts) describeCount(id sequences.CountID) Count {
	c := &f.seq.Counts[id]
	figures := f.bounds.counts[id]
	out := Count{Name: c.Name, At: f.seq.Buffers[c.At].Name, Typical: figures.typical}
	if figures.max.ok {
		out.Max = &figures.max.Hi
	}
	return out
}

func (f *facts) describeBuffer(id sequences.BufferID, lifetime Interval) Buffer {
	b := &f.seq.Buffers[id]
	t := &f.seq.Types[b.Type]
	size := f.bounds.sizes[id]
	out := Buffer{
		Name: b.Name, Class: f.classes[id].class, Scope: b.Scope, Kind: b.Kind,
		Type: t.Name, ElemSize: t.Size, Count: b.CountText, Step: b.Step, Align: b.Align,
		Lifetime: lifetime, Uses: f.lives[id].uses,
		Max: sequences.Bytes(size.max), Proof: size.proof, ProofAt: size.at, Slot: -1,
		DrivenBy: countNames(f.seq, f.classes[id].drivenBy),
	}
	if size.typical != nil {
		typical := sequences.Bytes(*size.typical)
		out.Typical = &typical
	}
	if b.InPlaceOf != sequences.None {
		out.InPlaceOf = f.seq.Buffers[b.InPlaceOf].Name
	}
	out.FixedOffset, out.Hint = b.Offset, b.Hint
	return out
}
