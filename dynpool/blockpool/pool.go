package blockpool

import (
	"errors"
	"fmt"
	"sync"

	"github.com/seqplan/seqplan/dynpool/internal/extent"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/checked"
)

const (
	// Align is what the address of every block is a multiple of, in bytes.
	Align = 64
	// Quantum is what the size of every block is a multiple of, in bytes.
	Quantum = 32
	// MinBlock is the size of the smallest block in bytes.
	MinBlock = 2 * Quantum
)

// ID names a block. It is unique in the process, above 0, and never used again.
type ID int64

// Block is a piece of device memory that is in use.
type Block struct {
	ID      ID
	Size    uint64 // bytes, as rounded by BlockSize
	Address kernels.Addr
}

// BlockSize returns the size of a block for size > 0 bytes: the next multiple of
// Quantum, plus Quantum.
func BlockSize(size uint64) (uint64, error) {
	if size == 0 {
		return 0, kernels.ErrZeroSize
	}
	rounded, err := checked.AlignUp(size, Quantum)
	if err == nil {
		rounded, err = checked.Add(rounded, Quantum)
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %d bytes asked for: %w", kernels.ErrOutOfMemory, size, err)
	}
	return rounded, nil
}

// Options are the limits of a pool. All sizes are bytes.
type Options struct {
	Size   uint64 // of the first region; 0: none before the first block
	Limit  uint64 // of all regions together; 0: what the device gives
	Expand uint64 // the least size of a further region

	// Wait waits for all work that uses memory of the pool. With it AllocateBlock gives
	// entirely free regions back and takes one in their place: where it needs a further
	// region, and where there are no blocks and the pool has grown. It may use the
	// pool, but not allocate from it.
	Wait func() error
}

func (o *Options) check() error {
	switch {
	case o.Size != 0 && o.Size < MinBlock:
		return fmt.Errorf("block pool: %w: a first region of %d bytes holds no block", ErrOptions, o.Size)
	case o.Limit != 0 && o.Size > o.Limit:
		return fmt.Errorf("block pool: %w: a first region of %d bytes with a limit of %d", ErrOptions, o.Size, o.Limit)
	}
	return nil
}

// state is what a piece of a region is: a block, or free memory, with id 0.
type state struct {
	id        ID
	size      uint64 // of the block; the piece is longer by what aligns the next one
	requested uint64
	freed     uint64 // of free memory: when the last part of it was freed; 0: never used
}

type piece = extent.Extent[state]

// Pool is a block pool on one device. Its methods are safe for concurrent use.
type Pool struct {
	dev  kernels.Device
	opts Options

	mu     sync.Mutex // guards what follows
	closed bool
	space  extent.Space[state] // no two neighbours are free
	free   *extent.Index[state]
	rest   *extent.Index[state] // free memory at the end of a region
	live   table
	ids    ids
	now    uint64 // how often something was freed
	grew   bool   // since its regions were last united when there were no blocks
	stats  Stats
}

// New makes a pool, and allocates its first region. The base addresses of the device
// must be multiples of Align, else it is kernels.ErrNotSupported.
func New(dev kernels.Device, opts Options) (*Pool, error) {
	if dev == nil {
		return nil, fmt.Errorf("block pool: %w: it is nil", ErrNoDevice)
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	if align := dev.Info().BaseAlign; align == 0 || align%Align != 0 {
		return nil, fmt.Errorf("block pool: %w: addresses of the device are multiples of %d, not of %d", kernels.ErrNotSupported, align, Align)
	}
	p := &Pool{
		dev: dev, opts: opts,
		free: extent.NewIndex[state](Quantum),
		rest: extent.NewIndex[state](Quantum),
	}
	if opts.Size > 0 {
		e, err := p.addRegion(opts.Size)
		if err != nil {
			return nil, fmt.Errorf("block pool: %w", err)
		}
		p.insert(e)
	}
	return p, nil
}

// AllocateBlock returns a block of BlockSize(size) bytes, whose content is undefined.
// The error is kernels.ErrZeroSize, kernels.ErrClosed, an *OutOfMemoryError, or what
// the device or Options.Wait returned; the pool can be used on.
func (p *Pool) AllocateBlock(size uint64) (ID, error) {
	b, err := p.allocate(size)
	return b.ID, err
}

func (p *Pool) allocate(size uint64) (Block, error) {
	need, err := BlockSize(size)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return Block{}, errClosed()
	case errors.Is(err, kernels.ErrOutOfMemory):
		return Block{}, askedFor(p.outOfMemory(size, err), size)
	case err != nil:
		return Block{}, err
	}
	var e *piece
	if p.apart() && p.canUnite(need) {
		p.grew = false // from now on: others do not wait for the same
	} else {
		e = p.take(need)
	}
	if e == nil {
		if e, err = p.grow(need); err != nil {
			return Block{}, askedFor(err, size)
		}
	}
	return p.newBlock(e, need, size), nil
}

// newBlock makes a piece a block with an id of its own.
func (p *Pool) newBlock(e *piece, size, requested uint64) Block {
	p.use(e, state{id: p.ids.give(), size: size, requested: requested})
	return blockOf(e)
}

// FreeBlock marks a block as free. The work that uses it must have finished, or else
// all users of the pool queue their work in one stream. An id that was freed is
// ErrDoubleFree, one that this pool never gave is kernels.ErrForeign.
func (p *Pool) FreeBlock(id ID) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, err := p.find(id, ErrDoubleFree)
	if err != nil {
		return err
	}
	p.unuse(e.Val)
	p.stats.Frees++
	p.now++
	p.put(e, p.now)
	return nil
}

// BlockPtr returns the address of a block. An id that was freed is ErrFreed, one that
// this pool never gave is kernels.ErrForeign.
func (p *Pool) BlockPtr(id ID) (kernels.Addr, error) {
	b, err := p.Block(id)
	return b.Address, err
}

// Block returns a block; the errors are those of BlockPtr.
func (p *Pool) Block(id ID) (Block, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, err := p.find(id, ErrFreed)
	if err != nil {
		return Block{}, err
	}
	return blockOf(e), nil
}

func blockOf(e *piece) Block { return Block{e.Val.id, e.Val.size, e.Addr} }

// find returns the piece of a block. freed is the error for one that was freed.
func (p *Pool) find(id ID, freed error) (*piece, error) {
	if e := p.live.get(id); e != nil {
		return e, nil
	}
	switch {
	case p.closed:
		return nil, errClosed()
	case p.ids.gave(id):
		return nil, fmt.Errorf("block %d: %w", id, freed)
	}
	return nil, fmt.Errorf("block %d: %w", id, kernels.ErrForeign)
}

// use makes a piece a block.
func (p *Pool) use(e *piece, block state) {
	e.Val = block
	p.live.put(block.id, e)
	p.stats.allocated(block.size, block.requested)
}

// unuse forgets a block.
func (p *Pool) unuse(block state) {
	p.live.remove(block.id)
	p.stats.freed(block.size, block.requested)
}
