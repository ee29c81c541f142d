package pack

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// Order is the order in which FirstFit places the buffers. Ties are broken by
// index.
type Order uint8

// The orders.
const (
	BySize   Order = iota // largest first
	ByArea                // bytes times steps, largest first
	ByLength              // longest lifetime first
	ByStart               // first step first, then as BySize: the order of an online allocator
	numOrders
)

func (o Order) String() string {
	names := [numOrders]string{"size", "area", "length", "start"}
	if o < numOrders {
		return names[o]
	}
	return "unknown"
}

// FirstFit places each buffer, those with a fixed offset before the others, at
// the lowest offset that is free during its lifetime. It knows every feature but
// the hints, takes quadratic time, and proves no more than the bounds do.
type FirstFit struct{ Order Order }

// Pack implements Packer.
func (f FirstFit) Pack(ctx context.Context, p Problem) (Result, error) {
	if f.Order >= numOrders {
		return Result{}, fmt.Errorf("%w: no order %d", ErrInvalid, f.Order)
	}
	c, conflict, err := newCore(p)
	if err != nil {
		return Result{}, err
	}
	if conflict == nil && c.model == nil {
		c.model, conflict = newModel(p)
	}
	r := Result{}
	if conflict == nil {
		r.Bound = c.bound
		var offsets []uint64
		if offsets, conflict = f.place(ctx, c.model); conflict == nil {
			r.Nodes, r.Method = uint64(len(c.model.items)), f.String()
			return r.with(p, c.model.offsets(offsets)), nil
		}
	}
	return infeasible(r, conflict, len(conflict) == 1), nil
}

func (f FirstFit) String() string { return "first fit by " + f.Order.String() }

// place returns the offsets of the items, or two buffers with fixed offsets that
// are in each other's way. Cancelled, it puts what is left on top of each other.
func (f FirstFit) place(ctx context.Context, m *model) (offsets []uint64, conflict []int) {
	offsets = make([]uint64, len(m.items))
	ix := newIndex(m)
	var top uint64
	stop := false
	for _, n := range f.sorted(m) {
		it := &m.items[n]
		stop = stop || ctx.Err() != nil
		switch {
		case it.fixed != nil:
			offsets[n] = *it.fixed
			if conflict := ix.inTheWay(n, offsets); conflict != nil {
				return nil, conflict
			}
		case stop:
			offsets[n] = rect.AlignUp(top, it.align)
		default:
			offsets[n] = lowest(ix.blocked(n, offsets), it.align)
		}
		top = max(top, offsets[n]+it.size)
		ix.insert(n, offsets[n])
	}
	return offsets, nil
}

// sorted returns the items in the order in which they are placed.
func (f FirstFit) sorted(m *model) []int {
	type key struct {
		fixed               bool
		first, length, size uint64
		areaHigh, areaLow   uint64
	}
	keys := make([]key, len(m.items))
	order := make([]int, len(m.items))
	for n := range m.items {
		first, end := m.span(n)
		k := key{fixed: m.items[n].fixed != nil, first: first, length: end - first, size: m.items[n].size}
		k.areaHigh, k.areaLow = bits.Mul64(k.length, k.size)
		keys[n], order[n] = k, n
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &keys[i], &keys[j]
		if a.fixed != b.fixed {
			if a.fixed {
				return -1
			}
			return 1
		}
		size, length := cmp.Compare(b.size, a.size), cmp.Compare(b.length, a.length)
		area := cmp.Or(cmp.Compare(b.areaHigh, a.areaHigh), cmp.Compare(b.areaLow, a.areaLow))
		switch f.Order {
		case ByArea:
			return area
		case ByLength:
			return cmp.Or(length, area)
		case ByStart:
			return cmp.Or(cmp.Compare(a.first, b.first), size)
		}
		return cmp.Or(size, length)
	})
	return order
}
