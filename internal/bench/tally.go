package bench

import "github.com/seqplan/seqplan/internal/tally"

// Tally counts what a host asks of a device.
type Tally = tally.Tally
