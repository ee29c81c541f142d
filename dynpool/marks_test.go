package dynpool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// scratch has a mark, and a list of at most ten buffers; step 0 places one buffer of
// its own, and step 1 another.
func scratch() (*kernelstest.Sequence, dynpool.List, abi.Offset) {
	const limit = 10
	s := &kernelstest.Sequence{
		Statics: []abi.StaticBuffer{
			{Name: "mark", Size: 8, ElemSize: 8},
			{Name: "sizes", Size: limit * 8, ElemSize: 8},
			{Name: "out", Size: limit * abi.SlotSize, ElemSize: abi.SlotSize},
			{Name: "count", Size: 8, ElemSize: 8},
			{Name: "work", Size: kernels.ListWorkSize(limit), ElemSize: 64},
		},
		Steps: []kernelstest.Step{
			{Allocs: []kernelstest.Buffer{{Name: "own", Code: kernelstest.Const(100)}}},
			{Allocs: []kernelstest.Buffer{{Name: "late", Code: kernelstest.Const(1)}}},
		},
	}
	at := func(i int) abi.Offset { return abi.Offset(s.Offset(i)) }
	return s, dynpool.List{Sizes: at(1), Out: at(2), Count: at(3), Limit: limit, Work: at(4)}, at(0)
}

// put enqueues to write words.
func (r *rig) put(at abi.Offset, words ...uint64) {
	b := make([]byte, len(words)*abi.WordSize)
	abi.PutWords(b, words)
	require.NoError(r.t, r.stream.CopyToDevice(r.pool.Addr(at), b))
}

// slotsAt reads an array of slots.
func (r *rig) slotsAt(at abi.Offset, n int) (out []abi.Slot) {
	b := r.read(r.pool.Addr(at), n*abi.SlotSize)
	for i := range n {
		out = append(out, abi.ReadSlot(b[i*abi.SlotSize:]))
	}
	return out
}

// begin starts a batch and runs step 0.
func (r *rig) begin() *dynpool.Batch {
	b, err := r.pool.Begin(r.stream)
	require.NoError(r.t, err)
	require.NoError(r.t, b.Step(0))
	return b
}

// TestMarkRelease: what kernels take by themselves is given back.
func TestMarkRelease(t *testing.T) {
	s, _, mark := scratch()
	r := newRig(t, s, dynpool.WithArena(4096))
	require.NoError(t, r.dev.Register("take", func(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
		pool, err := mem.Rest(kernels.Addr(args[0]))
		arena.Alloc(pool, r.pool.Layout().ControlOffset, args[1])
		return err
	}))
	take, err := r.dev.Kernel("take")
	require.NoError(t, err)
	for _, test := range []struct {
		release bool
		want    uint64 // offset of the buffer of step 1 in the arena
		high    uint64
	}{{true, 256, 256 + 1024}, {false, 256 + 1024, 256 + 1024 + 256}} {
		b := r.begin()
		require.NoError(t, r.pool.Mark(r.stream, mark))
		require.NoError(t, r.stream.Launch(take, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{uint64(r.pool.Base()), 1000}))
		if test.release {
			require.NoError(t, r.pool.Release(r.stream, mark))
		}
		require.NoError(t, b.Step(1))
		status, err := b.End()
		require.NoError(t, err)
		require.Equal(t, r.pool.ArenaStart()+test.want, status.Slots[1].Offset)
		require.Equal(t, test.high, status.High)
	}

	// A buffer of the program lies above the mark.
	b := r.begin()
	require.NoError(t, r.pool.Mark(r.stream, mark))
	require.NoError(t, b.Step(1))
	require.NoError(t, r.pool.Release(r.stream, mark))
	_, err = b.End()
	only(t, err, dynpool.ErrProgram)
	require.ErrorContains(t, err, "late")
	r.close()
}

