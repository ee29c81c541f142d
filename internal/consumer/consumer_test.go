package consumer

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/kernels/host"
)

// The generated API as users write it down. A change of a name or a type here
// breaks their builds.
var (
	_ uint64         = PlanHash
	_ uint64         = DevicePoolSize
	_ uint64         = DevicePoolAlign
	_ uint64         = HostPoolSize
	_ uint64         = HostPoolAlign
	_ uint64         = ArenaAlign
	_ uint64         = ArenaTypical
	_ uint64         = ArenaWorst
	_ uint64         = MaxTracks
	_ abi.Offset     = ClusterOffsetsOffset
	_ uint64         = ClusterOffsetsSize
	_ uint64         = ClusterOffsetsMaxCount
	_ uint64         = ClusterOffsetsElemSize
	_ uint64         = ClusterOffsetsAlign
	_ abi.HostOffset = RawSizesOffset
	_ abi.SlotID     = ClustersSlot
	_ uint64         = ClustersMaxSize
	_ uint64         = ClustersMaxCount
	_ abi.StepID     = StepDecode
	_ [NumSteps]int
	_ [NumSlots]int

	_ func(Params) (uint64, error)                                = ClusterOffsetsCount
	_ func(Params, Counts) (uint64, error)                        = ClustersCount
	_ func(kernels.Device, ...dynpool.Option) (*Pool, error)      = Open
	_ func(*Pool, kernels.Stream, Params) (*dynpool.Batch, error) = (*Pool).Begin
	_ func(*Pool) kernels.Addr                                    = (*Pool).ClusterOffsets
	_ func(*Pool) []byte                                          = (*Pool).RawSizes
	_ func(*Pool) kernels.Addr                                    = (*Pool).ClustersSlot
	_ func(*Pool, *dynpool.Batch) []byte                          = (*Pool).Summary
)

// A batch on the host back end: what the device places has the size that the
// generated functions compute, and lies where the slot says.
func TestBatch(t *testing.T) {
	dev := host.New(host.Options{})
	pool, err := Open(dev, dynpool.WithCapacity(DevicePoolSize+1<<20))
	require.NoError(t, err)
	stream, err := dev.NewStream()
	require.NoError(t, err)

	params, counts := Params{NEvents: 10, NModules: 52}, Counts{NClusters: 13000}
	require.Equal(t, []uint64{10, 52}, params.Values())
	batch, err := pool.Begin(stream, params)
	require.NoError(t, err)
	require.NoError(t, batch.Step(StepDecode))
	// The kernel of the step would leave this count.
	count := binary.LittleEndian.AppendUint32(nil, uint32(counts.NClusters))
	at := pool.ClusterOffsets() + kernels.Addr(ClusterOffsetsElemSize*params.NEvents)
	require.NoError(t, stream.CopyToDevice(at, count))
	require.NoError(t, batch.Step(StepCluster))
	require.NoError(t, batch.Step(StepTrack))
	status, err := batch.End()
	require.NoError(t, err)

	arena := uint64(0)
	for _, dynamic := range []struct {
		slot     abi.SlotID
		elements func(Params, Counts) (uint64, error)
		elemSize uint64
		address  kernels.Addr
		host     bool
	}{
		{ClustersSlot, ClustersCount, ClustersElemSize, pool.ClustersSlot(), false},
		{HitUsedSlot, HitUsedCount, HitUsedElemSize, pool.HitUsedSlot(), false},
		{TrackWeightsSlot, TrackWeightsCount, TrackWeightsElemSize, pool.TrackWeightsSlot(), false},
		{SummarySlot, SummaryCount, SummaryElemSize, pool.SlotAddr(SummarySlot), true},
	} {
		n, err := dynamic.elements(params, counts)
		require.NoError(t, err)
		slot := status.Slots[dynamic.slot]
		require.Equal(t, n*dynamic.elemSize, slot.Size)
		if dynamic.host {
			require.Len(t, batch.HostSlot(dynamic.slot), int(slot.Size))
		} else {
			require.Equal(t, DevicePoolSize+arena, slot.Offset)
			arena += (slot.Size + ArenaAlign - 1) / ArenaAlign * ArenaAlign
		}
		// The slot as a kernel reads it.
		raw := make([]byte, abi.SlotSize)
		require.NoError(t, stream.CopyToHost(raw, dynamic.address))
		require.NoError(t, stream.Synchronize())
		require.Equal(t, slot, abi.ReadSlot(raw))
	}
	require.Equal(t, arena, status.Next)
	require.Len(t, pool.Summary(batch), int(status.Slots[SummarySlot].Size))

	require.Equal(t, pool.Base()+kernels.Addr(TracksOffset), pool.Tracks())
	require.Len(t, pool.RawSizes(), int(RawSizesSize))
	require.NoError(t, stream.Close())
	require.NoError(t, pool.Close())
	require.NoError(t, dev.Close())
}

