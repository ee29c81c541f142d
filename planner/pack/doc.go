// Package pack places buffers with fixed lifetimes at offsets, so that buffers in
// use at the same time are disjoint and the height is small: the dynamic storage
// allocation problem. It says how far the height is from a lower bound and where
// that comes from, proves optimality or infeasibility where it can, and knows
// nothing of sequences.
//
//	r, err := pack.Engine{}.Pack(ctx, pack.Problem{Buffers: []pack.Buffer{
//		{First: 0, End: 2, Size: 64, Align: 64},
//		{First: 1, End: 3, Size: 32, Align: 32},
//	}})
//	// r.Offsets, r.Height, r.Status, r.Bound
//
// Engine takes a problem through these stages and stops at the first that closes
// the gap:
//
//   - Bounds: bytes in use at once, what alignment adds to them, fixed offsets.
//   - Plain problems (rectangles with an alignment): internal/skyline, greedy passes
//     that take any size; internal/kernel, where no byte is free, which merges what
//     must lie together and solves what is left.
//   - internal/hunt: many short and long runs of internal/exact, a depth-first search
//     that finds packings below a capacity or proves that there are none, from the
//     bound up and from the best packing down.
//   - Windows that do not start at the first byte: internal/disjunct, a search over
//     which of two buffers is above, beside a hunt that keeps the bytes below a window.
//
// Afterwards hints are kept where that costs no height, and the buffers of a
// conflict are reduced to a minimal set. Everything is limited by counts of work
// and merged in a fixed order, so the result is the same on any machine and any
// number of cores. Package audit checks results without sharing code.
package pack
