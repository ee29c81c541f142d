package pack

import (
	"context"
	"fmt"
	"math"

	"github.com/seqplan/seqplan/kernels/checked"
)

// FirstFit places each buffer at the lowest offset that is free during its
// lifetime.
type FirstFit struct{ Order Order }

// BestFit places each buffer into the smallest gap that holds it, the lowest of
// equal ones, and on top of its neighbours where none does.
type BestFit struct{ Order Order }

// Pack implements Packer.
func (f FirstFit) Pack(ctx context.Context, p Problem) (Result, error) {
	return greedy(p, f.Order, "first fit by "+f.Order.String(), firstFit)
}

// Pack implements Packer.
func (f BestFit) Pack(ctx context.Context, p Problem) (Result, error) {
	return greedy(p, f.Order, "best fit by "+f.Order.String(), bestFit)
}

// fit finds an offset for b among the buffers of a shelf that overlap it.
type fit func(s shelf, b Buffer, during span) (offset uint64, err error)

func greedy(p Problem, order Order, method string, place fit) (Result, error) {
	if order >= numOrders {
		return Result{}, fmt.Errorf("%w: no order %d", ErrInvalid, order)
	}
	in, err := newInstance(p)
	if err != nil {
		return Result{}, err
	}
	r := Result{Offsets: make([]uint64, len(p.Buffers)), Method: method, Nodes: uint64(len(p.Buffers))}
	r.Bound = in.lowerBound()
	ix := newIndex(in)
	for _, i := range in.sorted(order) {
		b, during := p.Buffers[i], in.spans[i]
		if b.Size == 0 {
			continue // offset 0 is aligned, inside, and takes nothing from anyone
		}
		offset, err := place(ix.overlapping(during), b, during)
		if err != nil {
			return Result{}, fmt.Errorf("offset of buffer %d: %w", i, err)
		}
		end, err := checked.Add(offset, b.Size)
		if err != nil {
			return Result{}, fmt.Errorf("end of buffer %d: %w", i, err)
		}
		r.Offsets[i] = offset
		r.Height = max(r.Height, end)
		ix.insert(placed{during, offset, end})
	}
	if r.Height == r.Bound.Bytes {
		r.Status = Optimal
	}
	return r, nil
}

// Both scans below run over most of the shelf for every buffer and would spend
// their time on mispredicted branches: whether a placed buffer overlaps in time
// is close to random. So what does not overlap is masked to a top of 0 instead
// of being skipped, and the branch that is left is rarely taken.

// during returns all ones if the spans share a section, else 0.
func (s span) during(t span) uint64 {
	return uint64(int64((s.first-t.end)&(t.first-s.end)) >> 63)
}

func firstFit(s shelf, b Buffer, during span) (uint64, error) {
	var top uint64 // everything that overlaps so far ends at or below it
	for _, p := range s {
		mask := p.during(during)
		if p.offset >= top && p.offset-top >= b.Size && mask != 0 {
			if at, err := checked.AlignUp(top, b.Align); err == nil && p.offset >= at && p.offset-at >= b.Size {
				return at, nil
			}
		}
		top = max(top, p.top&mask)
	}
	return checked.AlignUp(top, b.Align)
}

func bestFit(s shelf, b Buffer, during span) (uint64, error) {
	var top, best uint64
	room := uint64(math.MaxUint64) // of the gap at best
	found := false
	for _, p := range s {
		mask := p.during(during)
		if p.offset >= top && p.offset-top >= b.Size && mask != 0 && (!found || p.offset-top < room) {
			if at, err := checked.AlignUp(top, b.Align); err == nil && p.offset >= at && p.offset-at >= b.Size {
				best, room, found = at, p.offset-top, true
			}
		}
		top = max(top, p.top&mask)
	}
	if found {
		return best, nil
	}
	return checked.AlignUp(top, b.Align)
}
