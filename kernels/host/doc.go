// Package host is the back end in pure Go: it needs no driver and is the oracle
// for the others. It owns a made-up device memory and the kernels of package
// kernels; users may register kernels written in Go.
//
// A stream only queues. Its work runs, in order, when somebody waits for it: in
// Synchronize, of the stream itself or of one that waits for an event recorded in
// it. So a result is never visible too early, and every run is the same.
//
// Addresses are no Go pointers. They start beyond 2^32, allocations have gaps
// between them, and each access is checked against its allocation.
package host
