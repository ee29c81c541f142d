package ascend_test

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
)

func TestFree(t *testing.T) {
	f := newFake(t)
	d, other := f.open(), f.open()
	a, err := d.Alloc(100)
	require.NoError(t, err)
	for _, bad := range []kernels.Addr{0, a - 1, a + 1, a + 64, a + 100, a + 128} {
		require.ErrorIs(t, d.Free(bad), kernels.ErrBadAddress)
	}
	require.ErrorIs(t, other.Free(a), kernels.ErrBadAddress)
	require.NoError(t, d.Free(a))
	require.ErrorIs(t, d.Free(a), kernels.ErrBadAddress)
	require.Equal(t, 1, f.count("aclrtFree"))
	m, err := d.AllocHost(100)
	require.NoError(t, err)
	require.NoError(t, m.Free())
	require.Nil(t, m.Bytes())
	require.ErrorIs(t, m.Free(), kernels.ErrClosed)
	require.Equal(t, 1, f.count("aclrtFreeHost"))
	_, err = d.Alloc(0)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	_, err = d.AllocHost(0)
	require.ErrorIs(t, err, kernels.ErrZeroSize)

	// Sizes that no driver need ever see, and one that it refuses.
	for _, size := range []uint64{math.MaxUint64, math.MaxUint64 - 63, 1 << 61, 64<<30 + 1} {
		_, err = d.Alloc(size)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	}
	for _, size := range []uint64{math.MaxUint64, 1 << 61, 1<<48 + 1, 1 << 48} {
		_, err = d.AllocHost(size)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	}
	require.Equal(t, 1, f.count("aclrtMalloc"))
	require.Equal(t, 2, f.count("aclrtMallocHost"))
	require.NoError(t, d.Close())
	require.NoError(t, other.Close())
}

// Copies and memsets are checked before the driver sees them.
func TestBounds(t *testing.T) {
	f := newFake(t)
	d := f.open()
	a, err := d.Alloc(100)
	require.NoError(t, err)
	b, err := d.Alloc(100)
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	calls := len(f.log())
	buf := make([]byte, 101)
	for _, test := range []struct {
		name string
		addr kernels.Addr
		size int
		want error
	}{
		{"too long", a, 101, kernels.ErrOutOfBounds},
		{"at the end", a + 100, 1, kernels.ErrOutOfBounds},
		{"over the end", a + 99, 2, kernels.ErrOutOfBounds},
		{"before", a - 1, 1, kernels.ErrBadAddress},
		{"behind", a + 101, 1, kernels.ErrBadAddress},
		{"nowhere", 8, 1, kernels.ErrBadAddress},
		{"nothing", 8, 0, nil},
	} {
		n := uint64(test.size)
		for _, err := range []error{
			s.CopyToDevice(test.addr, buf[:n]), s.CopyToHost(buf[:n], test.addr), s.Memset(test.addr, 1, n),
			s.CopyDevice(test.addr, b, n), s.CopyDevice(b, test.addr, n),
		} {
			if test.want == nil {
				require.NoError(t, err, test.name)
			} else {
				require.ErrorIs(t, err, test.want, test.name)
			}
		}
	}
	require.ErrorIs(t, s.CopyDevice(a, b, math.MaxUint64), kernels.ErrOutOfBounds)
	require.ErrorIs(t, s.Memset(a+1, 0, math.MaxUint64), kernels.ErrOutOfBounds)
	require.Len(t, f.log(), calls)
	require.NoError(t, s.Close())
	require.NoError(t, d.Free(a))
	require.NoError(t, d.Free(b))
	require.NoError(t, d.Close())
}

// Memory is not taken away under work that is queued, in any stream.
func TestFreeUnderWork(t *testing.T) {
	f := newFake(t)
	d := f.open()
	first, err := d.NewStream()
	require.NoError(t, err)
	second, err := d.NewStream()
	require.NoError(t, err)
	for range 3 {
		a, err := d.Alloc(64)
		require.NoError(t, err)
		b, err := d.Alloc(64)
		require.NoError(t, err)
		m, err := d.AllocHost(64)
		require.NoError(t, err)
		require.NoError(t, first.Memset(a, 3, 64))
		require.NoError(t, second.CopyToDevice(b, m.Bytes()))
		require.NoError(t, m.Free())
		require.NoError(t, first.Memset(a, 4, 64))
		require.NoError(t, second.Memset(b, 4, 64))
		require.NoError(t, d.Free(b))
		require.NoError(t, d.Free(a))
	}
	// Nothing is queued: nobody waits.
	before := f.count("aclrtSynchronizeStream")
	a, err := d.Alloc(64)
	require.NoError(t, err)
	require.NoError(t, d.Free(a))
	require.Equal(t, before, f.count("aclrtSynchronizeStream"))
	require.NoError(t, first.Close())
	require.NoError(t, second.Close())
	require.NoError(t, d.Close())
}

// Many at once: tables stay right, each piece of memory goes back once.
func TestConcurrentMemory(t *testing.T) {
	f := newFake(t)
	d := f.open()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			s, err := d.NewStream()
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 20 {
				size := uint64(100 + 7*w + i)
				a, err := d.Alloc(size)
				m, err2 := d.AllocHost(size)
				if err != nil || err2 != nil {
					t.Error(err, err2)
					return
				}
				for _, err := range []error{
					s.Memset(a, byte(w), size), s.CopyToHost(m.Bytes(), a), s.Synchronize(),
				} {
					if err != nil {
						t.Error(err)
					}
				}
				for _, b := range m.Bytes() {
					if b != byte(w) {
						t.Errorf("worker %d reads %d", w, b)
						return
					}
				}
				if err := d.Free(a); err != nil {
					t.Error(err)
				}
				if err := m.Free(); err != nil {
					t.Error(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.NoError(t, d.Close())
}

// A call that cannot make the context current has done nothing.
func TestCallAgain(t *testing.T) {
	f := newFake(t)
	d := f.open()
	s, err := d.NewStream()
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	a, err := d.Alloc(64)
	require.NoError(t, err)
	m, err := d.AllocHost(64)
	require.NoError(t, err)
	require.NoError(t, s.Memset(a, 7, 64))
	for i, call := range []func() error{
		func() error { return s.CopyToHost(make([]byte, 64), a) },
		func() error { return s.CopyToHost(m.Bytes(), a) },
		func() error { return m.Free() },
		func() error { return d.Free(a) },
		e.Close, s.Close, d.Close,
	} {
		f.failAt(len(f.log())+1, 107002)
		var e *ascend.Error
		require.ErrorAs(t, call(), &e, i)
		require.Equal(t, "aclrtSetCurrentContext", e.Call)
		require.NoError(t, call(), i)
		if i == 1 {
			require.NoError(t, s.Synchronize())
			require.Equal(t, byte(7), m.Bytes()[63])
			require.NoError(t, s.Memset(a, 8, 64))
		}
	}
}
