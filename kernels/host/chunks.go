package host

import (
	"runtime"
	"sync"
)

// chunk is how many bytes one goroutine of a pattern kernel works on. It is a
// multiple of 8, so that a chunk starts where a word does if the range does.
const chunk = 1 << 20

// chunks is in how many chunks inChunks cuts b.
func chunks(b []byte) int { return (len(b) + chunk - 1) / chunk }

// inChunks calls f for each chunk of b, several at once. at is the offset of the
// part in its place, of which b starts at from.
func inChunks(b []byte, from uint64, f func(i int, part []byte, at uint64)) {
	n := chunks(b)
	call := func(i int) {
		f(i, b[i*chunk:min(len(b), (i+1)*chunk)], from+uint64(i)*chunk)
	}
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		for i := range n {
			call(i)
		}
		return
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				call(i)
			}
		})
	}
	wg.Wait()
}
