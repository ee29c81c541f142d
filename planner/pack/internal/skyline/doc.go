// Package skyline packs plain problems of any size, up to millions of
// rectangles, near the lower bound and often at it. It proves nothing.
//
// A pass fills the packing from below in about n log n steps: in a valley of the
// skyline it places the rectangle with the best key that lies in it. The critical
// passes place over the section of the valley where most is left, and leave a
// valley empty rather than build a wall beside a section that has less room. A
// pass that looks ahead tries several choices wherever room is lost, and goes on
// with the one that loses least; where the problem is too large for that, only
// windows around the highest sections are packed again, between what crosses
// their borders.
//
// Everything is counted: the same options give the same packing on any machine
// and on any number of cores.
package skyline
