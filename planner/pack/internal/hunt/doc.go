// Package hunt closes the gap between a lower bound and a packing with many exact
// searches: from the bound up with what is refuted, from the packing down with
// what is found. It never loses what it had.
//
// Searches of one round run at the same time, each on its own, and are merged in
// a fixed order, so the result does not depend on the number of cores.
package hunt
