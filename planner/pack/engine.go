package pack

import (
	"context"
	"fmt"
)

// Effort is how much work the engine may spend.
type Effort uint8

// The efforts. Each is a set of node budgets.
const (
	Normal Effort = iota // some seconds where a problem is hard
	Quick                // a tenth of that
	Max                  // some minutes
	numEfforts
)

func (e Effort) String() string {
	names := [numEfforts]string{"normal", "quick", "max"}
	if e < numEfforts {
		return names[e]
	}
	return "unknown"
}

// ParseEffort reads what String writes of a valid effort.
func ParseEffort(s string) (Effort, error) {
	for e := range numEfforts {
		if e.String() == s {
			return e, nil
		}
	}
	return 0, fmt.Errorf("%q is not quick, normal or max", s)
}

// Progress is what an engine knows while it works.
type Progress struct {
	Bound  uint64 // lower bound, bytes
	Height uint64 // of the best packing so far, bytes; 0 before there is one
	Nodes  uint64 // spent so far
	Doing  string // what runs now
}

// Engine is the packing engine. Its zero value is the normal one.
type Engine struct {
	Effort Effort
	Seed   uint64 // of the random choices
	// Progress is told what is known now and then, from one goroutine at a time;
	// may be nil.
	Progress func(Progress)
}

// Pack implements Packer.
func (e Engine) Pack(ctx context.Context, p Problem) (Result, error) {
	return Greedy().Pack(ctx, p)
}
