//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// Attributes by number and width. What they cannot be never reaches the driver.
func TestPoolAttributes(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, p := newStream(t, d), newPool(t, d)
	attrs := func() (values [8]uint64) {
		for i := range values {
			v, err := p.GetAttr(kernels.PoolAttr(i + 1))
			require.NoError(t, err)
			values[i] = v
		}
		return values
	}
	require.Equal(t, [8]uint64{1, 1, 1, 0, 0, 0, 0, 0}, attrs())
	a, err := p.MallocAsync(5<<30, s)
	require.NoError(t, err)
	require.NoError(t, p.FreeAsync(a, s))
	a, err = p.MallocAsync(1000, s)
	require.NoError(t, err)
	require.Equal(t, [8]uint64{1, 1, 1, 0, 5 << 30, 5 << 30, 1000, 5 << 30}, attrs())
	for attr, value := range map[kernels.PoolAttr]uint64{1: 0, 2: 0, 3: 0, 4: ^uint64(0), 8: 0} {
		require.NoError(t, p.SetAttr(attr, value))
	}
	require.NoError(t, p.TrimTo(4<<30))
	require.NoError(t, p.SetAttr(kernels.PoolReservedHigh, 0))
	require.Equal(t, [8]uint64{0, 0, 0, ^uint64(0), 4 << 30, 4 << 30, 1000, 1000}, attrs())
	require.NoError(t, p.SetAttr(kernels.PoolReuseAllowOpportunistic, 1))
	require.NoError(t, p.TrimTo(0))
	require.Equal(t, [8]uint64{0, 1, 0, ^uint64(0), 1000, 4 << 30, 1000, 1000}, attrs())

	calls := f.count("fake_calls")
	for _, test := range []struct {
		attr  kernels.PoolAttr
		value uint64
		want  string
	}{
		{0, 1, "there is no attribute 0"},
		{9, 0, "there is no attribute 9"},
		{1<<32 - 1, 0, "there is no attribute 4294967295"},
		{1, 2, "reuse_follow_event_dependencies cannot be set to 2: it takes 0 or 1"},
		{2, 1 << 32, "reuse_allow_opportunistic cannot be set to 4294967296: it takes 0 or 1"},
		{3, ^uint64(0), "reuse_allow_internal_dependencies cannot be set to 18446744073709551615: it takes 0 or 1"},
		{5, 0, "reserved_mem_current cannot be set to 0: it is read-only"},
		{6, 1, "reserved_mem_high cannot be set to 1: it takes 0 only, to begin again"},
		{7, 5, "used_mem_current cannot be set to 5: it is read-only"},
		{8, 1 << 40, "used_mem_high cannot be set to 1099511627776: it takes 0 only, to begin again"},
	} {
		require.EqualError(t, p.SetAttr(test.attr, test.value), "memory pool: bad attribute: "+test.want)
		if _, err := p.GetAttr(test.attr); test.attr < 1 || test.attr > 8 {
			require.EqualError(t, err, "memory pool: bad attribute: "+test.want)
		} else {
			require.NoError(t, err)
			calls += 2 // the context, and what was asked for
		}
	}
	require.Equal(t, calls, f.count("fake_calls"))
	require.NoError(t, p.FreeAsync(a, s))
	require.NoError(t, p.Destroy())
	_, err = p.GetAttr(kernels.PoolUsedHigh)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, p.SetAttr(kernels.PoolUsedHigh, 0), kernels.ErrClosed)
}
