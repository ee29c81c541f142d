package ascend_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// Off is 0 here, whatever the driver calls it; one that stays on is told.
func TestPoolSwitches(t *testing.T) {
	f := newFake(t)
	for _, off := range []uintptr{0, 2, 1} {
		f.reset()
		f.call("fake_set_off", off)
		d := f.openPool()
		for attr := kernels.PoolReuseFollowEventDependencies; attr <= kernels.PoolReuseAllowInternalDependencies; attr++ {
			on, err := d.pool.GetAttr(attr)
			require.NoError(t, err)
			require.EqualValues(t, 1, on)
			err = d.pool.SetAttr(attr, 0)
			if off == 1 {
				require.ErrorIs(t, err, kernels.ErrNotSupported)
				require.ErrorContains(t, err, attr.String())
			} else {
				require.NoError(t, err)
				on, err = d.pool.GetAttr(attr)
				require.NoError(t, err)
				require.Zero(t, on)
			}
			require.NoError(t, d.pool.SetAttr(attr, 1))
			on, err = d.pool.GetAttr(attr)
			require.NoError(t, err)
			require.EqualValues(t, 1, on)
			before := len(f.log())
			require.ErrorContains(t, d.pool.SetAttr(attr, 2), attr.String()+" cannot be set to 2: it takes 0 or 1")
			require.Error(t, d.pool.SetAttr(attr, 1<<32))
			require.Len(t, f.log(), before)
		}
		d.end(t)
	}
}

func TestPoolAttrs(t *testing.T) {
	f := newFake(t)
	d := f.open()
	props := poolProps(0)
	props.MaxSize = 14 << 30
	p, err := d.NewPool(props)
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	get := func(attr kernels.PoolAttr) uint64 {
		n, err := p.GetAttr(attr)
		require.NoError(t, err)
		return n
	}
	require.Zero(t, get(kernels.PoolReleaseThreshold))
	require.NoError(t, p.SetAttr(kernels.PoolReleaseThreshold, 5<<30+1), "more than 32 bits")
	require.EqualValues(t, 5<<30+1, get(kernels.PoolReleaseThreshold))
	require.ErrorContains(t, p.SetAttr(kernels.PoolReleaseThreshold, math.MaxUint64), "release_threshold of 18446744073709551615: aclrtMemPoolSetAttr")
	require.NoError(t, p.SetAttr(kernels.PoolReleaseThreshold, 0))

	a, err := p.MallocAsync(4<<30, s)
	require.NoError(t, err)
	b, err := p.MallocAsync(2<<30, s)
	require.NoError(t, err)
	require.NoError(t, p.FreeAsync(a, s))
	require.NoError(t, s.Synchronize())
	for attr, want := range map[kernels.PoolAttr]uint64{
		kernels.PoolReservedCurrent: 2 << 30, kernels.PoolReservedHigh: 6 << 30,
		kernels.PoolUsedCurrent: 2 << 30, kernels.PoolUsedHigh: 6 << 30,
	} {
		require.Equal(t, want, get(attr), attr)
	}
	for _, attr := range []kernels.PoolAttr{kernels.PoolReservedHigh, kernels.PoolUsedHigh} {
		before := len(f.log())
		require.ErrorContains(t, p.SetAttr(attr, 1), attr.String()+" cannot be set to 1: it takes 0 only")
		require.Len(t, f.log(), before)
		require.NoError(t, p.SetAttr(attr, 0))
		require.EqualValues(t, 2<<30, get(attr))
	}
	before := len(f.log())
	for _, attr := range []kernels.PoolAttr{kernels.PoolReservedCurrent, kernels.PoolUsedCurrent} {
		require.ErrorContains(t, p.SetAttr(attr, 0), attr.String()+" cannot be set to 0: it is read-only")
	}
	for _, attr := range []kernels.PoolAttr{0, 9, math.MaxUint32} {
		require.ErrorContains(t, p.SetAttr(attr, 0), "there is no attribute")
		_, err := p.GetAttr(attr)
		require.ErrorContains(t, err, "there is no attribute")
	}
	require.Len(t, f.log(), before)
	require.NoError(t, p.FreeAsync(b, s))
	require.NoError(t, p.Destroy())
	require.NoError(t, s.Close())
	require.NoError(t, d.Close())
}
