package dynpool

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/staticpool"
)

// Mark enqueues to store the cursor of the arena in the 8 bytes at an offset of the
// pool, in a batch that is under way. What kernels take by themselves after it,
// with seqplan_alloc, Release gives back. The stream is that of the batch, or one
// that is ordered with it by events. An offset that is no place for a word is
// kernels.ErrOutOfBounds.
func (p *Pool) Mark(stream kernels.Stream, at abi.Offset) error {
	return p.marked(stream, kernels.Mark, at)
}

// Release enqueues to move the cursor back to what Mark has stored. If a buffer of
// the program was placed since and is still held, the batch fails with ErrProgram.
// Where the cursor is below already it does nothing.
func (p *Pool) Release(stream kernels.Stream, at abi.Offset) error {
	return p.marked(stream, kernels.Release, at)
}

func (p *Pool) marked(stream kernels.Stream, name string, at abi.Offset) error {
	if err := p.usable(stream); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	word := span{"the mark", uint64(at), abi.WordSize, abi.WordSize}
	if err := p.writable(word); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	l := p.Layout()
	return p.launch(stream, name, oneBlock, kernels.Args{uint64(p.Base()), l.ControlOffset, l.ProgramOffset, uint64(at)})
}

// usable reports why nothing can be enqueued in the batch under way.
func (p *Pool) usable(stream kernels.Stream) error {
	switch {
	case stream == nil:
		return fmt.Errorf("no stream: %w", kernels.ErrForeign)
	case !p.batch.running:
		return ErrEnded
	}
	return nil
}

// launch launches a kernel that not every pool needs.
func (p *Pool) launch(stream kernels.Stream, name string, grid kernels.Grid, args kernels.Args) error {
	k := p.others[name]
	if k == nil {
		var err error
		if k, err = p.Device().Kernel(name); err != nil {
			return err
		}
		p.others[name] = k
	}
	return stream.Launch(k, grid, args)
}

// span is a range of the device pool that a caller has named.
type span struct {
	what                string
	offset, size, align uint64
}

// readable checks that a span lies in the pool.
func (p *Pool) readable(s span) error {
	end, err := checked.Add(s.offset, s.size)
	if err != nil || end > p.size() || s.offset%s.align != 0 {
		return fmt.Errorf("%s, %d bytes at %d of the device pool, aligned to %d: %w", s.what, s.size, s.offset, s.align, kernels.ErrOutOfBounds)
	}
	return nil
}

// writable checks that a span lies in the pool and holds nothing of the runtime.
func (p *Pool) writable(s span) error {
	if err := p.readable(s); err != nil {
		return err
	}
	if taken := staticpool.Reserved(p.Layout(), s.offset, s.size); taken != "" {
		return fmt.Errorf("%s, %d bytes at %d of the device pool, lies in %s: %w", s.what, s.size, s.offset, taken, kernels.ErrOutOfBounds)
	}
	return nil
}

func (s span) overlaps(t span) bool {
	return s.size > 0 && t.size > 0 && s.offset < t.offset+t.size && t.offset < s.offset+s.size
}
