package kernelstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// Run tests a back end. open opens a fresh device for each test; the test closes
// it.
func Run(t *testing.T, open func() kernels.Device) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, d *device)
	}{
		{"Memory", testMemory},
		{"HostMemory", testHostMemory},
		{"Copies", testCopies},
		{"Memset", testMemset},
		{"FreedMemory", testFreedMemory},
		{"LargeOffsets", testLargeOffsets},
		{"Streams", testStreams},
		{"StreamErrors", testStreamErrors},
		{"Events", testEvents},
		{"EventChains", testEventChains},
		{"EventDone", testEventDone},
		{"EventQuery", testEventQuery},
		{"ClosedEvent", testClosedEvent},
		{"EventConcurrency", testEventConcurrency},
		{"Kernels", testKernels},
		{"Fill", testFill},
		{"Check", testCheck},
		{"CheckSums", testCheckSums},
		{"Values", testValues},
		{"Slots", testSlots},
		{"Program", testProgram},
		{"RandomPrograms", testRandomPrograms},
		{"BrokenPrograms", testBrokenPrograms},
		{"BrokenArena", testBrokenArena},
		{"Reuse", testReuse},
		{"BrokenExtents", testBrokenExtents},
		{"Marks", testMarks},
		{"Lists", testLists},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := &device{Device: open(), t: t}
			d.stream = d.newStream()
			test.run(t, d)
			d.close()
		})
	}
}

// device is a device that fails the test where a call fails.
type device struct {
	kernels.Device
	t      testing.TB
	stream kernels.Stream
	undo   []func() error
}

// release gives back what the helpers made, last first.
func (d *device) release() {
	for i := len(d.undo) - 1; i >= 0; i-- {
		require.NoError(d.t, d.undo[i]())
	}
}

func (d *device) close() {
	d.release()
	require.NoError(d.t, d.Close())
}

func (d *device) newStream() kernels.Stream {
	s, err := d.NewStream()
	require.NoError(d.t, err)
	d.undo = append(d.undo, s.Close)
	return s
}

func (d *device) newEvent() kernels.Event {
	e, err := d.NewEvent()
	require.NoError(d.t, err)
	d.undo = append(d.undo, e.Close)
	return e
}

func (d *device) alloc(size uint64) kernels.Addr {
	a, err := d.Alloc(size)
	require.NoError(d.t, err)
	d.undo = append(d.undo, func() error { return d.Free(a) })
	return a
}

func (d *device) pinned(size uint64) []byte {
	m, err := d.AllocHost(size)
	require.NoError(d.t, err)
	d.undo = append(d.undo, m.Free)
	return m.Bytes()
}

func (d *device) sync() { require.NoError(d.t, d.stream.Synchronize()) }

// upload allocates device memory that holds some bytes.
func (d *device) upload(b []byte) kernels.Addr {
	a := d.alloc(uint64(len(b)))
	d.write(a, b)
	return a
}

// write writes device memory and waits.
func (d *device) write(a kernels.Addr, b []byte) {
	staging := d.pinned(uint64(len(b)))
	copy(staging, b)
	require.NoError(d.t, d.stream.CopyToDevice(a, staging))
	d.sync()
}

// read waits and reads device memory.
func (d *device) read(a kernels.Addr, size uint64) []byte {
	landing := d.pinned(size)
	require.NoError(d.t, d.stream.CopyToHost(landing, a))
	d.sync()
	return append([]byte(nil), landing...)
}

// launch launches a kernel with one block.
func (d *device) launch(name string, args ...uint64) {
	d.launchOn(kernels.Grid{Blocks: 1, Threads: 1}, name, args...)
}

func (d *device) launchOn(grid kernels.Grid, name string, args ...uint64) {
	k, err := d.Kernel(name)
	require.NoError(d.t, err)
	var a kernels.Args
	copy(a[:], args)
	require.NoError(d.t, d.stream.Launch(k, grid, a))
}

// bytesOf returns some bytes that differ from one seed to the next.
func bytesOf(seed byte, size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = seed + byte(i) + byte(i>>8)*3
	}
	return b
}
