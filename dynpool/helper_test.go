package dynpool_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// small is the sequence of most tests. Step 0 leaves two counts; step 1 allocates
// hits (4 bytes each, at most 1000), flags (1 byte each) and names in host memory;
// step 2 allocates tracks, whose number is the second count.
func small() *kernelstest.Sequence {
	s := &kernelstest.Sequence{
		Params:  []abi.Param{{Name: "n_events", Min: 1, Max: 100}, {Name: "n_modules", Min: 2, Max: 3}},
		Statics: []abi.StaticBuffer{{Name: "counts", Size: 8, ElemSize: 4}},
	}
	c, op := kernelstest.Const, kernelstest.Code
	count := func(i uint64) []uint64 { return slices.Concat(c(i), s.Load(0)) }
	hits := slices.Concat(count(0), c(1000), op(abi.OpCheckMax))
	s.Steps = []kernelstest.Step{
		{},
		{Allocs: []kernelstest.Buffer{
			{Name: "hits", Code: slices.Concat(hits, c(4), op(abi.OpMul))},
			{Name: "flags", Code: hits},
			{Name: "names", Host: true, Code: slices.Concat(kernelstest.Param(0), c(10), op(abi.OpMul))},
		}},
		{Releases: []uint64{1}, Allocs: []kernelstest.Buffer{
			{Name: "tracks", Code: slices.Concat(count(1), c(20), op(abi.OpSub))},
		}},
	}
	return s
}

const (
	hits abi.SlotID = iota
	flags
	names
	tracks
)

// rig is a pool with a stream on a device.
type rig struct {
	t      testing.TB
	dev    *host.Device
	pool   *dynpool.Pool
	stream kernels.Stream
	counts kernels.Addr
}

func newRig(t testing.TB, s *kernelstest.Sequence, opts ...dynpool.Option) *rig {
	t.Helper()
	dev := host.New(host.Options{})
	pool, err := dynpool.Open(dev, s.Layout(), opts...)
	require.NoError(t, err)
	stream, err := dev.NewStream()
	require.NoError(t, err)
	r := &rig{t: t, dev: dev, pool: pool, stream: stream}
	if len(s.Statics) > 0 {
		r.counts = pool.Addr(abi.Offset(s.Offset(0)))
	}
	return r
}

// close checks that everything can be given back.
func (r *rig) close() {
	r.t.Helper()
	require.NoError(r.t, r.stream.Close())
	require.NoError(r.t, r.pool.Close())
	require.NoError(r.t, r.dev.Close())
}

// leave enqueues what the kernel of step 0 does: it leaves the counts.
func (r *rig) leave(counts ...uint32) {
	r.t.Helper()
	var b []byte
	for _, c := range counts {
		b = binary.LittleEndian.AppendUint32(b, c)
	}
	require.NoError(r.t, r.stream.CopyToDevice(r.counts, b))
}

// batch plays a whole batch of small.
func (r *rig) batch(events uint64, counts ...uint32) (*dynpool.Batch, dynpool.Status, error) {
	r.t.Helper()
	b, err := r.pool.Begin(r.stream, events, 2)
	require.NoError(r.t, err)
	require.NoError(r.t, b.Step(0))
	r.leave(counts...)
	require.NoError(r.t, b.Step(1))
	require.NoError(r.t, b.Step(2))
	status, err := b.End()
	return b, status, err
}

// read waits and reads device memory.
func (r *rig) read(at kernels.Addr, size int) []byte {
	r.t.Helper()
	b := make([]byte, size)
	require.NoError(r.t, r.stream.CopyToHost(b, at))
	require.NoError(r.t, r.stream.Synchronize())
	return b
}
