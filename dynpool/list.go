package dynpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// List is a list of buffers whose sizes a kernel has left in the pool. Everything
// but Work is aligned to 8 bytes.
type List struct {
	Sizes abi.Offset // Limit sizes in bytes, each a uint64
	Out   abi.Offset // Limit slots to write, each an abi.Slot
	Count abi.Offset // how many there are, a uint64
	Limit uint64     // the most; a higher count is the failure ErrCount
	Work  abi.Offset // kernels.ListWorkSize(Limit) bytes to work with, aligned to 64
}

// ErrOverlap: two areas that must be apart share bytes.
var ErrOverlap = errors.New("areas overlap")

// AllocList enqueues to place a list of buffers at the cursor of the arena, in order
// and by the rules of all allocations, in a batch that is under way. Its kernels use
// many blocks, so that a long list is placed faster than by a step. The buffers
// live until the end of the batch, or until Release moves the cursor below them.
//
// An area that is not inside the pool, or that the runtime uses itself, is
// kernels.ErrOutOfBounds; Out and Work must overlap no other area.
func (p *Pool) AllocList(stream kernels.Stream, list List) error {
	if err := p.usable(stream); err != nil {
		return fmt.Errorf("list: %w", err)
	}
	if err := p.checkList(list); err != nil {
		return fmt.Errorf("list: %w", err)
	}
	args := kernels.Args{
		uint64(p.Base()), p.Layout().ControlOffset,
		uint64(list.Sizes), uint64(list.Out), uint64(list.Count), list.Limit, uint64(list.Work),
	}
	chunks := list.Limit / kernels.ListChunk
	if list.Limit%kernels.ListChunk != 0 || chunks == 0 {
		chunks++
	}
	grid := kernels.Grid{Blocks: uint32(min(chunks, maxListBlocks)), Threads: listThreads}
	err := p.launch(stream, kernels.ListSum, grid, args)
	if err == nil {
		err = p.launch(stream, kernels.ListScan, kernels.Grid{Blocks: 1, Threads: listThreads}, args)
	}
	if err == nil {
		err = p.launch(stream, kernels.ListPlace, grid, args)
	}
	return err
}

// The grid of a list: a block for each chunk, up to what fills a large device. The
// kernels loop over the rest.
const (
	listThreads   = 256
	maxListBlocks = 1024
)

func (p *Pool) checkList(list List) error {
	sizes, err := checked.Mul(list.Limit, abi.WordSize)
	if err != nil {
		return fmt.Errorf("%d entries: %w", list.Limit, kernels.ErrOutOfBounds)
	}
	slots, err := checked.Mul(list.Limit, abi.SlotSize)
	if err != nil {
		return fmt.Errorf("%d entries: %w", list.Limit, kernels.ErrOutOfBounds)
	}
	read := []span{
		{"the sizes", uint64(list.Sizes), sizes, abi.WordSize},
		{"the length", uint64(list.Count), abi.WordSize, abi.WordSize},
	}
	written := []span{
		{"the slots", uint64(list.Out), slots, abi.WordSize},
		{"the work area", uint64(list.Work), kernels.ListWorkSize(list.Limit), abi.LineSize},
	}
	for _, s := range read {
		if err := p.readable(s); err != nil {
			return err
		}
	}
	for i, s := range written {
		if err := p.writable(s); err != nil {
			return err
		}
		for _, t := range append(written[:i:i], read...) {
			if s.overlaps(t) {
				return fmt.Errorf("%s at %d and %s at %d: %w", s.what, s.offset, t.what, t.offset, ErrOverlap)
			}
		}
	}
	return nil
}
