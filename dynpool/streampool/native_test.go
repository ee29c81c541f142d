package streampool_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// withPools is a device whose driver has pools, which only note their calls.
type withPools struct {
	*host.Device
	refuse error
	calls  []string
}

func (d *withPools) NewPool(props kernels.PoolProps) (kernels.Pool, error) {
	d.note("NewPool", props.MaxSize)
	return d, d.refuse
}

func (d *withPools) note(what ...any) { d.calls = append(d.calls, fmt.Sprintln(what...)) }

func (d *withPools) MallocAsync(size uint64, s kernels.Stream) (kernels.Addr, error) {
	d.note("MallocAsync", size, fmt.Sprintf("%T", s))
	return 4096, nil
}

func (d *withPools) FreeAsync(a kernels.Addr, s kernels.Stream) error {
	d.note("FreeAsync", uint64(a), fmt.Sprintf("%T", s))
	return nil
}

func (d *withPools) TrimTo(n uint64) error { d.note("TrimTo", n); return nil }

func (d *withPools) SetAttr(a kernels.PoolAttr, v uint64) error { d.note("SetAttr", a, v); return nil }

func (d *withPools) GetAttr(a kernels.PoolAttr) (uint64, error) { d.note("GetAttr", a); return 77, nil }

func (d *withPools) Destroy() error {
	d.note("Destroy")
	return d.refuse
}

// TestNative: where the driver has pools they are used, with streams of the device.
func TestNative(t *testing.T) {
	for _, choice := range []streampool.Native{streampool.NativeAuto, streampool.NativeOnly} {
		dev := &withPools{Device: host.New(host.Options{})}
		r, err := streampool.New(dev, streampool.Options{Native: choice})
		require.NoError(t, err)
		s, err := r.NewStream()
		require.NoError(t, err)
		p, err := r.Create(props(1 << 20))
		require.NoError(t, err)
		require.True(t, p.Native())
		a, err := p.MallocAsync(100, s)
		require.NoError(t, err)
		require.EqualValues(t, 4096, a)
		_, err = p.MallocAsync(0, s)
		require.ErrorIs(t, err, kernels.ErrZeroSize)
		require.NoError(t, p.FreeAsync(a, s))
		require.NoError(t, s.Synchronize())
		require.NoError(t, p.TrimTo(5))
		require.NoError(t, p.SetAttr(kernels.PoolReleaseThreshold, 6))
		v, err := p.GetAttr(kernels.PoolUsedHigh)
		require.NoError(t, err)
		require.EqualValues(t, 77, v)
		require.Equal(t, streampool.Stats{}, p.Stats())
		dev.refuse = kernels.ErrInUse
		require.ErrorIs(t, p.Destroy(), kernels.ErrInUse)
		dev.refuse = nil
		require.NoError(t, p.Destroy())
		require.ErrorIs(t, p.Destroy(), kernels.ErrClosed)
		for _, err := range []error{
			p.FreeAsync(a, s), p.TrimTo(0), p.SetAttr(kernels.PoolUsedHigh, 0),
			second(p.MallocAsync(1, s)), second(p.GetAttr(kernels.PoolUsedHigh)),
		} {
			require.ErrorIs(t, err, kernels.ErrClosed)
		}
		require.Equal(t, []string{
			"NewPool 1048576\n", "MallocAsync 100 *host.stream\n", "FreeAsync 4096 *host.stream\n", "TrimTo 5\n",
			"SetAttr release_threshold 6\n", "GetAttr used_mem_high\n", "Destroy\n", "Destroy\n",
		}, dev.calls)
		require.NoError(t, s.Close())
		require.NoError(t, r.Close())
	}
}

// TestNativeRefused: without a pool of the driver there is one of this package, if that
// will do. Other errors of the driver are told.
func TestNativeRefused(t *testing.T) {
	missing := fmt.Errorf("%w: no function", kernels.ErrNotSupported)
	for _, c := range []struct {
		choice streampool.Native
		refuse error
		want   error
	}{
		{streampool.NativeAuto, missing, nil},
		{streampool.NativeOnly, missing, kernels.ErrNotSupported},
		{streampool.NativeNever, nil, nil},
		{streampool.NativeAuto, errInjected, errInjected},
		{streampool.NativeOnly, errInjected, errInjected},
	} {
		dev := &withPools{Device: host.New(host.Options{}), refuse: c.refuse}
		r, err := streampool.New(dev, streampool.Options{Native: c.choice})
		require.NoError(t, err)
		p, err := r.Create(props(0))
		if c.want != nil {
			require.ErrorIs(t, err, c.want)
		} else {
			require.NoError(t, err)
			require.False(t, p.Native())
			require.NoError(t, p.Destroy())
		}
		require.Equal(t, c.choice == streampool.NativeNever, len(dev.calls) == 0)
		require.NoError(t, errors.Join(r.Detach(), r.Close()))
	}
}
