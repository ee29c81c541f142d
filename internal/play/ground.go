package play

import (
	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
)

// ground is what the workers of a run stand on.
type ground struct {
	dev   kernels.Device // on which the pools and the streams of the workers are made
	open  opener         // nil if the device places the buffers
	close func() error   // may be nil
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
