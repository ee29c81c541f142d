package opencl

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

func TestLaunch(t *testing.T) {
	d := openDevice(t)
	require.NoError(t, d.Load(testKernels, testSignatures...))
	s, a := newStream(t, d), alloc(t, d, 2048)
	add := lookup(t, d, "test_add")
	require.Equal(t, "test_add", add.Name())
	mem := make([]byte, 2048)
	for i := range uint64(128) {
		binary.LittleEndian.PutUint64(mem[i*8:], i<<40)
	}
	require.NoError(t, s.CopyToDevice(a, mem))
	require.NoError(t, s.Launch(add, kernels.Grid{Blocks: 3, Threads: 4}, kernels.Args{uint64(a), 128, uint64(a) + 1024}))
	require.NoError(t, s.CopyToHost(mem, a))
	require.NoError(t, s.Synchronize())
	for i := range uint64(128) {
		require.Equal(t, 4*(i<<40), binary.LittleEndian.Uint64(mem[1024+i*8:]), i)
	}
}

func TestGrids(t *testing.T) {
	d := openDevice(t)
	require.NoError(t, d.Load(testKernels, testSignatures...))
	s := newStream(t, d)
	k := lookup(t, d, "test_nothing")
	for _, grid := range []kernels.Grid{{}, {Blocks: 1}, {Threads: 1}} {
		var e *Error
		require.ErrorAs(t, s.Launch(k, grid, kernels.Args{}), &e)
		require.Equal(t, "CL_INVALID_GLOBAL_WORK_SIZE", e.Name)
	}
	err := s.Launch(k, kernels.Grid{Blocks: 1, Threads: ^uint32(0)}, kernels.Args{})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "kernel test_nothing: 4294967295 threads in a block, the device runs at most ")
	most := uint32(k.(*kernel).maxThreads)
	require.NoError(t, s.Launch(k, kernels.Grid{Blocks: 2, Threads: most}, kernels.Args{}))
	require.ErrorIs(t, s.Launch(k, kernels.Grid{Blocks: 1, Threads: most + 1}, kernels.Args{}), kernels.ErrNotSupported)
	require.NoError(t, s.Synchronize())
}

func TestForeign(t *testing.T) {
	d, other := openDevice(t), openDevice(t)
	require.NoError(t, other.Load(testKernels, testSignatures...))
	s := newStream(t, d)
	require.ErrorIs(t, s.Launch(lookup(t, other, "test_nothing"), one, kernels.Args{}), kernels.ErrForeign)
	e, err := other.NewEvent()
	require.NoError(t, err)
	require.ErrorIs(t, s.Record(e), kernels.ErrForeign)
	require.ErrorIs(t, s.Wait(e), kernels.ErrForeign)
	require.NoError(t, e.Close())
}

func TestLoad(t *testing.T) {
	d := openDevice(t)
	integer, address := kernels.Integer, kernels.Address
	sign := func(name string, args ...kernels.ArgKind) kernels.Signature {
		return kernels.Signature{Name: name, Args: args}
	}
	var e *Error
	require.ErrorAs(t, d.Load("\n\n__kernel void broken(void) { nonsense; }", sign("broken")), &e)
	require.Equal(t, "clBuildProgram", e.Call)
	require.Equal(t, "CL_BUILD_PROGRAM_FAILURE", e.Name)
	require.Regexp(t, `:3:.*nonsense`, e.Detail, "the compiler's log, with lines as in the source")

	for _, test := range []struct {
		sign kernels.Signature
		err  string
	}{
		{sign("test_missing"), `kernel "test_missing": clCreateKernel: CL_INVALID_KERNEL_NAME`},
		{sign("test_add", address, integer), `kernel "test_add": has 5 parameters, the signature means 3`},
		{sign("test_add", integer, integer, integer), "has 5 parameters, the signature means 3"},
		{sign("test_add", address, integer, address, 9), "argument 3 is of the unknown kind 9"},
		{sign("test_add", make([]kernels.ArgKind, 9)...), "9 arguments, at most 8 are possible"},
	} {
		err := d.Load(testKernels, testSignatures[0], test.sign)
		require.ErrorContains(t, err, test.err)
		_, err = d.Kernel("test_nothing")
		require.ErrorIs(t, err, kernels.ErrNoKernel, "some kernels were loaded")
	}
	require.ErrorIs(t, d.Load(testKernels, sign("test_missing")), kernels.ErrNoKernel)
	require.ErrorContains(t, d.Load(testKernels, testSignatures[0], testSignatures[0]), `kernel "test_nothing" exists`)
	require.NoError(t, d.Load(testKernels, testSignatures...))
	require.ErrorContains(t, d.Load(testKernels, testSignatures[1]), `kernel "test_add" exists`)

	signature := testSignatures[1].Args
	require.NoError(t, d.Load("__kernel void test_more(ulong a) {}", sign("test_more", integer)))
	require.Equal(t, signature, lookup(t, d, "test_add").(*kernel).kinds)
}

