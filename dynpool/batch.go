package dynpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

// Batch is one pass over the sequence. It is done with End, whatever happened.
type Batch struct {
	pool    *Pool
	stream  kernels.Stream
	next    int // the step that comes next
	running bool
	slots   []abi.Slot // as last read back
	failed  error      // the first of Step
}

// Status is what came back at the end of a batch.
type Status struct {
	abi.DeviceLine
	// Slots by SlotID, valid until the next Begin. A buffer that the program has
	// released has its size still and the offset abi.NotPlaced.
	Slots []abi.Slot
}

// Begin starts a batch in a stream, with the values of the launch-time parameters
// in the order of the layout. It waits for nothing. A value outside its range is
// a *RangeError, a batch that has not ended ErrBusy. The Batch is valid until the
// next Begin.
func (p *Pool) Begin(stream kernels.Stream, params ...uint64) (*Batch, error) {
	switch {
	case stream == nil:
		return nil, fmt.Errorf("begin: no stream: %w", kernels.ErrForeign)
	case p.batch.running:
		return nil, fmt.Errorf("begin: %w", ErrBusy)
	case p.landing == nil:
		return nil, fmt.Errorf("begin: pool: %w", kernels.ErrClosed)
	}
	l := p.Layout()
	if len(params) != len(l.Params) {
		return nil, fmt.Errorf("%w: %d given, %d needed", ErrParams, len(params), len(l.Params))
	}
	for i, v := range params {
		if q := &l.Params[i]; v < q.Min || v > q.Max {
			return nil, &RangeError{Param: q.Name, Value: v, Min: q.Min, Max: q.Max}
		}
	}
	flags := p.faults.begin() // before the batch is under way: Choose may panic
	p.epoch++
	b := &p.batch
	b.stream, b.next, b.running, b.failed = stream, 0, true, nil
	p.hosts.reset()
	if err := b.start(flags, params); err != nil {
		b.running = false
		// What is queued reads the landing area, which the next batch writes.
		return nil, errors.Join(err, b.wait())
	}
	return b, nil
}

func (b *Batch) start(flags uint64, params []uint64) error {
	p, l := b.pool, b.pool.Layout()
	if p.reuse {
		flags |= abi.FlagReuse
	}
	abi.HostLine{
		Magic: abi.Magic, Flags: flags, ArenaStart: p.ArenaStart(), ArenaCapacity: p.ArenaCapacity(), ArenaAlign: l.ArenaAlign,
		Epoch: p.epoch, NumSlots: uint64(len(l.Slots)), PlanHash: l.PlanHash,
	}.Put(p.hostLine())
	if err := b.stream.CopyToDevice(p.Base()+kernels.Addr(l.ControlOffset), p.hostLine()); err != nil {
		return err
	}
	if len(params) > 0 {
		abi.PutWords(p.paramValues(), params)
		if err := b.stream.CopyToDevice(p.Base()+kernels.Addr(l.ParamsOffset), p.paramValues()); err != nil {
			return err
		}
	}
	return b.stream.Launch(p.reset, oneBlock, kernels.Args{uint64(p.Base()), l.ControlOffset, l.ProgramOffset})
}

var oneBlock = kernels.Grid{Blocks: 1, Threads: 1}

// Step enqueues what the device does before a step: it places the dynamic buffers
// that the step writes. Steps come in order, each once; the kernels of a step are
// launched after its Step, in the same stream. Before a step that needs it
// (abi.StepInfo.Wait) Step waits for the stream, places the dynamic host buffers
// whose size is known, and returns the error of the batch if there is one.
func (b *Batch) Step(step abi.StepID) error {
	l := b.pool.Layout()
	switch {
	case !b.running:
		return ErrEnded
	case int(step) != b.next || b.next >= len(l.Steps):
		return fmt.Errorf("%w: step %d after %d of %d", ErrOrder, step, b.next, len(l.Steps))
	}
	b.next++
	err := b.step(step)
	if b.failed == nil {
		b.failed = err
	}
	return err
}

func (b *Batch) step(step abi.StepID) error {
	info := &b.pool.Layout().Steps[step]
	if info.Dynamic {
		if err := b.launch(uint64(step)); err != nil {
			return err
		}
	}
	if !info.Wait {
		return nil
	}
	line, err := b.read()
	if err != nil {
		return err
	}
	if err := b.pool.failure(line); err != nil {
		return err
	}
	return b.pool.hosts.place(b.slots, b.next)
}

// wait waits for the stream.
func (b *Batch) wait() error {
	b.pool.counters.synced()
	return b.stream.Synchronize()
}

func (b *Batch) launch(step uint64) error {
	p, l := b.pool, b.pool.Layout()
	return b.stream.Launch(p.step, oneBlock, kernels.Args{uint64(p.Base()), l.ControlOffset, l.ProgramOffset, step})
}

// read brings line 1 and the slots back and waits for them.
func (b *Batch) read() (abi.DeviceLine, error) {
	p, l := b.pool, b.pool.Layout()
	err := b.stream.CopyToHost(p.deviceLine(), p.Base()+kernels.Addr(l.ControlOffset+abi.LineSize))
	if err == nil && len(l.Slots) > 0 {
		err = b.stream.CopyToHost(p.slotTable(), p.Base()+kernels.Addr(l.SlotsOffset))
	}
	// Also after an error: queued copies must not outlive the batch.
	if err = errors.Join(err, b.wait()); err != nil {
		return abi.DeviceLine{}, err
	}
	for i := range b.slots {
		b.slots[i] = abi.ReadSlot(p.slotTable()[i*abi.SlotSize:])
	}
	return abi.ReadDeviceLine(p.deviceLine()), nil
}

// End ends the batch: it enqueues the end step, reads the status and waits. This
// is the one wait of a sequence without waits inside. The error says what did not
// fit: see ErrExhausted, ErrCount, ErrArithmetic, ErrProgram; other errors are
// those of the stream. A batch may end before its last step.
func (b *Batch) End() (Status, error) {
	if !b.running {
		return Status{}, ErrEnded
	}
	b.running = false
	p := b.pool
	status, err := b.end()
	first := b.failed
	if first == nil {
		first = err
	}
	injected := p.injected(status.DeviceLine)
	p.counters.ended(status.DeviceLine, p.hosts.placed, injected, first)
	p.faults.end(injected)
	return status, err
}

func (b *Batch) end() (Status, error) {
	launched := b.launch(uint64(len(b.pool.Layout().Steps)))
	line, err := b.read()
	if err = errors.Join(launched, err); err != nil {
		return Status{}, err
	}
	status := Status{line, b.slots}
	if err := b.pool.failure(line); err != nil {
		return status, err
	}
	if line.EpochDone != b.pool.epoch {
		return status, fmt.Errorf("%w: batch %d did not reach its end", ErrProgram, b.pool.epoch)
	}
	return status, b.pool.hosts.place(b.slots, b.next)
}

// HostSlot returns the memory of a dynamic host buffer, or nil while it is not
// placed. It is placed at the end of the batch, or at a wait before it, and stays
// valid until the next Begin.
func (b *Batch) HostSlot(slot abi.SlotID) []byte { return b.pool.hosts.bytes(slot) }