// What does not fit names the buffer, and a value outside its range is refused.
func TestBatchFailures(t *testing.T) {
	dev := host.New(host.Options{})
	pool, err := Open(dev) // no arena
	require.NoError(t, err)
	stream, err := dev.NewStream()
	require.NoError(t, err)
	_, err = pool.Begin(stream, Params{NEvents: 1001, NModules: 1})
	var outside *dynpool.RangeError
	require.ErrorAs(t, err, &outside)

	batch, err := pool.Begin(stream, Params{NEvents: 1, NModules: 1})
	require.NoError(t, err)
	require.NoError(t, batch.Step(StepDecode))
	require.NoError(t, stream.CopyToDevice(pool.ClusterOffsets()+4, []byte{7, 0, 0, 0}))
	require.NoError(t, batch.Step(StepCluster))
	_, err = batch.End()
	require.ErrorIs(t, err, dynpool.ErrExhausted)
	require.ErrorContains(t, err, "clusters")
	require.NoError(t, pool.Close())
}

// An arena of ArenaWorst bytes holds the largest batch, and nothing less does.
func TestArenaWorst(t *testing.T) {
	params := Params{NEvents: 1000, NModules: 52}
	for _, test := range []struct {
		arena uint64
		want  error
	}{{ArenaWorst, nil}, {ArenaWorst - ArenaAlign, dynpool.ErrExhausted}} {
		dev := host.New(host.Options{})
		pool, err := Open(dev, dynpool.WithArena(test.arena))
		require.NoError(t, err)
		stream, err := dev.NewStream()
		require.NoError(t, err)
		batch, err := pool.Begin(stream, params)
		require.NoError(t, err)
		require.NoError(t, batch.Step(StepDecode))
		count := binary.LittleEndian.AppendUint32(nil, uint32(5000*params.NEvents))
		at := pool.ClusterOffsets() + kernels.Addr(ClusterOffsetsElemSize*params.NEvents)
		require.NoError(t, stream.CopyToDevice(at, count))
		require.NoError(t, batch.Step(StepCluster))
		require.NoError(t, batch.Step(StepTrack))
		require.Nil(t, pool.Summary(batch), "the batch has not ended")
		status, err := batch.End()
		require.ErrorIs(t, err, test.want)
		if err == nil {
			require.Equal(t, ArenaWorst, status.Next)
			require.Equal(t, ClustersMaxSize, status.Slots[ClustersSlot].Size)
			require.Equal(t, ClustersMaxCount, status.Slots[ClustersSlot].Size/ClustersElemSize)
			require.Len(t, pool.Summary(batch), int(SummaryMaxSize))
		}
		require.NoError(t, stream.Close())
		require.NoError(t, pool.Close())
		require.NoError(t, dev.Close())
	}
}

func TestCounts(t *testing.T) {
	n, err := WorkCount(Params{NEvents: 3})
	require.NoError(t, err)
	require.Equal(t, uint64(194), n) // ceil(3 * 129 / 2)
	n, err = TrackPointersCount(Params{NEvents: 5})
	require.NoError(t, err)
	require.Equal(t, 5*MaxTracks, n)
	n, err = SummaryCount(Params{}, Counts{NClusters: 130})
	require.NoError(t, err)
	require.Equal(t, uint64(3), n)
	_, err = TracksCount(Params{NEvents: 1 << 60})
	require.ErrorIs(t, err, checked.ErrOverflow)
	n, err = TrackWeightsCount(Params{NEvents: 1 << 60}, Counts{NClusters: 1})
	require.ErrorIs(t, err, checked.ErrOverflow, "an error inside of a count_of is not lost")
	require.Zero(t, n)
}
