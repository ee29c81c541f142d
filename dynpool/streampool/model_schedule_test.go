package streampool_test

import "github.com/seqplan/seqplan/internal/splitmix"

// draws are where a program comes from.
type draws struct {
	pick func(n int) int // in [0, n)
	more func() bool     // one more operation
}

// bySeed draws a program of so many operations.
func bySeed(seed uint64, operations int) draws {
	next := uint64(0)
	return draws{
		pick: func(n int) int {
			next++
			return int(splitmix.Hash(seed, next) % uint64(n))
		},
		more: func() bool {
			operations--
			return operations >= 0
		},
	}
}

// schedules is how many kinds of them there are.
const schedules = 6

// schedule is an order in which the host device runs what is queued: as late as it can,
// at once, or something between. nil is the order of a device that has no such function.
func schedule(kind int, seed uint64) func(ready int, waiting bool) int {
	if kind == 0 {
		return nil
	}
	next := uint64(0)
	draw := func(n int) int {
		next++
		return int(splitmix.Hash(seed, next) % uint64(n))
	}
	// Of 16 times that it is asked, how often something runs.
	often := [schedules]int{1: 16, 2: 1, 3: 4, 4: 8, 5: 12}[kind]
	return func(ready int, waiting bool) int {
		if draw(16) >= often {
			return -1
		}
		if kind == 4 && draw(8) > 0 {
			return ready - 1 // the others fall behind
		}
		return draw(ready)
	}
}
