//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestGPUDifferential runs 10,000 random programs on the first CUDA device, 500 if the
// tests are to be short, and compares the pool after each launch with that of the oracle.
func TestGPUDifferential(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 500
	}
	differential(t, openGPU(t), 0, n)
}

// TestDifferentialOnFake runs random programs in the same way on the fake driver.
func TestDifferentialOnFake(t *testing.T) {
	f := newHostFake(t)
	differential(t, f.open(t), 60_000, 300)
}

// differentialGrids are the shapes of the launches, in turns: less than a warp, a warp, parts
// of one, the most threads of a block.
var differentialGrids = [...]kernels.Grid{
	{Blocks: 1, Threads: 1},
	{Blocks: 1, Threads: 32},
	{Blocks: 3, Threads: 50},
	{Blocks: 2, Threads: 1},
	{Blocks: 2, Threads: 1024},
}

// differential runs the programs with n seeds. What it allocates stays until the
// device is closed.
func differential(t *testing.T, d *Device, seed uint64, n int) {
	alloc := sign(kernelstest.AllocKernel, 4)
	alloc.Args[0] = kernels.Address
	require.NoError(t, d.LoadModule(csrc.ProbePTX(), alloc))
	r := &caseRunner{d: d, s: newStream(t, d), signatures: append(kernels.Builtins(), alloc)}
	defer r.free(t)
	for c := range kernelstest.Programs(seed, n) {
		r.run(t, c, differentialGrids[c.Seed%uint64(len(differentialGrids))])
	}
}

// caseRunner runs cases on a device.
type caseRunner struct {
	d          *Device
	s          *Stream
	signatures []kernels.Signature
	pool       kernels.Addr
	size       uint64
	after      kernels.HostMemory // the pool before the first launch, and after each
}

// run queues all launches of a case before it waits for the first.
func (r *caseRunner) run(t *testing.T, c *kernelstest.Case, grid kernels.Grid) {
	n := len(c.Pool)
	r.reserve(t, n, n*(len(c.Launches)+1))
	copy(r.after.Bytes(), c.Pool)
	got := func(launches int) []byte { return r.after.Bytes()[launches*n:][:n] }
	require.NoError(t, r.s.CopyToDevice(r.pool, got(0)))
	for i, l := range c.Launches {
		args := l.Args
		for j, kind := range r.signatures[l.Kernel].Args {
			if kind == kernels.Address {
				args[j] += uint64(r.pool)
			}
		}
		k, err := r.d.Kernel(l.Name())
		require.NoError(t, err)
		require.NoError(t, r.s.Launch(k, grid, args))
		require.NoError(t, r.s.CopyToHost(got(i+1), r.pool))
	}
	require.NoError(t, r.s.Synchronize())
	c.Expect(func(i int, pool []byte) {
		if c.Hash(pool) != c.Hash(got(i+1)) {
			require.NoError(t, c.Compare(pool, got(i+1)), "launch %d on %+v: %s %v", i, grid, c.Launches[i].Name(), c.Launches[i].Args)
		}
	})
}

// reserve makes room for a case.
func (r *caseRunner) reserve(t *testing.T, pool, after int) {
	if r.after != nil && uint64(pool) <= r.size && after <= len(r.after.Bytes()) {
		return
	}
	r.free(t)
	var err error
	r.size = uint64(max(2*pool, 1<<16))
	r.pool, err = r.d.Alloc(r.size)
	require.NoError(t, err)
	r.after, err = r.d.AllocHost(uint64(max(2*after, 1<<20)))
	require.NoError(t, err)
}

func (r *caseRunner) free(t *testing.T) {
	if r.after != nil {
		require.NoError(t, r.after.Free())
		require.NoError(t, r.d.Free(r.pool))
		r.after = nil
	}
}