// TestList places a list in the middle of a batch; a count above the limit and a
// list that does not fit end it.
func TestList(t *testing.T) {
	s, list, _ := scratch()
	r := newRig(t, s, dynpool.WithArena(4096))
	start := r.pool.ArenaStart()
	sizes := []uint64{5, 0, 256, 257, 1}
	for _, test := range []struct {
		count uint64
		last  uint64
		want  error
	}{{5, 1, nil}, {0, 1, nil}, {11, 1, dynpool.ErrCount}, {5, 1 << 20, dynpool.ErrExhausted}, {5, ^uint64(0), dynpool.ErrArithmetic}} {
		b := r.begin()
		sizes[4] = test.last
		r.put(list.Sizes, sizes...)
		r.put(list.Count, test.count)
		require.NoError(t, r.pool.AllocList(r.stream, list))
		require.NoError(t, b.Step(1))
		status, err := b.End()
		require.ErrorIs(t, err, test.want)
		if test.want != nil {
			only(t, err, test.want)
			require.Equal(t, abi.NotPlaced, status.Slots[1].Offset, "the failure is of the batch")
			continue
		}
		end := start + 256
		if test.count > 0 {
			require.Equal(t, []abi.Slot{
				{Offset: end, Size: 5},
				{Offset: end + 256, Size: 0},
				{Offset: end + 256, Size: 256},
				{Offset: end + 512, Size: 257},
				{Offset: end + 1024, Size: 1},
			}, r.slotsAt(list.Out, 5))
			end += 1280
		}
		require.Equal(t, end, status.Slots[1].Offset)
	}
	r.close()
}

// TestListGrid: a block for each chunk, up to a limit; the scan has one.
func TestListGrid(t *testing.T) {
	for limit, blocks := range map[uint64]uint32{
		0: 1, 1: 1, kernels.ListChunk: 1, kernels.ListChunk + 1: 2, 1 << 20: 256, 1 << 23: 1024,
	} {
		s := &kernelstest.Sequence{
			Statics: []abi.StaticBuffer{
				{Name: "sizes", Size: limit * 8, ElemSize: 8},
				{Name: "out", Size: limit * abi.SlotSize, ElemSize: abi.SlotSize},
				{Name: "count", Size: 8, ElemSize: 8},
				{Name: "work", Size: kernels.ListWorkSize(limit), ElemSize: 64},
			},
			Steps: []kernelstest.Step{{}},
		}
		at := func(i int) abi.Offset { return abi.Offset(s.Offset(i)) }
		r := newRig(t, s)
		b := r.begin()
		r.put(at(2), 0)
		stream := &gridStream{Stream: r.stream}
		require.NoError(t, r.pool.AllocList(stream, dynpool.List{Sizes: at(0), Out: at(1), Count: at(2), Limit: limit, Work: at(3)}))
		require.Equal(t, []string{kernels.ListSum, kernels.ListScan, kernels.ListPlace}, stream.names)
		require.Equal(t, []kernels.Grid{{Blocks: blocks, Threads: 256}, {Blocks: 1, Threads: 256}, {Blocks: blocks, Threads: 256}}, stream.grids)
		_, err := b.End()
		require.NoError(t, err)
		r.close()
	}
}

type gridStream struct {
	kernels.Stream
	names []string
	grids []kernels.Grid
}

func (s *gridStream) Launch(k kernels.Kernel, g kernels.Grid, a kernels.Args) error {
	s.names, s.grids = append(s.names, k.Name()), append(s.grids, g)
	return s.Stream.Launch(k, g, a)
}

