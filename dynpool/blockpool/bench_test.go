package blockpool_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/internal/splitmix"
)

// churn keeps 64 blocks live: each round frees the oldest and allocates another.
func churn(b *testing.B, pool *blockpool.Pool, seed uint64, size func(random uint64) uint64, next func() bool) {
	var ring [64]blockpool.ID
	for i := 0; next(); i++ {
		slot := &ring[i%len(ring)]
		if *slot != 0 {
			if err := pool.FreeBlock(*slot); err != nil {
				b.Error(err)
			}
		}
		id, err := pool.AllocateBlock(size(splitmix.Mix(seed + uint64(i))))
		if err != nil {
			b.Error(err)
		}
		*slot = id
	}
	for _, id := range ring {
		if id != 0 {
			if err := pool.FreeBlock(id); err != nil {
				b.Error(err)
			}
		}
	}
}

// benchmarkPair measures a FreeBlock and an AllocateBlock in steady state.
func benchmarkPair(b *testing.B, goroutines int, size func(random uint64) uint64) {
	pool, err := blockpool.New(newDriver(), blockpool.Options{Size: 1 << 30})
	require.NoError(b, err)
	rounds := 0
	churn(b, pool, 0, size, func() bool { rounds++; return rounds < 10_000 })
	var seed atomic.Uint64
	b.ReportAllocs()
	b.ResetTimer()
	if goroutines == 1 {
		churn(b, pool, 0, size, b.Loop)
	} else {
		b.SetParallelism(max(goroutines/runtime.GOMAXPROCS(0), 1))
		b.RunParallel(func(pb *testing.PB) { churn(b, pool, seed.Add(1)<<40, size, pb.Next) })
	}
	b.StopTimer()
	require.NoError(b, pool.Close())
}

func BenchmarkPair(b *testing.B) {
	b.Run("goroutines=1", func(b *testing.B) { benchmarkPair(b, 1, mixed) })
	b.Run("goroutines=8", func(b *testing.B) { benchmarkPair(b, 8, mixed) })
}

func BenchmarkPairOneSize(b *testing.B) {
	one := func(uint64) uint64 { return 1000 }
	b.Run("goroutines=1", func(b *testing.B) { benchmarkPair(b, 1, one) })
	b.Run("goroutines=8", func(b *testing.B) { benchmarkPair(b, 8, one) })
}

// TestSteadyStateAllocatesNothing: the pool itself takes no memory of Go.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 1 << 20})
	var ids [50]blockpool.ID
	round := func() {
		for i := range ids {
			ids[i], _ = pool.AllocateBlock(uint64(1 + i*i))
		}
		for _, id := range ids {
			_ = pool.FreeBlock(id)
		}
	}
	round()
	require.Zero(t, testing.AllocsPerRun(100, round))
}
