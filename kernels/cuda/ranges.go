package cuda

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels"
)

// span is one piece of memory.
type span struct {
	from kernels.Addr
	size uint64
	pool *pool // that it was taken from, or nil
}

// ranges are pieces of memory, sorted by address; no two share a byte.
type ranges []span

func (r ranges) search(at kernels.Addr) (int, bool) {
	return slices.BinarySearchFunc(r, at, func(s span, at kernels.Addr) int { return cmp.Compare(s.from, at) })
}

func (r *ranges) add(s span) {
	i, _ := r.search(s.from)
	*r = slices.Insert(*r, i, s)
}

// find finds the piece that starts at an address and was taken from a pool, or from none.
func (r ranges) find(at kernels.Addr, from *pool) (int, bool) {
	i, ok := r.search(at)
	return i, ok && r[i].pool == from
}

func (r *ranges) delete(i int) { *r = slices.Delete(*r, i, i+1) }

// remove removes the piece that starts at an address, unless it is of a pool.
func (r *ranges) remove(at kernels.Addr) bool {
	i, ok := r.find(at, nil)
	if ok {
		r.delete(i)
	}
	return ok
}

// check says whether size > 0 bytes lie in one piece.
func (r ranges) check(at kernels.Addr, size uint64) error {
	i, ok := r.search(at)
	if !ok {
		i--
	}
	if i < 0 || uint64(at-r[i].from) >= r[i].size {
		return fmt.Errorf("%#x: %w", uint64(at), kernels.ErrBadAddress)
	}
	if s := r[i]; size > s.size-uint64(at-s.from) {
		return fmt.Errorf("%d bytes at %#x: %w of %d bytes at %#x", size, uint64(at), kernels.ErrOutOfBounds, s.size, uint64(s.from))
	}
	return nil
}
