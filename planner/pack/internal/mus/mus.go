// Package mus makes conflicts small: minimal sets of buffers that have no packing.
package mus

import "slices"

// Answer is what is known of a set.
type Answer uint8

// The answers.
const (
	Unknown    Answer = iota // neither was shown within the budget
	Infeasible               // it has no packing
	Feasible                 // it has one
)

// Minimise drops elements from an infeasible set as long as the rest is shown to be
// infeasible: first large parts of it, then smaller ones, then one by one. The
// result is in the order of the set. It is minimal if without any one element it
// is known to be feasible.
func Minimise(set []int, ask func([]int) Answer) (rest []int, minimal bool) {
	rest = slices.Clone(set)
	for size := len(rest) / 2; size > 1; size /= 2 {
		rest, _ = drop(rest, size, ask)
	}
	return drop(rest, 1, ask)
}

// drop tries to leave out each part of a size in turn. It reports whether all
// parts that stayed are known to be needed.
func drop(set []int, size int, ask func([]int) Answer) (rest []int, needed bool) {
	needed = true
	for at := 0; at < len(set); {
		end := min(at+size, len(set))
		without := slices.Concat(set[:at], set[end:])
		switch ask(without) {
		case Infeasible:
			set = without
			continue
		case Unknown:
			needed = false
		}
		at = end
	}
	return set, needed
}
