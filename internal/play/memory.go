package play

import (
	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
)

// memory places the dynamic buffers of one worker, batch by batch.
type memory interface {
	// begin starts a batch of some events, at its point and with the values of the
	// launch-time parameters there.
	begin(events uint64, at *planner.Point, launch []uint64) error
	// step does what comes before a step. An error that is dynpool.ErrExhausted says
	// that a smaller batch may fit.
	step(abi.StepID) error
	// end ends a batch that has begun, whatever happened, and waits for the stream.
	end() error
	// find returns where a device buffer lies, or false if the host knows that it has
	// no memory.
	find(abi.SlotID) (target, bool)
	// hostSlot returns the memory of a host buffer once it is placed, else nil. It is
	// valid until the next batch begins.
	hostSlot(abi.SlotID) []byte
	// peaks adds to a result what the host knows of the memory that was held.
	peaks(*Result) error
	// close gives back what is its own. The stream is idle, but not closed.
	close() error
}

// target is what the kernels are told of a buffer.
type target struct {
	base  kernels.Addr
	place kernels.Place
	size  uint64 // bytes, or unknown
}

// arena is the memory in which the device places the buffers.
type arena struct {
	pool   *dynpool.Pool
	stream kernels.Stream
	batch  *dynpool.Batch // the last one
}

func (a *arena) begin(_ uint64, _ *planner.Point, launch []uint64) (err error) {
	a.batch, err = a.pool.Begin(a.stream, launch...)
	return err
}

func (a *arena) step(s abi.StepID) error { return a.batch.Step(s) }

func (a *arena) end() error {
	_, err := a.batch.End()
	return err
}

func (a *arena) find(slot abi.SlotID) (target, bool) {
	return target{a.pool.Base(), kernels.SlotPlace(uint64(slot)), unknown}, true
}

func (a *arena) hostSlot(slot abi.SlotID) []byte { return a.batch.HostSlot(slot) }

// peaks does nothing: the pool has statistics.
func (a *arena) peaks(*Result) error { return nil }

// close does nothing: the arena belongs to the pool.
func (a *arena) close() error { return nil }
