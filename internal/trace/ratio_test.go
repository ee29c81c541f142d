package trace_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/trace"
)

// placement is a way to place what a trace asks for.
type placement struct {
	name  string
	open  func(testing.TB, *trace.Trace) allocator
	limit uint64 // percent of what is used that it may hold on the first trace; 0: any
}

// pools are those of package dynpool. Where there is work, what is freed is known to be
// free at the next Sync, as with a device that is slower than the host; else at once.
var pools = []placement{
	{"stream_pool", func(t testing.TB, tr *trace.Trace) allocator { return newStreamPool(t, tr, keep, false) }, 110},
	{"stream_pool_work", func(t testing.TB, tr *trace.Trace) allocator { return newStreamPool(t, tr, keep, true) }, 112},
	{"block_pool", func(t testing.TB, tr *trace.Trace) allocator { return newBlockPool(t, tr) }, 110},
}

// plain are allocators to compare with. Those with regions take 2 MiB or what is
// needed of the device, and never give anything back; the others have all memory in
// one piece that can grow, which no device offers.
var plain = []placement{
	{"stream_pool_threshold_0", func(t testing.TB, tr *trace.Trace) allocator { return newStreamPool(t, tr, 0, true) }, 0},
	{"first_fit_regions", func(testing.TB, *trace.Trace) allocator { return &fit{region: 2 << 20} }, 0},
	{"best_fit_regions", func(testing.TB, *trace.Trace) allocator { return &fit{best: true, region: 2 << 20} }, 0},
	{"power_of_two_bins", func(testing.TB, *trace.Trace) allocator { return new(bins) }, 0},
	{"first_fit_one_piece", func(testing.TB, *trace.Trace) allocator { return new(fit) }, 0},
	{"best_fit_one_piece", func(testing.TB, *trace.Trace) allocator { return &fit{best: true} }, 0},
}

// TestRatio: the pools hold about a tenth more than what the sequence uses, and know after
// one replay what they need. A pool that learns only at the end of a batch what has
// finished holds a little more, as nothing can go back in the first one.
func TestRatio(t *testing.T) {
	tr := one()
	peak := tr.Peak(trace.Exact)
	for _, p := range pools {
		t.Run(p.name, func(t *testing.T) {
			a := p.open(t, tr)
			require.NoError(t, tr.Replay(a))
			first := a.account()
			require.GreaterOrEqual(t, first.used, peak)
			require.LessOrEqual(t, first.reserved*100, peak*p.limit, "%.3f", float64(first.reserved)/float64(peak))
			allocs := testing.AllocsPerRun(4, func() {
				if err := tr.Replay(a); err != nil {
					t.Error(err)
				}
			})
			require.Equal(t, first, a.account())
			require.Zero(t, allocs)
		})
	}
}

// TestPlain: the plain allocators are right: nothing that is live overlaps, and in the
// end all is free.
func TestPlain(t *testing.T) {
	tr := trace.Random(5000, 2)
	for _, f := range []*fit{{}, {best: true}, {region: 2 << 20}, {best: true, region: 2 << 20}} {
		live := make(map[int]uint64)
		for i, o := range tr.Ops {
			switch o.Kind {
			case trace.Alloc:
				require.NoError(t, f.Alloc(0, o.ID, o.Size))
				for id, size := range live {
					require.True(t, f.at[id]+size <= f.at[o.ID] || f.at[o.ID]+o.Size <= f.at[id], "operation %d", i)
				}
				live[o.ID] = o.Size
			case trace.Free:
				require.NoError(t, f.Free(0, o.ID, o.Size))
				delete(live, o.ID)
			}
		}
		var free uint64
		for _, h := range f.holes {
			free += h.size
		}
		require.Equal(t, f.account().reserved, free)
		require.Zero(t, f.live)
		require.Equal(t, tr.Peak(rounded), f.account().used)
	}
}

// BenchmarkReplay replays each trace against each allocator, at first as it is and then
// again and again. reserved/used is of bytes as they were asked for.
func BenchmarkReplay(b *testing.B) {
	for _, tr := range traces {
		for _, p := range append(pools, plain...) {
			b.Run(fmt.Sprintf("%s/%s", tr.name, p.name), func(b *testing.B) {
				tr := tr.get()
				a := p.open(b, tr)
				require.NoError(b, tr.Replay(a))
				first := a.account()
				b.ReportAllocs()
				for b.Loop() {
					if err := tr.Replay(a); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tr.IDs), "ns/pair")
				b.ReportMetric(float64(first.reserved)/float64(tr.Peak(trace.Exact)), "reserved/used")
				b.ReportMetric(float64(first.reserved)/float64(first.used), "reserved/rounded")
				b.ReportMetric(float64(first.driverAllocs), "driver-allocs")
			})
		}
	}
}
