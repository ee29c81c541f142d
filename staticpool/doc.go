// Package staticpool owns the memory of one worker: the device pool, which is the
// static region with the arena behind it in one allocation, and the host pool of
// pinned memory. The planner has fixed where each static buffer lies, so a lookup
// is one addition.
//
// Open checks the whole layout: every offset and index in it leads to where it
// must, and the step program is well formed. So nothing has to be checked
// afterwards, neither here nor on the device.
package staticpool
