package pack

import (
	"errors"
	"fmt"
	"math/bits"
)

// ErrInvalid marks a problem that no packer accepts: an empty lifetime, an
// alignment that is no power of two, a gap outside of its buffer, an index out of
// range.
var ErrInvalid = errors.New("invalid packing problem")

func (p Problem) validate() error {
	for i := range p.Buffers {
		if err := p.Buffers[i].validate(); err != nil {
			return fmt.Errorf("%w: buffer %d %w", ErrInvalid, i, err)
		}
	}
	grouped := make([]bool, len(p.Buffers))
	for g, group := range p.InPlace {
		for _, i := range group {
			if i < 0 || i >= len(p.Buffers) {
				return fmt.Errorf("%w: group %d has the buffer %d of %d", ErrInvalid, g, i, len(p.Buffers))
			}
			if grouped[i] {
				return fmt.Errorf("%w: buffer %d is in two groups, or twice in one", ErrInvalid, i)
			}
			grouped[i] = true
		}
	}
	for _, pair := range p.Excluded {
		for _, i := range pair {
			if i < 0 || i >= len(p.Buffers) {
				return fmt.Errorf("%w: an excluded pair has the buffer %d of %d", ErrInvalid, i, len(p.Buffers))
			}
		}
		if pair[0] == pair[1] {
			return fmt.Errorf("%w: buffer %d excludes itself", ErrInvalid, pair[0])
		}
	}
	return nil
}

func (b *Buffer) validate() error {
	if b.End <= b.First {
		return fmt.Errorf("has the lifetime [%d, %d)", b.First, b.End)
	}
	if bits.OnesCount64(b.Align) != 1 {
		return fmt.Errorf("has the alignment %d", b.Align)
	}
	from := b.First
	for _, g := range b.Gaps {
		if g.First < from || g.End <= g.First || g.End > b.End {
			return fmt.Errorf("with the lifetime [%d, %d) has the gap [%d, %d) behind step %d", b.First, b.End, g.First, g.End, from)
		}
		if g.Low > g.High || g.High > b.Size {
			return fmt.Errorf("of %d bytes has a gap with the bytes [%d, %d) in use", b.Size, g.Low, g.High)
		}
		from = g.End
	}
	return nil
}

// plain reports whether a problem is one of rectangles with an alignment.
func (p Problem) plain() bool {
	if len(p.InPlace) > 0 || len(p.Excluded) > 0 {
		return false
	}
	for i := range p.Buffers {
		if len(p.Buffers[i].Gaps) > 0 || p.Buffers[i].Offset != nil {
			return false
		}
	}
	return true
}
