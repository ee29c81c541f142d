package dynpool

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/seqplan/seqplan/kernels/abi"
)

// Stats counts what pools have done since they were opened. What a Runner counts,
// is 0 for a pool that is used alone.
type Stats struct {
	Pools uint64 `json:"pools"` // how many these are the sum of

	Batches  uint64   `json:"batches"` // that have ended, failed ones included
	Failures Failures `json:"failures"`
	Injected uint64   `json:"injected"` // failures of a FaultPlan; they are among the exhausted ones
	Syncs    uint64   `json:"syncs"`    // times that a batch waited for the device

	Runs    uint64 `json:"runs"`    // calls of the function of a Runner, failed ones included
	Events  uint64 `json:"events"`  // events that ran
	Splits  uint64 `json:"splits"`  // times that a range of events was halved
	Retries uint64 `json:"retries"` // times that a range ran again as it was
	Unfit   uint64 `json:"unfit"`   // events that fit no arena even alone

	// The largest of one pool, in bytes.
	Capacity      uint64 `json:"capacity"`        // of the arena
	HighWater     uint64 `json:"high_water"`      // of the arena
	Demand        uint64 `json:"demand"`          // what a batch asked for; saturating
	HostHighWater uint64 `json:"host_high_water"` // dynamic host buffers of a batch

	// What all pools hold together, in bytes.
	DeviceBytes uint64 `json:"device_bytes"`
	HostBytes   uint64 `json:"host_bytes"` // pinned
}

// Failures counts batches by what made them fail first.
type Failures struct {
	Exhausted  uint64 `json:"exhausted"`  // ErrExhausted
	Count      uint64 `json:"count"`      // ErrCount
	Arithmetic uint64 `json:"arithmetic"` // ErrArithmetic
	Program    uint64 `json:"program"`    // ErrProgram
	Other      uint64 `json:"other"`      // what the device or its driver reported
}

// Total returns the number of batches that failed.
func (f Failures) Total() uint64 { return f.Exhausted + f.Count + f.Arithmetic + f.Program + f.Other }

func (f *Failures) add(err error) {
	switch {
	case err == nil:
	case errors.Is(err, ErrExhausted):
		f.Exhausted++
	case errors.Is(err, ErrCount):
		f.Count++
	case errors.Is(err, ErrArithmetic):
		f.Arithmetic++
	case errors.Is(err, ErrProgram):
		f.Program++
	default:
		f.Other++
	}
}

// Add adds the counts of other pools.
func (s *Stats) Add(t Stats) {
	s.Pools += t.Pools
	s.Batches += t.Batches
	s.Failures.Exhausted += t.Failures.Exhausted
	s.Failures.Count += t.Failures.Count
	s.Failures.Arithmetic += t.Failures.Arithmetic
	s.Failures.Program += t.Failures.Program
	s.Failures.Other += t.Failures.Other
	s.Injected += t.Injected
	s.Syncs += t.Syncs
	s.Runs += t.Runs
	s.Events += t.Events
	s.Splits += t.Splits
	s.Retries += t.Retries
	s.Unfit += t.Unfit
	s.Capacity = max(s.Capacity, t.Capacity)
	s.HighWater = max(s.HighWater, t.HighWater)
	s.Demand = max(s.Demand, t.Demand)
	s.HostHighWater = max(s.HostHighWater, t.HostHighWater)
	s.DeviceBytes += t.DeviceBytes
	s.HostBytes += t.HostBytes
}

// Var shows statistics as JSON. It is an expvar.Var:
//
//	expvar.Publish("velo", dynpool.Var(runner.Stats))
//
// This package does not import expvar, because that would add a handler to the HTTP
// server of every program that uses pools.
type Var func() Stats

// String returns the JSON of the statistics of now.
func (v Var) String() string {
	b, err := json.Marshal(v())
	if err != nil {
		return "null" // a struct of integers cannot fail
	}
	return string(b)
}

// counters is the Stats of one pool, which others may read while it works.
type counters struct {
	mu    sync.Mutex
	stats Stats
}

func (c *counters) read() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

func (c *counters) synced() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Syncs++
}

// pinned counts bytes of host memory that a pool has got.
func (c *counters) pinned(bytes uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.HostBytes += bytes
}

// ended counts a batch. Line 1 is zero if it did not come back.
func (c *counters) ended(d abi.DeviceLine, hostBytes uint64, injected bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.stats
	s.Batches++
	s.Failures.add(err)
	if injected {
		s.Injected++
	}
	s.HighWater = max(s.HighWater, d.High)
	s.Demand = max(s.Demand, d.Wanted)
	s.HostHighWater = max(s.HostHighWater, hostBytes)
}

// split counts what the function of a Runner did.
func (c *counters) split(t SplitStats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.stats
	s.Runs += uint64(t.Runs)
	s.Events += t.Events
	s.Splits += uint64(t.Splits)
	s.Retries += uint64(t.Retries)
	s.Unfit += uint64(len(t.Unfit))
}

// Stats returns the statistics of the pool. It may be called at any time, from any
// goroutine.
func (p *Pool) Stats() Stats { return p.counters.read() }
