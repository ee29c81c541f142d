// Package kernel reduces plain packing problems with tight boundaries, and solves
// perfect ones.
//
// A boundary between two sections is tight if both are full at the capacity: the
// tiles that end there and those that start there cover the same units. So one
// tile that ends and one that starts are one tile, tiles of the same sections
// that have to fill one hole can be stacked, and the five tiles of a pinwheel
// fill a rectangle. Reduce merges until nothing is left to merge:
//
//	k := kernel.Reduce(ctx, p, capacity, kernel.Likely)
//	offsets := pack(k.Problem) // any packing
//	return k.Expand(offsets)   // one of p, of the same height
//
// Exact merges lose no packing. The others bet that tiles which fit together
// belong together: on sizes that rarely are equal by chance that is nearly sure,
// and a kernel of 100,000 tiles often is a single one.
//
// Solve is for problems in which all sections are full. It sweeps over the
// boundaries, not over the units. What it keeps of a section is a set of orders of
// its tiles, as a PQ tree: where tiles end, those that leave one hole must be
// adjacent in the order, and those that start, which fill it, come in any order.
// It branches only where it is open which tiles share a hole. The states are kept
// in a beam, the one with most packings so far first, and the beam widens from
// round to round; if a sweep that left nothing out dies, there is no packing.
//
// Everything is deterministic. Work is counted in nodes: changes of a tree, and
// holes that were considered.
package kernel
