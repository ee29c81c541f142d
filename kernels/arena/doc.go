// Package arena is the device-side allocator as pure functions on a byte slice
// that stands for the device pool: it resets a batch, runs the steps of a step
// program and places dynamic buffers. It is the oracle: every other back end must
// leave the same bytes.
//
// The functions trust nothing in the pool. A malformed program, or an offset that
// leads outside the pool, becomes the failure code BadProgram in the control
// block; where even the control block is unreachable they return ErrControl. They
// write to line 1 of the control block and to the slots, and nowhere else.
//
// A device does not know where its pool ends. So the checks against that end are
// this package's alone; staticpool refuses the layouts that would need them.
//
// The arena mode is bump: a release gives nothing back before the reset, and the
// list of releases is not even read. A buffer that takes over the memory of
// another asks the arena for nothing, so Wanted does not count it.
package arena
