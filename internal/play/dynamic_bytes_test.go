package play_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// TestDynamicsOfNoBytes: a buffer of size 0 is placed and takes no memory.
func TestDynamicsOfNoBytes(t *testing.T) {
	seq, plan := planned(t, "none.yaml", `
seqplan: 1
name: none
params: {n_events: {min: 1, max: 4}}
counts: {n: {at: "total[0]", max: "n_events * 1000", typical: "n_events / 4"}}
steps:
  - {name: a, writes: {total: {type: u32, count: 1}}}
  - {name: b, writes: {x: {type: u8, count: n}, y: {type: u8, count: n, scope: host}}}
  - {name: c, reads: [x, y], writes: {z: {type: u8, count: n, in_place_of: x}, v: {type: u8, count: n, in_place_of: y, scope: host}}}
`)
	opts := play.Options{Batches: 4, Events: 3}
	want := run(t, seq, plan, opts)
	for name, with := range hosted() {
		got := run(t, seq, plan, with(opts))
		require.True(t, got.Sound(), "%s: %v", name, got.Corrupted)
		require.Equal(t, same(want), same(got), name)
		require.Zero(t, got.HighWater, name)
		opts := with(opts)
		opts.Capacity = uint64(plan.Pools[0].Size)
		require.True(t, run(t, seq, plan, opts).Sound(), "without any memory")
	}
}

// strict is a device whose kernel Fill wants aligned buffers.
type strict struct {
	*host.Device
	fill kernels.Kernel
}

func (d *strict) Kernel(name string) (kernels.Kernel, error) {
	if name == kernels.Fill {
		return d.fill, nil
	}
	return d.Device.Kernel(name)
}

// TestDynamicsAreAligned as the sequence says, whatever the pools promise.
func TestDynamicsAreAligned(t *testing.T) {
	seq, plan := planned(t, "aligned.yaml", `
seqplan: 1
name: aligned
device: {align: 1024}
params: {n_events: {min: 1, max: 8}}
counts: {n: {at: "total[0]", max: "n_events * 1000", typical: "n_events * 50"}}
steps:
  - {name: a, writes: {total: {type: u32, count: 1}}}
  - {name: b, writes: {x: {type: u8, count: n}, y: {type: u8, count: "n / 7"}, z: {type: u8, count: "n * 3"}}}
  - {name: c, writes: {v: {type: u8, count: "n * 1024"}, w: {type: u8, count: "n * 1024"}}}
`)
	for name, with := range hosted() {
		dev := &strict{Device: host.New(host.Options{})}
		fills := 0
		require.NoError(t, dev.Register("strict", func(_ host.Memory, _ kernels.Grid, a kernels.Args) error {
			fills++
			if at := a[0] + a[2]; at%1024 != 0 {
				return fmt.Errorf("a buffer at %#x", at)
			}
			return nil
		}))
		var err error
		dev.fill, err = dev.Device.Kernel("strict")
		require.NoError(t, err)
		_, err = play.Run(seq, plan, dev, with(play.Options{Batches: 4}))
		require.NoError(t, err, name)
		require.Equal(t, 4*6, fills)
		r := run(t, seq, plan, with(play.Options{Batches: 4}))
		require.True(t, r.Sound(), "%s: %v", name, r.Corrupted)
	}
}

// TestDynamicsAtTheEndOfAPool: aligning leads no buffer beyond the end of its memory.
func TestDynamicsAtTheEndOfAPool(t *testing.T) {
	seq, plan := planned(t, "end.yaml", `
seqplan: 1
name: end
device: {align: 1024}
counts: {n: {at: "total[0]", max: 4}}
steps:
  - {name: a, writes: {total: {type: u32, count: 1}}}
  - {name: b, writes: {x: {type: u8, count: "n * 1024"}}}
`)
	for name, with := range hosted() {
		fit := 0
		for more := uint64(0); more < 2048; more += 24 {
			r := run(t, seq, plan, with(play.Options{Batches: 1, Capacity: uint64(plan.Pools[0].Size) + 4096 + more}))
			require.True(t, r.Sound(), "%s, %d: %v", name, more, r.Corrupted)
			fit += int(r.Stats.Events)
		}
		require.Greater(t, fit, 30, name)
	}
}

// TestDynamicsCountOutside: a count for which its buffer is too small is missing, also
// if no size needs it.
func TestDynamicsCountOutside(t *testing.T) {
	seq, plan := planned(t, "outside.yaml", `
seqplan: 1
name: outside
counts:
  a: {at: "x[0]", max: 80}
  b: {at: "p[10]", max: 200}
  c: {at: "p[60]", max: 200}
steps:
  - {name: s0, writes: {x: {type: u64, count: 1}}}
  - {name: s1, writes: {p: {type: u16, count: a}}}
`)
	for _, a := range []uint64{80, 61, 60, 11, 10, 0} {
		opts := play.Options{Batches: 1, Capacity: 1 << 20}
		dev := lie(t, 80, a)
		want, err := play.Run(seq, plan, dev, opts)
		require.NoError(t, err)
		gone := 0
		for _, c := range want.Corrupted {
			if c.Gone {
				gone++
			}
		}
		require.Equal(t, a < 61, gone > 0)
		for name, with := range hosted() {
			got, err := play.Run(seq, plan, lie(t, 80, a), with(opts))
			require.NoError(t, err)
			require.Equal(t, same(want), same(got), "%s, %d", name, a)
		}
	}
}

// counting is a device that counts what is asked of pinned memory.
type counting struct {
	*host.Device
	pinned atomic.Int64
}

func (d *counting) AllocHost(size uint64) (kernels.HostMemory, error) {
	d.pinned.Add(1)
	return d.Device.AllocHost(size)
}

// TestDynamicHostBuffersUseTheirMemoryAgain from batch to batch.
func TestDynamicHostBuffersUseTheirMemoryAgain(t *testing.T) {
	seq, plan := planned(t, "host.yaml", `
seqplan: 1
name: host
counts: {n: {at: "total[0]", max: 50000}}
steps:
  - {name: a, writes: {total: {type: u32, count: 1}}}
  - {name: b, writes: {x: {type: u8, count: n, scope: host}, y: {type: u8, count: n, scope: host}}}
`)
	for name, with := range hosted() {
		var pinned [2]int64
		for i, batches := range []int{3, 30} {
			dev := &counting{Device: host.New(host.Options{})}
			r, err := play.Run(seq, plan, dev, with(play.Options{Batches: batches}))
			require.NoError(t, err)
			require.True(t, r.Sound())
			require.GreaterOrEqual(t, r.HostHigh, uint64(100_000))
			pinned[i] = dev.pinned.Load()
		}
		require.Equal(t, pinned[0], pinned[1], name)
	}
}