// TestOffsets: what lies outside, across the runtime's own areas, not aligned or
// over another area is refused, and nothing is enqueued.
func TestOffsets(t *testing.T) {
	s, list, mark := scratch()
	r := newRig(t, s, dynpool.WithArena(4096))
	l := r.pool.Layout()
	size := l.Device.Size + 4096
	calls := func(at abi.Offset) []error {
		return []error{r.pool.Mark(r.stream, at), r.pool.Release(r.stream, at)}
	}
	for _, err := range append(calls(mark), r.pool.AllocList(r.stream, list)) {
		require.ErrorIs(t, err, dynpool.ErrEnded, "no batch yet")
	}
	b := r.begin()
	counting := &countingStream{Stream: r.stream}
	r.stream = counting
	for _, at := range []uint64{
		size, size - 7, size - 4, uint64(mark) + 4, ^uint64(0), ^uint64(0) - 7,
		l.ControlOffset, l.ControlOffset + 120, l.SlotsOffset, l.ExtentsOffset, l.ProgramOffset,
	} {
		for _, err := range calls(abi.Offset(at)) {
			require.ErrorIs(t, err, kernels.ErrOutOfBounds, "%d", at)
		}
	}
	for name, spoil := range map[string]func(*dynpool.List){
		"sizes outside":          func(l *dynpool.List) { l.Sizes = abi.Offset(size - 72) },
		"sizes not aligned":      func(l *dynpool.List) { l.Sizes += 4 },
		"slots outside":          func(l *dynpool.List) { l.Out = abi.Offset(size - 152) },
		"slots not aligned":      func(l *dynpool.List) { l.Out += 4 },
		"slots over the program": func(m *dynpool.List) { m.Out = abi.Offset(l.ProgramOffset) },
		"count outside":          func(l *dynpool.List) { l.Count = abi.Offset(size) },
		"count not aligned":      func(l *dynpool.List) { l.Count++ },
		"work outside":           func(l *dynpool.List) { l.Work = abi.Offset(size - 64) },
		"work not aligned":       func(l *dynpool.List) { l.Work += 8 },
		"work over the control":  func(l *dynpool.List) { l.Work = 0 },
		"limit":                  func(l *dynpool.List) { l.Limit = 1 << 61 },
		"limit of the slots":     func(l *dynpool.List) { l.Limit = 1 << 60 },
		"limit outside":          func(l *dynpool.List) { l.Limit = 1 << 20 },
	} {
		bad := list
		spoil(&bad)
		require.ErrorIs(t, r.pool.AllocList(r.stream, bad), kernels.ErrOutOfBounds, name)
	}
	for name, spoil := range map[string]func(*dynpool.List){
		"slots over the sizes": func(l *dynpool.List) { l.Out = l.Sizes + 72 },
		"slots over the count": func(l *dynpool.List) { l.Out = l.Count - 152 },
		"work over the sizes":  func(l *dynpool.List) { l.Work = l.Sizes + 64 },
		"work over the count":  func(l *dynpool.List) { l.Work = l.Count - 64 },
		"work over the slots":  func(l *dynpool.List) { l.Work = l.Out + 128 },
	} {
		bad := list
		spoil(&bad)
		require.ErrorIs(t, r.pool.AllocList(r.stream, bad), dynpool.ErrOverlap, name)
	}
	for _, err := range []error{r.pool.Mark(nil, mark), r.pool.Release(nil, mark), r.pool.AllocList(nil, list)} {
		require.ErrorIs(t, err, kernels.ErrForeign)
	}
	require.Zero(t, counting.launches)

	// The length may be a value of the runtime, and all may lie in the arena.
	good := dynpool.List{
		Sizes: abi.Offset(size - 80), Out: abi.Offset(size - 256), Limit: 10,
		Count: abi.Offset(l.SlotsOffset + 8), Work: abi.Offset(size - 512),
	}
	require.NoError(t, r.pool.AllocList(r.stream, good))
	require.Equal(t, 3, counting.launches)
	// What has no bytes overlaps nothing.
	empty := dynpool.List{Count: list.Count, Work: list.Work, Out: list.Work + 8, Sizes: list.Work + 16}
	require.NoError(t, r.pool.AllocList(r.stream, empty))
	_, err := b.End()
	only(t, err, dynpool.ErrCount)
	require.ErrorContains(t, err, "a list has 100 entries")
	r.stream = counting.Stream
	r.close()
}

// TestNoMarkKernel: a device that lacks a kernel says so when it is needed.
func TestNoMarkKernel(t *testing.T) {
	s, list, mark := scratch()
	for _, name := range []string{kernels.Mark, kernels.ListScan} {
		dev := &lacking{Device: host.New(host.Options{}), name: name}
		pool, err := dynpool.Open(dev, s.Layout())
		require.NoError(t, err)
		stream, err := dev.NewStream()
		require.NoError(t, err)
		b, err := pool.Begin(stream)
		require.NoError(t, err)
		if name == kernels.Mark {
			require.ErrorIs(t, pool.Mark(stream, mark), kernels.ErrNotSupported)
			require.NoError(t, pool.Release(stream, mark))
			found := dev.found
			require.NoError(t, pool.Release(stream, mark))
			require.Equal(t, found, dev.found, "it is looked up once")
		} else {
			require.ErrorIs(t, pool.AllocList(stream, list), kernels.ErrNotSupported)
		}
		_, _ = b.End()
		require.NoError(t, stream.Close())
		require.NoError(t, pool.Close())
		require.NoError(t, dev.Close())
	}
}
