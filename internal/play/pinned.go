package play

import (
	"errors"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/checked"
)

// pinned is host memory for the dynamic host buffers of one batch after the other. It
// grows by pieces, since what was taken must not move.
type pinned struct {
	dev    kernels.Device
	align  uint64
	pieces []kernels.HostMemory
	used   uint64 // bytes of the last piece
}

// firstPiece is the smallest piece in bytes.
const firstPiece = 1 << 16

// reset makes the last piece free. Those before it are smaller, and stay.
func (p *pinned) reset() { p.used = 0 }

// take returns size bytes, with room up to the next multiple of the alignment. They
// are not nil, also where there are none.
func (p *pinned) take(size uint64) ([]byte, error) {
	rounded, err := checked.AlignUp(size, p.align)
	if err != nil {
		return nil, err
	}
	if rounded == 0 {
		return []byte{}, nil
	}
	if len(p.pieces) == 0 || rounded > p.last()-p.used {
		grown := max(rounded, firstPiece)
		if len(p.pieces) > 0 {
			grown = max(grown, 2*p.last()) // in memory: no overflow
		}
		piece, err := kernels.AllocHostAligned(p.dev, grown, p.align)
		if err != nil {
			return nil, err
		}
		p.pieces, p.used = append(p.pieces, piece), 0
	}
	mem := p.pieces[len(p.pieces)-1].Bytes()[p.used:][:size:rounded]
	p.used += rounded
	return mem, nil
}

func (p *pinned) last() uint64 { return uint64(len(p.pieces[len(p.pieces)-1].Bytes())) }

func (p *pinned) close() error {
	var errs []error
	for _, m := range p.pieces {
		errs = append(errs, m.Free())
	}
	p.pieces = nil
	return errors.Join(errs...)
}
