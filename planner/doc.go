// Package planner turns a sequence into a plan, as a pipeline of named passes:
// classify, lifetimes, bound, pack, layout, program, verify. Each pass is a
// pure function that can be tested alone. The verifier, package verify, shares
// no code with the packer and runs on every plan before it is returned.
package planner
