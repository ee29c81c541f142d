package blockpool

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// Workspace is the scratch memory of one operator: a block that only ever grows. It
// belongs to one goroutine at a time.
type Workspace struct {
	pool   *Pool
	block  Block
	closed bool
}

// NewWorkspace returns a workspace without memory.
func NewWorkspace(pool *Pool) *Workspace { return &Workspace{pool: pool} }

// Require makes the workspace large enough for size bytes, and returns its address. A
// need that BlockSize rounds to no more than the block has changes nothing, and 0
// needs no block at all. A larger one frees the block and takes a larger one, which
// may lie elsewhere and whose content is undefined; for what uses the old block the
// rule of FreeBlock holds.
//
// After an error, which is one of AllocateBlock, the block is as before, with its
// address and content. Only with Options.Wait the pool may have given the region of
// the block back to the device, and the block then lies elsewhere or is freed: see
// Block.
func (w *Workspace) Require(size uint64) (kernels.Addr, error) {
	if w.closed {
		return 0, fmt.Errorf("workspace: %w", kernels.ErrClosed)
	}
	if w.block.ID != 0 { // somebody may have freed it behind its back
		if _, err := w.pool.Block(w.block.ID); err != nil {
			w.block = Block{}
			return 0, fmt.Errorf("workspace: %w", err)
		}
	}
	if size == 0 {
		return w.block.Address, nil
	}
	need, err := BlockSize(size)
	if err != nil {
		return 0, err
	}
	if need <= w.block.Size {
		return w.block.Address, nil
	}
	if w.block.ID == 0 {
		w.block, err = w.pool.allocate(size)
		return w.block.Address, err
	}
	b, err := w.pool.exchange(w.block.ID, size)
	if err != nil {
		w.block, _ = w.pool.Block(w.block.ID) // no block if it is freed
		return 0, err
	}
	w.block = b
	return b.Address, nil
}

// Size returns the size of the block in bytes, 0 without one.
func (w *Workspace) Size() uint64 { return w.block.Size }

// Block returns the block. Its ID is 0 if there is none.
func (w *Workspace) Block() Block { return w.block }

// Close frees the block. For what uses it the rule of FreeBlock holds.
func (w *Workspace) Close() error {
	if w.closed {
		return fmt.Errorf("workspace: %w", kernels.ErrClosed)
	}
	w.closed = true
	id := w.block.ID
	w.block = Block{}
	if id == 0 {
		return nil
	}
	return w.pool.FreeBlock(id)
}
