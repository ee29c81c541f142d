// Package hostsize computes the sizes of dynamic buffers on the host, as pipelines do
// that have no device program: it says which counts must come back before which step,
// brings them back, and runs the size programs of a plan on them.
//
// A Program is made for one value of the parameters, at which it is known where each
// count lies. Nothing is placed here: where the buffers go is up to the caller.
package hostsize
