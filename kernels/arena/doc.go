// Package arena is the device-side allocator as pure functions on a byte slice
// that stands for the device pool: it resets a batch, runs the steps of a step
// program and places dynamic buffers. It is the oracle: every other back end must
// leave the same bytes.
//
// The functions trust nothing in the pool. A malformed program, or an offset that
// leads outside the pool, becomes the failure code BadProgram in the control
// block; where even the control block is unreachable they return ErrControl. They
// write to line 1 of the control block, to the slots, to the table of extents and to
// the word of a mark, and nowhere else.
//
// A device does not know where its pool ends. So the checks against that end are
// this package's alone; staticpool refuses the layouts that would need them.
//
// A release ends a slot. In the arena mode reuse it also gives the memory back, to the
// table of extents; in the mode bump nothing is given back before the reset. A buffer
// that takes over the memory of another asks the arena for nothing, so Wanted does not
// count it.
package arena
