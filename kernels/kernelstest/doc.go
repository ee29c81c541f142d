// Package kernelstest tests back ends. It owns the conformance suite, Run, which
// every back end must pass, and a builder of small sequences, Sequence, for tests
// that need a layout without a planner.
package kernelstest
