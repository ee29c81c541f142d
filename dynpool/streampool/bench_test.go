package streampool_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// sizes are those that the benchmarks go through.
var sizes = [...]uint64{1000, 64 << 10, 300, 1 << 20, 5000, 256, 20 << 10, 100 << 10}

// BenchmarkPair is a pair of MallocAsync and FreeAsync in steady state: while sixteen
// others are live, each round frees the oldest.
func BenchmarkPair(b *testing.B) {
	for _, goroutines := range []int{1, 8} {
		b.Run(map[int]string{1: "1goroutine", 8: "8goroutines"}[goroutines], func(b *testing.B) {
			w := newWorld(b, host.Options{}, streampool.Options{})
			p := w.pool(0, keep)
			streams := make(chan kernels.Stream, goroutines)
			for range goroutines {
				streams <- w.stream()
			}
			b.ReportAllocs()
			run := func(n func() bool) {
				s := <-streams
				defer func() { streams <- s }()
				var live [16]kernels.Addr
				for i := range live {
					live[i] = p.malloc(sizes[i%len(sizes)], s)
				}
				for i := 0; n(); i++ {
					live[i%len(live)] = exchange(b, p, s, live[i%len(live)], sizes[i*7%len(sizes)])
				}
				for _, a := range live {
					p.free(a, s)
				}
			}
			if goroutines == 1 {
				run(b.Loop)
				return
			}
			done := make(chan bool)
			b.ResetTimer()
			for range goroutines {
				go func() {
					left := b.N / goroutines
					run(func() bool { left--; return left >= 0 })
					done <- true
				}()
			}
			for range goroutines {
				<-done
			}
		})
	}
}

// BenchmarkPairWithWork has an operation of the stream between, so that each free
// records an event; the stream is waited for after each 256.
func BenchmarkPairWithWork(b *testing.B) {
	w := newWorld(b, host.Options{}, streampool.Options{})
	p := w.pool(0, keep)
	s := w.stream()
	a := p.malloc(1, s)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := s.Memset(a, 0, 1); err != nil {
			b.Fatal(err)
		}
		a = exchange(b, p, s, a, sizes[i%len(sizes)])
		if i%256 == 255 {
			require.NoError(b, s.Synchronize())
		}
	}
	p.free(a, s)
}

// exchange is a pair of calls.
func exchange(b *testing.B, p *pool, s kernels.Stream, a kernels.Addr, size uint64) kernels.Addr {
	err := p.FreeAsync(a, s)
	if err == nil {
		a, err = p.MallocAsync(size, s)
	}
	if err != nil {
		b.Fatal(err)
	}
	return a
}

// BenchmarkWorkAlone is what BenchmarkPairWithWork does besides.
func BenchmarkWorkAlone(b *testing.B) {
	w := newWorld(b, host.Options{}, streampool.Options{})
	p := w.pool(0, keep)
	s := w.stream()
	a := p.malloc(1, s)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := s.Memset(a, 0, 1); err != nil {
			b.Fatal(err)
		}
		if i%256 == 255 {
			require.NoError(b, s.Synchronize())
		}
	}
	p.free(a, s)
}

// BenchmarkFloor is what no pool of this kind can leave out of a pair: two locks, and
// an entry in a table by address that is made, found and removed.
func BenchmarkFloor(b *testing.B) {
	var mu sync.Mutex
	live := make(map[kernels.Addr]*uint64)
	for i := range sizes {
		live[kernels.Addr(i)] = &sizes[i]
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		at := kernels.Addr(i) << 12
		mu.Lock()
		live[at] = &sizes[0]
		mu.Unlock()
		mu.Lock()
		if live[at] != nil {
			delete(live, at)
		}
		mu.Unlock()
	}
}