// One kernel, launched from several goroutines, gets the arguments of each launch.
func TestConcurrentLaunches(t *testing.T) {
	d := openDevice(t)
	require.NoError(t, d.Load(testKernels, testSignatures...))
	add := lookup(t, d, "test_add")
	const workers, rounds = 4, 5000
	var wg sync.WaitGroup
	for w := range workers {
		s, a := newStream(t, d), alloc(t, d, 16)
		wg.Go(func() {
			mem := make([]byte, 16)
			binary.LittleEndian.PutUint64(mem, uint64(w+1))
			err := s.CopyToDevice(a, mem)
			for range rounds {
				if err == nil {
					err = s.Launch(add, one, kernels.Args{uint64(a), 1, uint64(a) + 8})
				}
			}
			if err == nil {
				err = s.CopyToHost(mem, a)
			}
			if e := s.Synchronize(); err != nil || e != nil {
				t.Error(err, e)
			}
			if got := binary.LittleEndian.Uint64(mem[8:]); got != uint64(w+1)*rounds {
				t.Errorf("worker %d: %d", w, got)
			}
		})
	}
	wg.Wait()
}

// Go memory that only the driver knows of stays where and what it is.
func TestGoMemoryIsKept(t *testing.T) {
	d := openDevice(t)
	const size = 1 << 20
	s, a, busy := newStream(t, d), alloc(t, d, size), alloc(t, d, 64<<20)
	for i := range byte(5) {
		for range 4 { // takes longer than what follows
			require.NoError(t, s.Memset(busy, i, 64<<20))
		}
		require.NoError(t, s.CopyToDevice(a, bytes.Repeat([]byte{i + 1}, size)))
		require.NotEmpty(t, s.backlog.pending)
		runtime.GC()
		var others [8][]byte // where the garbage collector may have found room
		for j := range others {
			others[j] = bytes.Repeat([]byte{0xEE}, size)
		}
		got := make([]byte, size)
		require.NoError(t, s.CopyToHost(got, a))
		require.NoError(t, s.Synchronize())
		require.Empty(t, s.backlog.pending)
		require.Equal(t, size, bytes.Count(got, []byte{i + 1}))
		runtime.KeepAlive(others)
	}
}

// A stream nobody waits for forgets what has run, and allocates nothing.
func TestBacklogStaysSmall(t *testing.T) {
	d := openDevice(t)
	require.NoError(t, d.Load(testKernels, testSignatures...))
	ahead, waiter, a := newStream(t, d), newStream(t, d), alloc(t, d, 8)
	add, mem := lookup(t, d, "test_add"), make([]byte, 8)
	e, err := d.NewEvent()
	require.NoError(t, err)
	round := func() {
		for range 10 {
			if ahead.Launch(add, one, kernels.Args{uint64(a), 1, uint64(a)}) != nil || ahead.Memset(a, 1, 8) != nil ||
				ahead.CopyToHost(mem, a) != nil || ahead.CopyToDevice(a, mem) != nil {
				t.Fatal("enqueueing failed")
			}
		}
		if ahead.Record(e) != nil || waiter.Wait(e) != nil || waiter.Synchronize() != nil {
			t.Fatal("waiting failed")
		}
	}
	for range 50 {
		round()
	}
	require.Less(t, cap(ahead.backlog.pending), 1000)
	if !raceEnabled { // then a sync.Pool forgets at random
		require.Zero(t, testing.AllocsPerRun(200, round))
	}
	require.NoError(t, e.Close())
}

func BenchmarkLaunch(b *testing.B) {
	d := openDevice(b)
	require.NoError(b, d.Load(testKernels, testSignatures...))
	s, a := newStream(b, d), alloc(b, d, 16)
	for _, test := range []struct {
		name string
		args kernels.Args
	}{
		{"test_nothing", kernels.Args{}},
		{"test_add", kernels.Args{uint64(a), 1, uint64(a) + 8}},
	} {
		k := lookup(b, d, test.name)
		// Enqueue alone, in lots that are waited for with the clock stopped.
		b.Run(test.name+"/enqueue", func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				if s.Launch(k, one, test.args) != nil {
					b.Fatal("launch failed")
				}
				if i%1000 == 999 {
					b.StopTimer()
					require.NoError(b, s.Synchronize())
					b.StartTimer()
				}
			}
		})
		b.Run(test.name+"/throughput", func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if s.Launch(k, one, test.args) != nil {
					b.Fatal("launch failed")
				}
			}
			require.NoError(b, s.Synchronize())
		})
		b.Run(test.name+"/wait", func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if s.Launch(k, one, test.args) != nil || s.Synchronize() != nil {
					b.Fatal("launch failed")
				}
			}
		})
	}
}

// BenchmarkDevice is what every device is measured with.
func BenchmarkDevice(b *testing.B) {
	d := openDevice(b)
	require.NoError(b, d.Load(csrc.ProbeOpenCL(), kernelstest.ContendSignature()))
	kernelstest.Benchmark(b, d)
}
