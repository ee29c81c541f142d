//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestGPUPool takes memory from a pool of the driver in two streams, and frees it in the
// other one.
func TestGPUPool(t *testing.T) { poolReplay(t, openGPU(t), 500) }

// TestPoolOnFake does the same on the fake driver.
func TestPoolOnFake(t *testing.T) {
	f := newFake(t)
	f.call("fake_quiet")
	poolReplay(t, f.open(t), 100)
}

// piece is memory of a pool that a stream has filled.
type piece struct {
	at    kernels.Addr
	size  uint64
	value byte
}

func poolReplay(t *testing.T, d *Device, rounds int) {
	const most = 1 << 20
	p := newPool(t, d)
	streams := []*Stream{newStream(t, d), newStream(t, d)}
	events := []*event{newEvent(t, d), newEvent(t, d)}
	back := pinned(t, d, most)
	r := rand.New(rand.NewPCG(1, 2))
	var queues [2][]piece
	// check reads the oldest piece of the other stream, and frees it.
	check := func(mine int) {
		s, q := streams[mine], &queues[1-mine]
		old := (*q)[0]
		*q = (*q)[1:]
		require.NoError(t, s.CopyToHost(back[:old.size], old.at))
		require.NoError(t, p.FreeAsync(old.at, s))
		require.NoError(t, s.Synchronize())
		require.Equal(t, bytes.Repeat([]byte{old.value}, int(old.size)), back[:old.size])
	}
	for i := range rounds {
		mine := i % 2
		s := streams[mine]
		fresh := piece{size: 1 + r.Uint64N(most), value: byte(i)}
		at, err := p.MallocAsync(fresh.size, s)
		require.NoError(t, err)
		fresh.at = at
		require.NoError(t, s.Memset(at, fresh.value, fresh.size))
		require.NoError(t, s.Record(events[mine]))
		require.NoError(t, s.Wait(events[1-mine]))
		queues[mine] = append(queues[mine], fresh)
		if len(queues[1-mine]) > 4 {
			check(mine)
		}
	}
	used, err := p.GetAttr(kernels.PoolUsedCurrent)
	require.NoError(t, err)
	require.NotZero(t, used)
	reserved, err := p.GetAttr(kernels.PoolReservedCurrent)
	require.NoError(t, err)
	require.GreaterOrEqual(t, reserved, used)
	for mine, s := range streams {
		require.NoError(t, s.Wait(events[1-mine]))
		for len(queues[1-mine]) > 0 {
			check(mine)
		}
	}
	used, err = p.GetAttr(kernels.PoolUsedCurrent)
	require.NoError(t, err)
	require.Zero(t, used)
	require.NoError(t, p.TrimTo(0))
}

// BenchmarkGPUPool is memory that is taken from a pool of the driver, filled and freed in
// one stream. The pool keeps what it has.
func BenchmarkGPUPool(b *testing.B) { benchPool(b, openGPU(b)) }

// BenchmarkPoolOnFake does the same on the fake driver, so it is the time of the Go side
// and the fake.
func BenchmarkPoolOnFake(b *testing.B) {
	f := newFake(b)
	d, err := Open(0, f.opts())
	require.NoError(b, err)
	f.call("fake_quiet")
	b.Cleanup(func() { require.NoError(b, d.Close()) })
	benchPool(b, d)
}

func benchPool(b *testing.B, d *Device) {
	s, p := newStream(b, d), newPool(b, d)
	require.NoError(b, p.SetAttr(kernels.PoolReleaseThreshold, 1<<30))
	kernelstest.Timed(b, s, kernelstest.Seldom, func() error {
		a, err := p.MallocAsync(1<<16, s)
		if err != nil {
			return err
		}
		return errors.Join(s.Memset(a, 1, 1<<16), p.FreeAsync(a, s))
	})
}
