// Package bench measures what waiting for sizes costs. It plays the same batches of
// a sequence in two ways in the same memory of one device:
//
//   - readback, as pipelines do it: before a step whose buffers have dynamic sizes,
//     the counts in these sizes are copied to the host, the stream is synchronized,
//     and the host computes the sizes and places the buffers;
//   - planned: the device program places them, and the host waits at the end.
//
// The kernels are the same in both ways and read the same slots; with readback the
// host uploads these, without waiting. A count is copied once in a batch, all counts
// of a step wait together, and the host has compiled size programs as the device
// has. Both ways use the arena mode bump, and must place every buffer at the same
// offset, which is compared after each batch. What is counted is counted by the
// device that both go through.
package bench
