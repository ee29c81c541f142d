package kernelstest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

// Benchmark measures a device: steps, resets, a list of a million buffers, the inline
// allocation by number of threads, and the pattern kernels. The device must have
// ContendKernel. A time is that of the wall, from the first call to the end of the
// last work.
func Benchmark(b *testing.B, dev kernels.Device) {
	for _, bench := range []struct {
		name string
		run  func(b *testing.B, d *device)
	}{
		{"step of 10", benchStep}, {"reset", benchReset}, {"list of 1000000", benchList}, {"alloc", benchAlloc}, {"memory", benchMemory},
	} {
		b.Run(bench.name, func(b *testing.B) {
			d := &device{Device: dev, t: b}
			d.stream = d.newStream()
			defer d.release()
			bench.run(b, d)
		})
	}
}

// Seldom is how often a host waits that has no need to: a queue has an end.
const Seldom = 500

// Timed enqueues work b.N times. The host waits for it after each waitEvery times, and
// in the end.
func Timed(b *testing.B, s kernels.Stream, waitEvery int, enqueue func() error) {
	b.Helper()
	require.NoError(b, enqueue())
	require.NoError(b, s.Synchronize())
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if err := enqueue(); err != nil {
			b.Fatal(err)
		}
		if (i+1)%waitEvery == 0 {
			require.NoError(b, s.Synchronize())
		}
	}
	require.NoError(b, s.Synchronize())
	b.StopTimer()
}

// tenBuffers is a sequence with one step that places ten buffers, each of which loads a
// count, checks it and multiplies it by an element size. The arena mode is bump.
func tenBuffers() *Sequence {
	s := &Sequence{Statics: []abi.StaticBuffer{{Name: "counts", Size: 80, ElemSize: 8}}}
	var step Step
	for i := range uint64(10) {
		code := slices.Concat(Const(i), s.Load(0), Const(5000), Code(abi.OpCheckMax), Const(12), Code(abi.OpMul))
		step.Allocs = append(step.Allocs, Buffer{Code: code})
	}
	s.Steps = []Step{step}
	return s
}

// farEnd is a capacity that no benchmark comes near. The memory is not there: the
// allocator does not touch what it gives out.
const farEnd = 1 << 60

// Stepper is a device pool with a step that places ten buffers.
type Stepper struct {
	d    *device
	l    *abi.Layout
	pool kernels.Addr
}

// NewStepper makes a Stepper on a stream. Close it in the end.
func NewStepper(b *testing.B, dev kernels.Device, stream kernels.Stream) *Stepper {
	return newStepper(&device{Device: dev, t: b, stream: stream})
}

func newStepper(d *device) *Stepper {
	s := tenBuffers()
	p := &Stepper{d: d, l: s.Layout()}
	image := Image(p.l, farEnd, 0)
	for i := range uint64(10) {
		abi.PutWords(image[s.Offset(0)+8*i:], []uint64{100 * i})
	}
	p.pool = d.upload(image)
	require.NoError(d.t, p.Launch(kernels.Reset))
	return p
}

// Launch launches the kernel Reset, or Step with the index 0.
func (p *Stepper) Launch(name string) error {
	k, err := p.d.Kernel(name)
	if err != nil {
		return err
	}
	return p.d.stream.Launch(k, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{uint64(p.pool), p.l.ControlOffset, p.l.ProgramOffset})
}

// Sound fails if a step has not placed its buffers.
func (p *Stepper) Sound() { p.d.placed(p.pool + kernels.Addr(p.l.ControlOffset)) }

// Close gives the memory back.
func (p *Stepper) Close() { p.d.release() }

// placed fails if something was refused, or nothing was placed.
func (d *device) placed(control kernels.Addr) {
	line := abi.ReadControl(d.read(control, abi.ControlSize))
	require.Zero(d.t, line.Code)
	require.NotZero(d.t, line.Next)
}

func benchStep(b *testing.B, d *device) {
	p := newStepper(d)
	step := func() error { return p.Launch(kernels.Step) }
	b.Run("in a stream", func(b *testing.B) { Timed(b, d.stream, Seldom, step) })
	b.Run("with a wait", func(b *testing.B) { Timed(b, d.stream, 1, step) })
	p.Sound()
}

func benchReset(b *testing.B, d *device) {
	p := newStepper(d)
	Timed(b, d.stream, Seldom, func() error { return p.Launch(kernels.Reset) })
}

