package trace

import (
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/internal/hostsize"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Config says what to record.
type Config struct {
	Calls       int    // batches begin until there are so many allocations and frees
	Least, Most uint64 // events of a batch, drawn
	Streams     int    // each with a batch in flight; which goes on by a step is drawn
	Seed        uint64
}

// recorder writes a trace.
type recorder struct {
	Config
	out      *Trace
	seq      *sequences.Sequence
	plan     *planner.Plan
	draw     play.Drawer
	programs map[uint64]*program // by the events of a batch
	batches  uint64              // that have begun
	event    uint64              // the first of the next batch
}

// program is what the host does in batches of some events.
type program struct {
	*hostsize.Program
	at *planner.Point
}

// batch is a batch in flight.
type batch struct {
	*program
	stream int
	counts []uint64 // by cell
	step   int      // the next
	live   []held   // by slot
}

// Record makes the trace of the dynamic device buffers of a sequence, as an allocator
// sees it that is called where the device program releases and allocates. Sizes are
// those of the buffers, not rounded; a buffer that has no bytes or takes over the
// memory of another is not in the trace. Each step is one Work. At the end of a batch
// the host waits, and frees what is left.
func Record(seq *sequences.Sequence, plan *planner.Plan, c Config) (*Trace, error) {
	if c.Streams < 1 || c.Least > c.Most {
		return nil, fmt.Errorf("trace: %d streams, %d to %d events", c.Streams, c.Least, c.Most)
	}
	r := &recorder{
		Config: c, out: &Trace{Streams: c.Streams}, seq: seq, plan: plan,
		draw:     play.Drawer{Sequence: seq, Seed: c.Seed, Overload: play.Thousand},
		programs: make(map[uint64]*program),
	}
	var flying []*batch
	for s := range c.Streams {
		b, err := r.begin(s)
		if err != nil {
			return nil, err
		}
		flying = append(flying, b)
	}
	for turn := uint64(0); len(flying) > 0; turn++ {
		i := int(splitmix.Hash(c.Seed, turn) % uint64(len(flying)))
		b := flying[i]
		if b.step < len(b.Steps) {
			if err := r.step(b); err != nil {
				return nil, err
			}
			continue
		}
		r.end(b)
		if r.out.Calls() >= c.Calls {
			flying = slices.Delete(flying, i, i+1)
			continue
		}
		var err error
		if flying[i], err = r.begin(b.stream); err != nil {
			return nil, err
		}
	}
	return r.out, nil
}

// begin draws a batch.
func (r *recorder) begin(stream int) (*batch, error) {
	events := r.Least + splitmix.Hash(r.Seed, r.batches)%(r.Most-r.Least+1)
	p, err := r.program(events)
	if err != nil {
		return nil, err
	}
	drawn, err := r.draw.Cells(p.at, r.event, events)
	if err != nil {
		return nil, err
	}
	r.batches++
	r.event += events
	b := &batch{program: p, stream: stream, counts: make([]uint64, len(p.Cells)), live: make([]held, len(r.plan.Layout.Slots))}
	for i, c := range p.Cells {
		for _, d := range drawn[c.Buffer] {
			if d.At == c.Index*c.Width {
				b.counts[i] = d.Value
			}
		}
	}
	return b, nil
}

func (r *recorder) program(events uint64) (*program, error) {
	if p, ok := r.programs[events]; ok {
		return p, nil
	}
	at, params, err := play.At(r.seq, events)
	if err != nil {
		return nil, err
	}
	p, err := hostsize.Compile(r.seq, r.plan, at, params)
	if err != nil {
		return nil, err
	}
	r.programs[events] = &program{p, at}
	return r.programs[events], nil
}

// step does what the host does before a step, and the step.
func (r *recorder) step(b *batch) error {
	step := &b.Steps[b.step]
	for _, word := range step.Releases {
		r.release(b, &b.live[word&^abi.ReleaseSlotOnly]) // which holds nothing if it had taken over
	}
	for i := range step.Allocs {
		a := &step.Allocs[i]
		if a.Flags&(abi.AllocHost|abi.AllocInPlace) != 0 {
			continue
		}
		size, err := a.Run(b.Params, b.counts)
		if err != nil {
			return fmt.Errorf("slot %d: %w", a.Slot, err)
		}
		if size > 0 {
			b.live[a.Slot] = r.out.alloc(b.stream, size)
		}
	}
	if b.step++; b.step < len(b.Steps) {
		r.out.Ops = append(r.out.Ops, Op{Kind: Work, Stream: b.stream})
	}
	return nil
}

func (r *recorder) end(b *batch) {
	r.out.Ops = append(r.out.Ops, Op{Kind: Sync, Stream: b.stream})
	for i := range b.live {
		r.release(b, &b.live[i])
	}
}

func (r *recorder) release(b *batch, h *held) {
	if h.size > 0 {
		r.out.free(b.stream, *h)
		h.size = 0
	}
}
