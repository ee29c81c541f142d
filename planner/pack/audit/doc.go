// Package audit checks the results of packers. It shares no code with them: it
// imports the types of package pack alone, and finds overlaps by a sweep over
// offsets. So a mistake of a packer and the same mistake here are two mistakes.
//
// What it promises about a feasible result that passes: every buffer is aligned,
// ends inside uint64 and below the capacity, and is at its fixed offset where it
// has one; the members of an in-place group have one offset; any two other buffers
// are disjoint at each step in the bytes that each has in use there, and the pairs
// that are excluded are disjoint altogether; the height is what the offsets say.
// The bound is derived again from the bytes in use at its steps, but for a bound
// that a search has found, and an infeasible result, of which only what contradicts
// itself is found.
//
// Time and memory grow as n log n with the number of buffers and gaps.
package audit
