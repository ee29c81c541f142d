// Package staticpool owns the memory of one worker: the device pool, which is the
// static region with the arena behind it, and the host pool. The planner has fixed
// where each static buffer lies, so a lookup is one addition.
package staticpool
