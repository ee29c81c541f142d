package play_test

import (
	"math/rand/v2"
	"slices"

	"github.com/seqplan/seqplan/kernels/host"
)

// atRandom runs the streams in a random legal order. Some seeds let each call queue more
// work than others before any of it runs, and some prefer one stream to another.
func atRandom(seed uint64) host.Options {
	r := rand.New(rand.NewPCG(seed, 2))
	idle := r.IntN(5)
	prefer := make(map[int]int)
	return host.Options{Schedule: func(ready []int, waiting bool) int {
		if r.IntN(5) < idle && (!waiting || r.IntN(8) == 0) {
			return -1
		}
		best, i := -1, 0
		for k, s := range ready {
			if _, ok := prefer[s]; !ok || r.IntN(40) == 0 {
				prefer[s] = r.IntN(100)
			}
			if p := prefer[s] + r.IntN(60); p > best {
				best, i = p, k
			}
		}
		return i
	}}
}

// orderOf is a device with an order, and whether that has held a stream back.
type orderOf struct {
	host.Options
	held func() bool
}

// firstLane is the number that the first stream of the only worker has: one that cleared
// the static region was before it.
const firstLane = 1

// holdingBack queues all work, runs some operations of one stream, with as little of
// another one as that takes, and then lets that one go on, with as little as possible of
// the first.
func holdingBack(first, operations, then int) orderOf {
	first, then = firstLane+first, firstLane+then
	return orderOf{host.Options{Schedule: func(ready []int, waiting bool) int {
		if !waiting {
			return -1
		}
		early, late := first, then
		if operations <= 0 {
			early, late = then, first
		}
		i := slices.Index(ready, early)
		if i < 0 {
			i = slices.IndexFunc(ready, func(s int) bool { return s != late })
		}
		i = max(i, 0) // there is only the late one
		if ready[i] == first {
			operations--
		}
		return i
	}}, func() bool { return operations <= 0 }}
}
