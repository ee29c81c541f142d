package streampool_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// props are those of a pool on device 0.
func props(maxSize uint64) streampool.Props {
	return streampool.Props{
		AllocType: kernels.PoolPinned, HandleType: kernels.PoolHandleNone,
		Location: kernels.PoolLocation{Type: kernels.PoolOnDevice, ID: 0}, MaxSize: maxSize,
	}
}

// world is a device with a runtime that a test uses. When the test ends all must have
// been given back.
type world struct {
	t   testing.TB
	dev *host.Device
	*streampool.Runtime
	undo []func() error
}

func newWorld(t testing.TB, device host.Options, opts streampool.Options) *world {
	t.Helper()
	w := &world{t: t, dev: host.New(device)}
	var err error
	w.Runtime, err = streampool.New(w.dev, opts)
	require.NoError(t, err)
	t.Cleanup(func() {
		for i := len(w.undo) - 1; i >= 0; i-- {
			require.NoError(t, w.undo[i]())
		}
		require.NoError(t, w.Detach())
		require.Equal(t, host.Live{}, w.dev.Live())
		require.NoError(t, w.Close())
	})
	return w
}

func (w *world) stream() kernels.Stream {
	w.t.Helper()
	s, err := w.NewStream()
	require.NoError(w.t, err)
	w.undo = append(w.undo, s.Close)
	return s
}

// finish lets the device run what the stream has, behind the back of the Runtime.
func (w *world) finish(s kernels.Stream) {
	w.t.Helper()
	e, err := w.dev.NewEvent()
	require.NoError(w.t, err)
	require.NoError(w.t, w.Raw(s).Record(e))
	require.NoError(w.t, e.Synchronize())
	require.NoError(w.t, e.Close())
}

func (w *world) event() kernels.Event {
	w.t.Helper()
	e, err := w.NewEvent()
	require.NoError(w.t, err)
	w.undo = append(w.undo, e.Close)
	return e
}

// pool makes a pool that must be empty in the end.
func (w *world) pool(maxSize uint64, attrs ...attr) *pool {
	w.t.Helper()
	p, err := w.Create(props(maxSize))
	require.NoError(w.t, err)
	require.False(w.t, p.Native())
	w.undo = append(w.undo, p.Destroy)
	for _, a := range attrs {
		require.NoError(w.t, p.SetAttr(a.attr, a.value))
	}
	return &pool{p, w.t}
}

type attr struct {
	attr  kernels.PoolAttr
	value uint64
}

// keep is a release threshold that keeps everything.
var keep = attr{kernels.PoolReleaseThreshold, ^uint64(0)}

// only switches all policies off but some.
func only(on ...kernels.PoolAttr) []attr {
	all := []attr{keep}
	for _, a := range []kernels.PoolAttr{
		kernels.PoolReuseFollowEventDependencies, kernels.PoolReuseAllowOpportunistic, kernels.PoolReuseAllowInternalDependencies,
	} {
		value := uint64(0)
		for _, o := range on {
			if o == a {
				value = 1
			}
		}
		all = append(all, attr{a, value})
	}
	return all
}

// pool is a pool whose calls must succeed.
type pool struct {
	*streampool.Pool
	t testing.TB
}

func (p *pool) malloc(size uint64, s kernels.Stream) kernels.Addr {
	p.t.Helper()
	a, err := p.MallocAsync(size, s)
	require.NoError(p.t, err)
	return a
}

func (p *pool) free(a kernels.Addr, s kernels.Stream) {
	p.t.Helper()
	require.NoError(p.t, p.FreeAsync(a, s))
}

func (p *pool) get(a kernels.PoolAttr) uint64 {
	p.t.Helper()
	v, err := p.GetAttr(a)
	require.NoError(p.t, err)
	return v
}

func isDouble(err error) bool { return errors.Is(err, streampool.ErrDoubleFree) }
