// Package shape is the geometry of what a buffer has in use: pieces, each a
// window of bytes over an interval of steps, and the differences between two
// offsets at which two such shapes share a byte.
//
//	a := shape.Pieces(8, 0, 6, []shape.Piece{{First: 2, End: 4, Low: 6, High: 8}})
//	b := shape.Pieces[shape.Piece](4, 2, 4, nil)
//	shape.Forbidden(a, b) // {2, 8}: b may start up to 2 bytes after a, or from 8 bytes on
//
// Bytes are counted from the offset of a shape. The pieces that Pieces and Union
// return are ordered by first step, then by byte; the other functions take them
// so. Pieces of a shape may overlap in steps, but not in both steps and bytes.
//
// Precondition of everything that returns ranges: sizes are below 2^62. The
// caller checks it; then no difference leaves int64.
package shape
