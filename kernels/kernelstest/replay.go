package kernelstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// AllocSignature is the signature of AllocKernel.
func AllocSignature() kernels.Signature {
	args := make([]kernels.ArgKind, 4)
	args[0] = kernels.Address
	return kernels.Signature{Name: AllocKernel, Args: args}
}

// Differential runs the random programs of n seeds, from a first one on, on a device and
// compares the pool after each launch with that of the oracle. The launches have the
// shape of each of the grids in turns. The device must have AllocKernel.
func Differential(t *testing.T, dev kernels.Device, first uint64, n int, grids []kernels.Grid) {
	d := &device{Device: dev, t: t}
	d.stream = d.newStream()
	defer d.release()
	r := &replay{device: d, signatures: append(kernels.Builtins(), AllocSignature())}
	defer r.free()
	for c := range Programs(first, n) {
		r.run(c, grids[c.Seed%uint64(len(grids))])
	}
}

// replay runs cases on a device.
type replay struct {
	*device
	signatures []kernels.Signature
	pool       kernels.Addr
	size       uint64
	after      kernels.HostMemory // the pool before the first launch, and after each
}

// run queues all launches of a case before it waits for the first.
func (r *replay) run(c *Case, grid kernels.Grid) {
	n := len(c.Pool)
	r.reserve(n, n*(len(c.Launches)+1))
	copy(r.after.Bytes(), c.Pool)
	got := func(launches int) []byte { return r.after.Bytes()[launches*n:][:n] }
	require.NoError(r.t, r.stream.CopyToDevice(r.pool, got(0)))
	for i, l := range c.Launches {
		args := l.Args
		for j, kind := range r.signatures[l.Kernel].Args {
			if kind == kernels.Address {
				args[j] += uint64(r.pool)
			}
		}
		k, err := r.Kernel(l.Name())
		require.NoError(r.t, err)
		require.NoError(r.t, r.stream.Launch(k, grid, args))
		require.NoError(r.t, r.stream.CopyToHost(got(i+1), r.pool))
	}
	require.NoError(r.t, r.stream.Synchronize())
	c.Expect(func(i int, pool []byte) {
		if c.Hash(pool) != c.Hash(got(i+1)) {
			require.NoError(r.t, c.Compare(pool, got(i+1)), "launch %d on %+v: %s %v", i, grid, c.Launches[i].Name(), c.Launches[i].Args)
		}
	})
}

// reserve makes room for a case.
func (r *replay) reserve(pool, after int) {
	if r.after != nil && uint64(pool) <= r.size && after <= len(r.after.Bytes()) {
		return
	}
	r.free()
	var err error
	r.size = uint64(max(2*pool, 1<<16))
	r.pool, err = r.Alloc(r.size)
	require.NoError(r.t, err)
	r.after, err = r.AllocHost(uint64(max(2*after, 1<<20)))
	require.NoError(r.t, err)
}

func (r *replay) free() {
	if r.after != nil {
		require.NoError(r.t, r.after.Free())
		require.NoError(r.t, r.Free(r.pool))
		r.after = nil
	}
}
