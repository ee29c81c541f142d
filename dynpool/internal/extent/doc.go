// Package extent keeps account of device memory that is handed out in pieces. A
// Space cuts regions into extents and joins them again; an Index finds free extents
// by size. Neither touches the memory, nor knows what a piece is used for: that is
// the value of type T that each extent carries.
package extent
