package host

import (
	"runtime"
	"sync"
)

// chunk is how many bytes one goroutine of a pattern kernel works on, a multiple of 8.
const chunk = 1 << 20

// chunks is in how many chunks inChunks cuts b.
func chunks(b []byte, from uint64) int { return (len(b) + int(from%8) + chunk - 1) / chunk }

// inChunks calls f for each chunk of b, several at once. at is the offset of the
// part in its place, of which b starts at from. No word is cut.
func inChunks(b []byte, from uint64, f func(i int, part []byte, at uint64)) {
	n := chunks(b, from)
	call := func(i int) {
		start := max(0, i*chunk-int(from%8))
		f(i, b[start:min(len(b), (i+1)*chunk-int(from%8))], from+uint64(start))
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
