package play

import (
	"errors"
	"slices"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// player is what one worker needs; what one pass needs lies in round.
type player struct {
	*game
	pool   *dynpool.Pool
	stream *lanes
	behind *behind
	memory memory // of the dynamic buffers

	staging []kernels.Addr     // by stream: device memory for host-scope buffers
	reports kernels.Addr       // one CheckReport per check
	landed  kernels.HostMemory // where the reports come back

	kept  map[sequences.BufferID]written // what persistent buffers hold
	last  struct{ first, count uint64 }  // the events of the round before
	try   uint64                         // how often they were played before this round
	batch int                            // that the round belongs to
	found Result                         // what the checks of this worker found
}

// written says what the bytes of a buffer are.
type written struct {
	seed, size uint64 // a size that only the device knows is unknown
	cells      []Cell
}

// holds reports whether a count lies inside, as far as the host knows.
func (w *written) holds(c Cell) bool { return c.Width <= w.size && c.At <= w.size-c.Width }

func (p *player) open(dev kernels.Device) (err error) {
	for _, size := range p.stages() {
		a, err := dev.Alloc(size)
		if err != nil {
			return err
		}
		p.staging = append(p.staging, a)
	}
	size := uint64(p.checks+len(p.seq.Buffers)+1) * kernels.CheckReportSize
	if p.reports, err = dev.Alloc(size); err != nil {
		return err
	}
	if p.landed, err = dev.AllocHost(size); err != nil {
		return err
	}
	return p.preset()
}

// stages returns how many bytes each stream needs to work on host-scope buffers, at
// least one. Streams share none, since that would put their work in order.
func (p *player) stages() []uint64 {
	out := slices.Repeat([]uint64{1}, len(p.stream.all))
	for s, script := range p.scripts {
		stream := 0
		if s < len(p.plan.Steps) {
			if p.plan.Steps[s].Host {
				continue // the host works in place
			}
			stream = p.plan.Steps[s].Stream
		}
		for _, b := range script.buffers() {
			if plan := &p.plan.Buffers[b]; plan.Scope == sequences.Host && plan.Class == planner.Static {
				out[stream] = max(out[stream], uint64(plan.Max))
			}
		}
	}
	return out
}

// preset fills the persistent buffers, so that the first batch finds something in
// them, whichever worker plays it.
func (p *player) preset() error {
	for i := range p.seq.Buffers {
		if !p.seq.Buffers[i].Keep {
			continue
		}
		b, plan := sequences.BufferID(i), &p.plan.Buffers[i]
		w := written{seed: splitmix.Hash(p.opts.Seed, uint64(b)), size: uint64(plan.Max)}
		p.kept[b] = w
		if plan.Scope == sequences.Host {
			kernels.FillPattern(p.pool.HostBytes(abi.HostOffset(plan.Offset), w.size), 0, w.seed)
			continue
		}
		where, _ := p.target(b) // what persists is static
		if err := p.fill(where, w, Grid(w.size)); err != nil {
			return err
		}
	}
	return p.stream.Synchronize()
}

func (p *player) close(dev kernels.Device) error {
	var errs []error
	if p.landed != nil {
		errs = append(errs, p.landed.Free())
	}
	for _, a := range append(p.staging, p.reports) {
		if a != 0 {
			errs = append(errs, dev.Free(a))
		}
	}
	return errors.Join(errs...)
}
