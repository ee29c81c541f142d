package play

import (
	"fmt"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
)

// Options choose what to play. Capacity, and all that follows from it, is of one
// worker.
type Options struct {
	Batches  int    // of all workers together
	Events   uint64 // events per batch; 0: the largest batch of the plan
	Seed     uint64
	Overload uint64 // factor on the drawn counts, in thousandths; 0 means 1000
	Capacity uint64 // bytes of the whole device pool; 0: see the function Capacity
	Workers  int    // that play at the same time, each with pools and streams of its own; 0 means 1
	Dynamic  Dynamic
	Fail     uint32 // how many of 1000 batches fail by injection; only in the arena
	Mode     Mode   // of the arena

	source func(*tally.Device) (ground, error) // for tests, in place of a pool
}

// Result is what happened.
type Result struct {
	Device      string             `json:"device"` // back end and name
	Workers     int                `json:"workers"`
	Streams     []string           `json:"streams,omitempty"` // of each worker, if there are several: the names that the plan gives them
	Edges       int                `json:"edges,omitempty"`   // how often in a pass one of them waits for another
	Dynamic     Dynamic            `json:"dynamic"`           // who places the dynamic device buffers
	Mode        Mode               `json:"mode"`              // of the arena: bump or reuse; plan if there is none
	Batches     int                `json:"batches"`           // batches that were asked for and played
	Capacity    uint64             `json:"capacity"`          // bytes of the device pool of one worker
	Arena       uint64             `json:"arena"`             // bytes of it that the dynamic buffers share
	Stats       dynpool.SplitStats `json:"stats"`
	Fail        uint32             `json:"fail"`               // as in the options
	Injected    uint64             `json:"injected"`           // passes that failed by injection
	Waits       uint64             `json:"waits"`              // times that a pass waited for the device
	Lost        uint64             `json:"lost"`               // events that were neither played nor reported
	Twice       uint64             `json:"twice"`              // events that were played more than once
	HighWater   uint64             `json:"high_water"`         // of the arena, or of the pools in use, bytes
	Reserved    uint64             `json:"reserved"`           // most bytes that a worker held for dynamic buffers
	Allocations uint64             `json:"driver_allocations"` // of device memory, for the static region and the dynamic buffers
	HostHigh    uint64             `json:"host_high_water"`    // largest dynamic host memory of a batch, bytes
	Checks      uint64             `json:"checks"`             // comparisons of a buffer with its pattern
	Checked     uint64             `json:"checked_bytes"`      // bytes compared
	Mismatches  uint64             `json:"mismatches"`         // comparisons that failed
	Corrupted   []Corruption       `json:"corrupted"`          // the first of them, at most MaxCorruptions
}

// MaxCorruptions is how many corruptions a Result lists.
const MaxCorruptions = 100

// Corruption is a buffer whose bytes were not what its step wrote.
type Corruption struct {
	Buffer   string          `json:"buffer"`
	Step     int             `json:"step"`      // where it was found
	StepName string          `json:"step_name"` // "end" at the end of the batch
	Why      planner.UseKind `json:"why"`       // the use that needed the bytes
	Of       string          `json:"of,omitempty"`
	Batch    int             `json:"batch"`
	Bytes    uint64          `json:"bytes"`          // that differ
	Gone     bool            `json:"gone,omitempty"` // it was not placed, and nothing was compared
	At       uint64          `json:"at"`             // offset in the buffer of the first word that differs
	Want     uint64          `json:"want"`
	Got      uint64          `json:"got"`
}

func (c Corruption) String() string {
	of := ""
	if c.Of != "" {
		of = " of " + c.Of
	}
	at := fmt.Sprintf("at step %d (%s), needed for %s%s", c.Step, c.StepName, c.Why, of)
	if c.Gone {
		return fmt.Sprintf("batch %d: buffer %s is not placed %s", c.Batch, c.Buffer, at)
	}
	return fmt.Sprintf("batch %d: buffer %s is corrupt %s: %d bytes differ, first at %d: want %#x, got %#x",
		c.Batch, c.Buffer, at, c.Bytes, c.At, c.Want, c.Got)
}

// note adds the outcome of one check.
func (p *player) note(c check, r kernels.CheckReport) {
	p.found.Checks++
	p.found.Checked += r.Checked
	if r.Mismatches == 0 && r.Unplaced == 0 {
		return
	}
	p.found.Mismatches++
	if len(p.found.Corrupted) == MaxCorruptions {
		return
	}
	name := "end"
	if int(c.step) < len(p.plan.Steps) {
		name = p.plan.Steps[c.step].Name
	}
	p.found.Corrupted = append(p.found.Corrupted, Corruption{
		Buffer: p.plan.Buffers[c.buffer].Name, Step: int(c.step), StepName: name, Why: c.why, Of: c.of,
		Batch: p.batch, Bytes: r.Mismatches, Gone: r.Unplaced > 0, At: r.FirstAt, Want: r.Want, Got: r.Got,
	})
}
