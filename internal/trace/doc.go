// Package trace holds traces of allocator calls: what a host allocator sees of the
// dynamic device buffers of a planned sequence, batch after batch, and of random
// calls. A trace is the same on every machine, and can be replayed against any
// allocator, which tells how much memory that one needs beyond what is in use.
//
// Its tests replay three traces against the host pools of package dynpool and against
// plain allocators.
package trace
