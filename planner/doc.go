// Package planner turns a sequence into a plan, as a pipeline of passes:
//
//	classify    static or dynamic, and which counts drive a size
//	waits       where the host has to wait for the device
//	lifetimes   from which step to which a buffer is alive, and why
//	bounds      the largest size over the parameter ranges, with its proof
//	order       with several streams: which buffers may share, waits to add
//	pack        offsets of the static buffers (package pack)
//	layout      the reserved areas and every final offset
//	program     the step program of the dynamic buffers
//	verify      an independent check of the result (package verify)
//
// Each pass is a pure function of the results before it. Make runs them all; the
// verifier shares no code with the others and runs on every plan before it is
// returned. Faults of the sequence are diagnostics with positions, all that can
// be found; Check finds them without packing.
//
// Equal sequences give equal plans, byte for byte, on any machine.
package planner
