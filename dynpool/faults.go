package dynpool

import (
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
)

// FaultPlan says which batches fail on purpose. The device then acts as if the
// arena had no room for one buffer, and the batch ends with an *ExhaustedError
// whose field Injected is set. A batch that fails before it gets there, by itself,
// has its own error, and so has one whose buffer has no room anyway: Injected is
// clear then.
//
// What fails follows from the plan and the FaultPoint alone. So with a Runner the
// same events fail in the same way whatever the number of workers and their speed.
type FaultPlan struct {
	Rate uint32 // how many of 1000 batches fail; all from 1000 on
	Seed uint64

	// Choose, if not nil, takes the place of Rate and Seed: it returns the slot of
	// a device buffer that is to fail, or false. Any other slot fails nothing. A
	// Runner calls it from all its workers at once.
	Choose func(FaultPoint) (abi.SlotID, bool)
}

// FaultPoint is which batch it is.
type FaultPoint struct {
	// First and Count are the events that a Runner has called its function for. On
	// a pool alone they are 0.
	First, Count uint64
	// Batch is the number of the batch, from 1, since the function was called. On a
	// pool alone it counts since the pool was opened, or since the last Run.
	Batch uint64
	// Try is 0 the first time that the function is called for these events. On a
	// pool alone it is 1 for the batch after one that has failed by a fault, and 0
	// for the others. Rate and Seed let only the Try 0 fail: so a single event, or
	// what cannot be halved, runs well when it is tried again.
	Try int
}

// choose returns the slot that is to fail, one of slots.
func (f *FaultPlan) choose(at FaultPoint, slots []abi.SlotID) (abi.SlotID, bool) {
	if f.Choose != nil {
		return f.Choose(at)
	}
	if at.Try > 0 || len(slots) == 0 {
		return 0, false
	}
	var key [32]byte
	abi.PutWords(key[:], []uint64{f.Seed, at.First, at.Count, at.Batch})
	r := rand.New(rand.NewChaCha8(key))
	if r.Uint32N(1000) >= f.Rate {
		return 0, false
	}
	return slots[r.IntN(len(slots))], true
}

// injector applies a FaultPlan to the batches of a pool.
type injector struct {
	plan  *FaultPlan
	slots []abi.SlotID // of device buffers
	point FaultPoint
	ours  bool       // a Runner sets the point
	armed abi.SlotID // what fails in the batch under way; -1 if nothing
}

func newInjector(plan *FaultPlan, l *abi.Layout) injector {
	i := injector{plan: plan, armed: -1}
	if plan == nil {
		return i
	}
	for s := range l.Slots {
		if slot := abi.SlotID(s); l.Slots[s].Scope == abi.ScopeDevice && abi.FaultFlag(slot) != 0 {
			i.slots = append(i.slots, slot)
		}
	}
	return i
}

// aim tells which events the next batches are of.
func (i *injector) aim(first, count uint64, try int) {
	i.point, i.ours = FaultPoint{First: first, Count: count, Try: try}, true
}

// alone is the end of a Run: the next batches are of a pool alone.
func (i *injector) alone() { i.point, i.ours, i.armed = FaultPoint{}, false, -1 }

// begin returns the flag of line 0 for the next batch.
func (i *injector) begin() uint64 {
	i.point.Batch++
	i.armed = -1
	if i.plan == nil {
		return 0
	}
	slot, ok := i.plan.choose(i.point, i.slots)
	if !ok {
		return 0
	}
	if _, ok := slices.BinarySearch(i.slots, slot); !ok {
		return 0
	}
	i.armed = slot
	return abi.FaultFlag(slot)
}

// caused reports whether what failed first is what was made to fail.
func (i *injector) caused(d abi.DeviceLine) bool {
	return i.armed >= 0 && abi.Code(d.Code) == abi.Exhausted && d.FirstFailed == uint64(i.armed)
}

// end takes note of how a batch ended.
func (i *injector) end(injected bool) {
	i.armed = -1
	if i.ours {
		return
	}
	i.point.Try = 0
	if injected {
		i.point.Try = 1
	}
}

// injected reports whether an error is a failure on purpose.
func injected(err error) bool {
	var full *ExhaustedError
	return errors.As(err, &full) && full.Injected
}
