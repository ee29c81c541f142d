package dynpool_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// failingStream fails the call that has a given number, from 1, and knows whether
// work is queued that nobody has waited for.
type failingStream struct {
	kernels.Stream
	calls, fail int
	queued      int
}

var errBroken = errors.New("broken")

func (s *failingStream) call(enqueue func() error) error {
	if s.calls++; s.calls == s.fail {
		return errBroken
	}
	s.queued++
	return enqueue()
}

func (s *failingStream) CopyToDevice(a kernels.Addr, b []byte) error {
	return s.call(func() error { return s.Stream.CopyToDevice(a, b) })
}

func (s *failingStream) CopyToHost(b []byte, a kernels.Addr) error {
	return s.call(func() error { return s.Stream.CopyToHost(b, a) })
}

func (s *failingStream) Launch(k kernels.Kernel, g kernels.Grid, a kernels.Args) error {
	return s.call(func() error { return s.Stream.Launch(k, g, a) })
}

func (s *failingStream) Synchronize() error {
	s.queued = 0
	return s.Stream.Synchronize()
}

// TestEveryCallFails fails each call to the stream in turn. The error comes back, no
// copy from or to the pool's own memory stays queued, and the next batch is good.
func TestEveryCallFails(t *testing.T) {
	s := small()
	s.Steps[2].Wait = true
	r := newRig(t, s, dynpool.WithArena(1<<16))
	for fail := 1; ; fail++ {
		stream := &failingStream{Stream: r.stream, fail: fail}
		b, err := r.pool.Begin(stream, 7, 2)
		if err != nil {
			require.ErrorIs(t, err, errBroken)
			require.Nil(t, b)
			require.Zero(t, stream.queued, "call %d", fail)
		} else {
			for step := range abi.StepID(3) {
				err = errors.Join(err, b.Step(step))
				if step == 0 {
					r.leave(10, 21)
				}
			}
			_, endErr := b.End()
			err = errors.Join(err, endErr)
			require.Zero(t, stream.queued, "call %d", fail)
		}
		if stream.calls < fail {
			require.NoError(t, err)
			break
		}
		require.ErrorIs(t, err, errBroken, "call %d", fail)

		b, status, err := r.batch(7, 10, 21)
		require.NoError(t, err, "the batch after the failure of call %d", fail)
		require.Equal(t, uint64(40), status.Slots[hits].Size)
		require.Equal(t, uint64(1), status.Slots[tracks].Size)
		require.Len(t, b.HostSlot(names), 70)
	}
	r.close()
}

// TestHostInPlaceRoom: a host buffer may be larger than its base, up to the
// rounded size, as on the device.
func TestHostInPlaceRoom(t *testing.T) {
	r := newRig(t, &kernelstest.Sequence{Steps: []kernelstest.Step{{Allocs: []kernelstest.Buffer{
		{Host: true, Code: kernelstest.Const(100)},
		{Host: true, Code: kernelstest.Const(1)},
		{Host: true, InPlace: true, InPlaceOf: 0, Code: kernelstest.Const(256)},
		{Host: true, InPlace: true, InPlaceOf: 2, Code: kernelstest.Const(50)},
	}}}})
	b, err := r.pool.Begin(r.stream)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	_, err = b.End()
	require.NoError(t, err)
	base, neighbour, taker := b.HostSlot(0), b.HostSlot(1), b.HostSlot(2)
	require.Len(t, base, 100)
	require.Len(t, taker, 256)
	require.Len(t, b.HostSlot(3), 50)
	for _, m := range [][]byte{taker, b.HostSlot(3)} {
		require.Equal(t, unsafe.SliceData(base), unsafe.SliceData(m))
	}
	neighbour[0] = 1
	clear(taker)
	require.Equal(t, byte(1), neighbour[0])
	r.close()
}

// pinnedCounter counts pieces of host memory and aligns none of them.
type pinnedCounter struct {
	kernels.Device
	pieces int
	bytes  uint64
}

type shiftedMemory struct{ kernels.HostMemory }

func (m shiftedMemory) Bytes() []byte { return m.HostMemory.Bytes()[8:] }

func (d *pinnedCounter) AllocHost(size uint64) (kernels.HostMemory, error) {
	d.pieces++
	d.bytes += size
	m, err := d.Device.AllocHost(size + 8)
	return shiftedMemory{m}, err
}

// TestHostGrowth: many buffers need few pieces, the same demand again needs none,
// and the memory is aligned although that of the device is not.
func TestHostGrowth(t *testing.T) {
	const buffers, size = 200, 64 << 10
	var allocs []kernelstest.Buffer
	for range buffers {
		allocs = append(allocs, kernelstest.Buffer{Host: true, Code: kernelstest.Const(size)})
	}
	inner := host.New(host.Options{})
	dev := &pinnedCounter{Device: inner}
	pool, err := dynpool.Open(dev, (&kernelstest.Sequence{Steps: []kernelstest.Step{{Allocs: allocs}}}).Layout())
	require.NoError(t, err)
	stream, err := inner.NewStream()
	require.NoError(t, err)
	*dev = pinnedCounter{Device: inner}
	var after [4]int
	for i := range after {
		b, err := pool.Begin(stream)
		require.NoError(t, err)
		require.NoError(t, b.Step(0))
		_, err = b.End()
		require.NoError(t, err)
		for slot := range abi.SlotID(buffers) {
			m := b.HostSlot(slot)
			require.Len(t, m, size)
			require.Zero(t, uintptr(unsafe.Pointer(unsafe.SliceData(m)))%256)
		}
		after[i] = dev.pieces
	}
	require.LessOrEqual(t, after[0], 9, "64 KiB, 128 KiB, ... hold 200 times 64 KiB")
	require.LessOrEqual(t, after[1], after[0]+1)
	require.Equal(t, after[1], after[3], "the same demand needs nothing new")
	require.Less(t, dev.bytes, uint64(5*buffers*size))
	require.NoError(t, stream.Close())
	require.NoError(t, pool.Close())
	require.NoError(t, inner.Close())
}

// A pool is as good as before after a Begin without a stream.
func TestBeginWithoutStream(t *testing.T) {
	seq, diags := sequences.Read("t.yaml", []byte("seqplan: 1\nname: t\nsteps: [{name: a, writes: {x: {type: u8, count: 3}}}]\n"))
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	pool, err := dynpool.Open(host.New(host.Options{}), plan.Layout)
	require.NoError(t, err)
	_, err = pool.Begin(nil)
	require.ErrorIs(t, err, kernels.ErrForeign)
	require.NoError(t, pool.Close())
}
