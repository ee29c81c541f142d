// Package oracle packs tiny problems by trying everything, for tests. It shares
// nothing with the engines but the types of a problem: what may not happen is
// written down step by step and byte by byte. It takes time exponential in the
// number of buffers, and memory for every byte of every step.
//
// The height of a packing is the largest offset + size over all buffers. So a
// buffer of 0 bytes takes nothing from the others, but its fixed offset counts.
package oracle
