// Package streampool is memory that is allocated and freed in the order of streams:
// MallocAsync and FreeAsync take their place among the work of a stream, and neither
// waits for it. Memory that work still uses can so be given to later work.
//
// A Runtime wraps a device. It is a kernels.Device itself, whose streams and events
// also tell the pools what is ordered before what; a pool takes only streams of its
// Runtime, and work that reaches the device in another way is unknown to it.
//
// What is free in a pool serves an allocation in a stream, the closest in size
// first, if it was freed
//
//   - in the same stream;
//   - in work that a wait of the host has shown to be finished;
//   - before an event that the stream waits for, also by way of others
//     (kernels.PoolReuseFollowEventDependencies);
//   - in work that has finished meanwhile (kernels.PoolReuseAllowOpportunistic);
//   - or anywhere, and the pool makes the stream wait for that
//     (kernels.PoolReuseAllowInternalDependencies), which it does when the pool
//     cannot grow.
//
// Where the driver of the device has such pools, they are used, and the rules are
// the driver's; else the memory comes from Device.Alloc in regions that are cut. The
// rules in full are in docs/stream-pool.md.
package streampool
