package blockpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// exchange frees a block and allocates a larger one, of which the memory of the old
// one can be a part. Nobody gets in between, so that nothing is lost: after an error
// the old block is as before. With Options.Wait it may also lie elsewhere then, or, if
// the device does not give again what it has just taken back, be freed.
func (p *Pool) exchange(old ID, size uint64) (Block, error) {
	need, err := BlockSize(size)
	if err != nil {
		return Block{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	e, err := p.find(old, ErrFreed)
	if err != nil {
		return Block{}, err
	}
	p.now++
	got, err := p.swap(e, need, p.now, 0, false)
	if p.mayWait(need, err) {
		got, err = p.waitAndSwap(old, need)
	}
	if err != nil {
		return Block{}, askedFor(err, size)
	}
	p.stats.Frees++
	return p.newBlock(got, need, size), nil
}

// waitAndSwap is swap after a wait, which covers the work that uses the old block: it
// was queued before.
func (p *Pool) waitAndSwap(old ID, need uint64) (*piece, error) {
	before, given, err := p.await()
	if err != nil {
		return nil, err
	}
	e, err := p.find(old, ErrFreed) // the lock was free meanwhile
	if err != nil {
		return nil, err
	}
	return p.swap(e, need, before, given, true)
}

// swap frees a block and finds need bytes, or else puts the block back. freed is as
// in put, given as in obtain. After a wait the region of the block may go back to the device, if it holds
// nothing else.
func (p *Pool) swap(e *piece, need, freed, given uint64, waited bool) (*piece, error) {
	block, addr, size := e.Val, e.Addr, e.Size
	p.unuse(block)
	hole := p.put(e, freed)
	got, err := p.obtain(need, given)
	if err == nil {
		return got, nil
	}
	if waited && errors.Is(err, kernels.ErrOutOfMemory) && idle(hole) && hole.Val.freed <= freed && need-hole.Size <= p.room() {
		if refused := p.dropRegion(hole); refused != nil {
			return nil, p.again(block, refused)
		}
		return p.replace(block, need)
	}
	p.restore(hole, addr, size, block)
	return nil, err
}

// replace finds need bytes, or else as many as a block had that is gone.
func (p *Pool) replace(block state, need uint64) (*piece, error) {
	got, err := p.obtain(need, 0)
	if err == nil {
		return got, nil
	}
	return nil, p.again(block, err)
}

// again finds memory for a block whose memory is gone, and returns the error that it is
// given, with more if there is none.
func (p *Pool) again(block state, err error) error {
	e, lost := p.obtain(block.size, 0)
	if lost != nil {
		p.stats.Frees++
		return errors.Join(err, fmt.Errorf("block %d is freed: %w", block.id, askedFor(lost, block.requested)))
	}
	p.use(e, block)
	return err
}

// restore makes the size bytes at addr the block again that they were, before they
// became part of a free piece.
func (p *Pool) restore(hole *piece, addr kernels.Addr, size uint64, block state) {
	p.remove(hole)
	e := hole
	if before := uint64(addr - hole.Addr); before > 0 {
		e = p.space.Split(hole, before)
		e.Val = hole.Val
		p.insert(hole)
	}
	if e.Size > size {
		p.split(e, size)
	}
	p.use(e, block)
}
