// Package devices opens a device by the name that a user gives: a back end and,
// where there may be several, which device of it.
//
//	host          the back end in Go
//	opencl[:N]    the first OpenCL device that can be used, or the one with a number
//	opencl:NAME   the first one that has NAME in its name
//	cuda[:N]      the CUDA device with a number, else number 0
//	ascend[:N]    the Ascend device with a number, else number 0
//
// A program that imports this package carries all back ends, and so loads shared
// libraries at run time: it links dynamically against the C library, without cgo.
// With the build tag seqplan_nodevice it carries only host and can be fully static;
// the names of the others are still known, and say so.
package devices
