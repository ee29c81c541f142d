package opencl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// allocKernel is kernelstest.AllocKernel: a kernel of a user that allocates.
const allocKernel = `
__kernel void seqplan_test_alloc(__global uchar *base_mem, ulong base_off, ulong control, ulong size, ulong at) {
	if (get_global_id(0) == 0)
		*(__global ulong *)(base_mem + base_off + at) = seqplan_alloc(base_mem + base_off, control, size);
}
`

// TestDifferential runs 10,000 random programs and compares the pool after each
// launch with that of the oracle.
func TestDifferential(t *testing.T) {
	d := openDevice(t)
	s := newStream(t, d)
	alloc := kernels.Signature{Name: kernelstest.AllocKernel, Args: make([]kernels.ArgKind, 4)}
	alloc.Args[0] = kernels.Address
	require.NoError(t, d.Load(allocKernel, alloc))
	r := &replay{d: d, s: s, signatures: append(kernels.Builtins(), alloc)}
	defer r.free(t)
	grids := []kernels.Grid{{Blocks: 1, Threads: 1}, {Blocks: 1, Threads: 16}, {Blocks: 3, Threads: 16}, {Blocks: 2, Threads: 1}}
	for c := range kernelstest.Programs(0, 10_000) {
		r.run(t, c, grids[c.Seed%uint64(len(grids))])
	}
}

// replay runs cases on a device.
type replay struct {
	d          *Device
	s          *stream
	signatures []kernels.Signature
	pool       kernels.Addr
	size       uint64
	after      kernels.HostMemory // the pool before the first launch, and after each
}

// run queues all launches of a case before it waits for the first.
func (r *replay) run(t *testing.T, c *kernelstest.Case, grid kernels.Grid) {
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
		require.NoError(t, r.s.Launch(lookup(t, r.d, l.Name()), grid, args))
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
func (r *replay) reserve(t *testing.T, pool, after int) {
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

func (r *replay) free(t *testing.T) {
	if r.after != nil {
		require.NoError(t, r.after.Free())
		require.NoError(t, r.d.Free(r.pool))
	}
}
