package play

import (
	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// ground is what the workers of a run stand on.
type ground struct {
	dev   kernels.Device            // on which the pools and the streams of the workers are made
	open  opener                    // nil if the device places the buffers
	loss  func(align uint64) uint64 // most bytes that a buffer loses to alignment; nil: none
	close func() error              // may be nil
}

func (o *Options) ground(dev *tally.Device) (ground, error) {
	switch {
	case o.source != nil:
		return o.source(dev)
	case o.Dynamic == Stream:
		return streamGround(dev)
	case o.Dynamic == Block:
		return blockGround(dev), nil
	}
	return ground{dev: dev}, nil
}

// limit is what a pool may hold that is to serve as many bytes as an arena: its own
// losses come on top.
func (g *ground) limit(capacity uint64, l *abi.Layout) uint64 {
	if g.loss == nil {
		return capacity
	}
	all, err := checked.Mul(uint64(len(l.Slots)), g.loss(l.ArenaAlign))
	if err == nil {
		all, err = checked.Add(all, capacity)
	}
	if err != nil {
		return capacity
	}
	return all
}
