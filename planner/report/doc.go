// Package report turns a plan into what a person wants to know of it: which
// memory is static and which dynamic, what the pools cost, how good the packing
// is, where the peak is and who makes it, where the host waits. New computes a
// Report, a plain struct with a stable JSON form; Text prints it. Explain does
// the same for one buffer.
//
// Every figure is of one worker unless it says otherwise, and in bytes.
package report