func benchList(b *testing.B, d *device) {
	const n, at = 1_000_000, 256
	sizes, slots := uint64(at), uint64(at+8*n)
	work := slots + abi.SlotSize*n
	image := make([]byte, work+kernels.ListWorkSize(n))
	putArena(image)
	abi.PutWords(image[abi.ControlSize:], []uint64{n})
	for i := range uint64(n) {
		abi.PutWords(image[sizes+8*i:], []uint64{i % 1000})
	}
	pool := d.upload(image)
	args := kernels.Args{uint64(pool), 0, sizes, slots, abi.ControlSize, n, work}
	chunks := uint32((n + kernels.ListChunk - 1) / kernels.ListChunk)
	many, one := kernels.Grid{Blocks: chunks, Threads: 256}, kernels.Grid{Blocks: 1, Threads: 1024}
	Timed(b, d.stream, Seldom, func() error {
		for i, name := range []string{kernels.ListSum, kernels.ListScan, kernels.ListPlace} {
			k, err := d.Kernel(name)
			if err == nil {
				err = d.stream.Launch(k, []kernels.Grid{many, one, many}[i], args)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/buffer")
	d.placed(pool)
}

// putArena writes the control block of an arena that no benchmark fills.
func putArena(image []byte) {
	abi.HostLine{Magic: abi.Magic, ArenaStart: contendStart, ArenaCapacity: farEnd, ArenaAlign: align}.Put(image)
	abi.DeviceLine{FirstFailed: abi.NoSlot}.Put(image[abi.LineSize:])
}

// benchAlloc: some threads take a million pieces together.
func benchAlloc(b *testing.B, d *device) {
	const n = 1 << 20
	image := make([]byte, contendSizes+8*n+abi.SlotSize*n)
	putArena(image)
	for i := range uint64(n) {
		abi.PutWords(image[contendSizes+8*i:], []uint64{1 + i%256})
	}
	pool := d.upload(image)
	k, err := d.Kernel(ContendKernel)
	require.NoError(b, err)
	args := kernels.Args{uint64(pool), 0, contendSizes, contendSizes + 8*n, n}
	for _, threads := range []uint32{1, 32, 256, 4096, 65536, n} {
		grid := kernels.Grid{Blocks: max(1, threads/256), Threads: min(threads, 256)}
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			Timed(b, d.stream, Seldom, func() error { return d.stream.Launch(k, grid, args) })
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds()/1e6, "million/s")
		})
	}
	d.placed(pool)
}

// benchMemory is what the device does with its memory: the memset and the copy of the
// driver, and the kernels that fill and check a pattern. Those report their speed as a
// share of that of the driver: fill of memset, check of copy, which moves each byte
// twice.
func benchMemory(b *testing.B, d *device) {
	size := uint64(1 << 28)
	if testing.Short() {
		size = 16 << 20
	}
	pool, other, report := d.alloc(size), d.alloc(size), d.report()
	pattern := func(name string, tail ...uint64) func() error {
		k, err := d.Kernel(name)
		require.NoError(b, err)
		args := kernels.Args{uint64(pool), 0, uint64(kernels.StaticPlace(0)), 0, size, 1}
		copy(args[6:], tail)
		return func() error { return d.stream.Launch(k, kernels.Grid{Blocks: 1024, Threads: 256}, args) }
	}
	memset := func() error { return d.stream.Memset(pool, 1, size) }
	duplicate := func() error { return d.stream.CopyDevice(other, pool, size) }
	fill, check := pattern(kernels.Fill), pattern(kernels.Check, uint64(report))
	for _, work := range []struct {
		name    string
		do      func() error
		moves   uint64 // times that each byte is read or written
		limit   func() error
		limited string
		of      uint64 // moves of the limit
	}{
		{name: "memset", do: memset, moves: 1},
		{name: "copy", do: duplicate, moves: 2},
		{"fill", fill, 1, memset, "of-memset", 1},
		{"check", check, 1, duplicate, "of-copy", 2},
	} {
		b.Run(work.name, func(b *testing.B) {
			require.NoError(b, fill())
			b.SetBytes(int64(work.moves * size))
			Timed(b, d.stream, Seldom, work.do)
			if work.limit == nil {
				return
			}
			require.NoError(b, work.limit())
			require.NoError(b, d.stream.Synchronize())
			start := time.Now()
			for range b.N {
				require.NoError(b, work.limit())
			}
			require.NoError(b, d.stream.Synchronize())
			limit := time.Since(start).Seconds() / float64(work.of)
			b.ReportMetric(limit/b.Elapsed().Seconds()*float64(work.moves), work.limited)
		})
	}
	require.Zero(b, d.result(report).Mismatches)
}
