package staticpool_test

import (
	"fmt"
	"log"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
	"github.com/seqplan/seqplan/staticpool"
)

// A generated package holds the layout and the offsets as constants; here they are
// made by hand.
func Example() {
	sequence := kernelstest.Sequence{
		Statics: []abi.StaticBuffer{
			{Name: "clusters", Size: 12000, ElemSize: 12},
			{Name: "offsets", Size: 404, ElemSize: 4},
			{Name: "report", Scope: abi.ScopeHost, Size: 128, ElemSize: 1},
		},
		Steps: []kernelstest.Step{{}},
	}
	offsets := abi.Offset(sequence.Offset(1))
	report := abi.HostOffset(sequence.Offset(2))

	dev := host.New(host.Options{})
	pools, err := staticpool.Open(dev, sequence.Layout(), staticpool.Options{Arena: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("offsets lie at base +", pools.Addr(offsets)-pools.Base())
	fmt.Println("bytes of the report:", len(pools.HostBytes(report, 128)))
	fmt.Println("bytes of the arena:", pools.ArenaCapacity())

	stream, err := dev.NewStream()
	if err != nil {
		log.Fatal(err)
	}
	fill, err := dev.Kernel(kernels.Fill)
	if err != nil {
		log.Fatal(err)
	}
	grid := kernels.Grid{Blocks: 64, Threads: 256}
	args := kernels.Args{uint64(pools.Base()), 0, uint64(kernels.StaticPlace(uint64(offsets))), 0, 404, 1}
	if err := stream.Launch(fill, grid, args); err != nil {
		log.Fatal(err)
	}
	if err := stream.Close(); err != nil { // waits
		log.Fatal(err)
	}
	fmt.Println("closed:", pools.Close(), dev.Close())
	// Output:
	// offsets lie at base + 12288
	// bytes of the report: 128
	// bytes of the arena: 1048576
	// closed: <nil> <nil>
}
