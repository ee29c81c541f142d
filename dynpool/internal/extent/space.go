package extent

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/kernels"
)

// Extent is a run of bytes of a region.
type Extent[T any] struct {
	Addr kernels.Addr
	Size uint64 // bytes, above 0
	Val  T

	lower, upper *Extent[T] // neighbours in the region
	region       *Region[T]
	prev, next   *Extent[T] // in a list of an Index; next also among spare extents
	listed       bool
}

// Lower returns the extent that ends where e starts, nil at the start of the region.
func (e *Extent[T]) Lower() *Extent[T] { return e.lower }

// Upper returns the extent that starts where e ends, nil at the end of the region.
func (e *Extent[T]) Upper() *Extent[T] { return e.upper }

// Whole reports whether the extent is all of its region.
func (e *Extent[T]) Whole() bool { return e.lower == nil && e.upper == nil }

// Region returns the region that the extent lies in.
func (e *Extent[T]) Region() *Region[T] { return e.region }

// Region is memory that came from the device in one piece.
type Region[T any] struct {
	Addr  kernels.Addr
	Size  uint64
	first *Extent[T]
}

// First returns the extent at the start of the region.
func (r *Region[T]) First() *Extent[T] { return r.first }

// Space is a set of regions, each of them cut into extents without a gap. The zero
// value is empty. It uses the structures of extents again that were joined or
// removed: these must not be touched any more.
type Space[T any] struct {
	regions []*Region[T] // by address
	spare   *Extent[T]
}

// Regions returns the regions by address; they must not be changed.
func (s *Space[T]) Regions() []*Region[T] { return s.regions }

// Add takes up a region, which overlaps no other, and returns it as one extent.
func (s *Space[T]) Add(addr kernels.Addr, size uint64) *Extent[T] {
	e := s.extent()
	r := &Region[T]{Addr: addr, Size: size, first: e}
	e.Addr, e.Size, e.region = addr, size, r
	i, _ := s.search(addr)
	s.regions = slices.Insert(s.regions, i, r)
	return e
}

// Remove forgets the region that the extent is all of.
func (s *Space[T]) Remove(e *Extent[T]) {
	i, found := s.search(e.Addr)
	if !found || !e.Whole() {
		panic("extent: Remove of a part of a region")
	}
	s.regions = slices.Delete(s.regions, i, i+1)
	s.recycle(e)
}

// Split cuts an extent so that it keeps its first size bytes, of which it must have
// more, and returns the rest, with the zero value.
func (s *Space[T]) Split(e *Extent[T], size uint64) *Extent[T] {
	if size == 0 || size >= e.Size || e.listed {
		panic("extent: Split of nothing, of all, or of what an Index holds")
	}
	rest := s.extent()
	rest.Addr, rest.Size, rest.region = e.Addr+kernels.Addr(size), e.Size-size, e.region
	rest.lower, rest.upper = e, e.upper
	if e.upper != nil {
		e.upper.lower = rest
	}
	e.upper, e.Size = rest, size
	return rest
}

// Join makes an extent and its upper neighbour one, with the value of the extent.
// No Index may hold either of them.
func (s *Space[T]) Join(e *Extent[T]) {
	gone := e.upper
	if gone == nil || gone.listed || e.listed {
		panic("extent: Join with nothing, or of what an Index holds")
	}
	e.Size += gone.Size // ends at most where the region does
	e.upper = gone.upper
	if e.upper != nil {
		e.upper.lower = e
	}
	s.recycle(gone)
}

// At returns the extent that holds an address, nil if none does. It walks through
// the region.
func (s *Space[T]) At(addr kernels.Addr) *Extent[T] {
	i, found := s.search(addr)
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	for e := s.regions[i].first; e != nil; e = e.upper {
		if uint64(addr-e.Addr) < e.Size {
			return e
		}
	}
	return nil
}

func (s *Space[T]) search(addr kernels.Addr) (int, bool) {
	return slices.BinarySearchFunc(s.regions, addr, func(r *Region[T], addr kernels.Addr) int { return cmp.Compare(r.Addr, addr) })
}

func (s *Space[T]) extent() *Extent[T] {
	e := s.spare
	if e == nil {
		return new(Extent[T])
	}
	s.spare, e.next = e.next, nil
	return e
}

func (s *Space[T]) recycle(e *Extent[T]) {
	*e = Extent[T]{next: s.spare}
	s.spare = e
}
