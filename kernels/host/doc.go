// Package host is the back end in pure Go: it needs no driver and is the oracle
// for the others. It owns a made-up device memory and the kernels of package
// kernels; users may register kernels written in Go.
//
// A stream only queues. Its work runs, in order, when somebody waits for it: in
// Synchronize, of the stream itself, of an event recorded in it, or of a stream that
// waits for such an event. So a result is never visible too early, and every run is
// the same. Query of an event waits for nothing, so that nothing comes of asking alone.
//
// With Options.Interleave or Options.Schedule it may run in any order that streams and
// events allow, from the moment it is queued, and a copy may read or write host memory
// in that moment. A program that makes the same calls in the same order runs the same,
// if the function gives the same answers.
//
// Addresses are no Go pointers. They start beyond 2^32, allocations have gaps
// between them, and each access is checked against its allocation.
package host
