// Package play runs a planned sequence on a device with made-up data, to show
// that the plan holds: every buffer is filled with its own pattern when its step
// writes it and compared at every use that the plan names, so that two buffers
// that share bytes while both live, or a buffer that dies too early, are found.
// Counts are drawn around their typical values; a batch that overflows the arena
// is split and both halves run. Several workers may play at the same time, each in
// pools and a stream of its own; what they find together does not depend on which of
// them played what. Batches can be made to fail on purpose.
//
// The dynamic device buffers are placed by the device program in the arena, or, to
// compare, by the host as pipelines do it: it reads the counts back before the steps
// that need them and takes memory from a stream-ordered pool or a block pool. All else
// is the same in each way: what is filled, what is checked, and what is reported.
//
// A buffer that a use finds without memory, in a batch that has not failed, was
// released too early and counts as corrupt.
//
// The package knows plans and devices, but no back end: all its work is done by
// the kernels that every back end provides, in stream order.
package play
