package arena_test

import (
	"testing"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// BenchmarkFloor10 is what BenchmarkStep10 cannot go below: the same ten buffers
// with nothing read and nothing interpreted. Each size is computed, rounded and
// compared with the room, and its slot written.
func BenchmarkFloor10(b *testing.B) {
	const capacity, align = 1 << 30, 256
	counts := [4]uint64{1000, 2000, 3000, 4000}
	slots := make([]byte, 10*abi.SlotSize)
	b.ReportAllocs()
	for b.Loop() {
		var next uint64
		for i := range uint64(10) {
			size, err := checked.Mul(counts[i%4], 12)
			if err != nil {
				b.Fatal(err)
			}
			rounded, err := checked.AlignUp(size, align)
			if err != nil || rounded > capacity || next > capacity-rounded {
				b.Fatal("no room")
			}
			abi.Slot{Offset: next, Size: size}.Put(slots[i*abi.SlotSize:])
			next += rounded
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10, "ns/buffer")
}
