// Package abi is the one home of the device ABI, version 1: the control block,
// the slots, the encoding of the step program with its opcodes and failure
// codes, and the Layout that a plan hands to the runtime. The planner writes
// these, the generators print them, every back end reads them. It is a leaf: it
// imports nothing of the project but package checked.
//
// All integers in device memory are little-endian uint64. Every offset counts
// from the base of the device pool.
package abi
