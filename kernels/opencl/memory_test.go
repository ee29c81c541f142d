package opencl

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// Ranges keep their distance, are as aligned as the memory, and are never used
// again.
func TestAddresses(t *testing.T) {
	d := openDevice(t)
	r := rand.New(rand.NewPCG(1, 2))
	end := kernels.Addr(firstRange)
	var live []kernels.Addr
	for range 200 {
		size := 1 + r.Uint64N(1<<r.IntN(20))
		a, err := d.Alloc(size)
		require.NoError(t, err)
		require.GreaterOrEqual(t, a, end)
		require.Zero(t, uint64(a)%d.info.BaseAlign)
		mem, offset, err := d.locate(a+kernels.Addr(size-1), 1)
		require.NoError(t, err)
		require.Equal(t, uintptr(size-1), offset)
		seen, err := d.see(mem)
		require.NoError(t, err)
		require.Equal(t, seen%page, uint64(a)%page)
		end = a + kernels.Addr(size) + page
		if live = append(live, a); len(live) > 5 {
			i := r.IntN(len(live))
			require.NoError(t, d.Free(live[i]))
			live = append(live[:i], live[i+1:]...)
		}
	}
	for _, a := range live {
		require.NoError(t, d.Free(a))
	}
	require.Zero(t, d.used)
}

// Each access that is not inside one live allocation is refused at once.
func TestBounds(t *testing.T) {
	d := openDevice(t)
	require.NoError(t, d.Load(testKernels, testSignatures...))
	s := newStream(t, d)
	a, other := alloc(t, d, 100), alloc(t, d, 100)
	freed, err := d.Alloc(100)
	require.NoError(t, err)
	require.NoError(t, d.Free(freed))
	buffer := make([]byte, 8)
	k := lookup(t, d, "test_add")
	for _, test := range []struct {
		name     string
		at       kernels.Addr
		err      error // nil: fine
		asKernel error
	}{
		{"the first bytes", a, nil, nil},
		{"the last bytes", a + 92, nil, nil},
		{"one byte too far", a + 93, kernels.ErrOutOfBounds, nil},
		{"the end", a + 100, kernels.ErrOutOfBounds, nil},
		{"behind the end", a + 101, kernels.ErrBadAddress, kernels.ErrBadAddress},
		{"before the start", a - 1, kernels.ErrBadAddress, kernels.ErrBadAddress},
		{"from the gap into an allocation", other - 4, kernels.ErrBadAddress, kernels.ErrBadAddress},
		{"null", 0, kernels.ErrBadAddress, kernels.ErrBadAddress},
		{"freed", freed, kernels.ErrBadAddress, kernels.ErrBadAddress},
		{"the last address", ^kernels.Addr(0), kernels.ErrBadAddress, kernels.ErrBadAddress},
	} {
		for name, err := range map[string]error{
			"to device": s.CopyToDevice(test.at, buffer),
			"to host":   s.CopyToHost(buffer, test.at),
			"copy to":   s.CopyDevice(test.at, other, 8),
			"copy from": s.CopyDevice(other, test.at, 8),
			"memset":    s.Memset(test.at, 1, 8),
		} {
			require.True(t, errors.Is(err, test.err), "%s: %s: %v", test.name, name, err)
		}
		err := s.Launch(k, one, kernels.Args{uint64(test.at), 0, uint64(a)})
		require.True(t, errors.Is(err, test.asKernel), "%s: %v", test.name, err)
	}
	// Sizes that would wrap past the end of the address space, and none at all.
	require.ErrorIs(t, s.Memset(a+1, 1, ^uint64(0)), kernels.ErrOutOfBounds)
	require.NoError(t, s.Memset(a+100, 1, 0))
	require.NoError(t, s.CopyDevice(a+100, a, 0))
	require.ErrorIs(t, s.Memset(a+101, 1, 0), kernels.ErrBadAddress)
	require.ErrorIs(t, s.CopyToDevice(0, nil), kernels.ErrBadAddress)
	require.ErrorIs(t, s.CopyDevice(a, 0, 0), kernels.ErrBadAddress)
	require.NoError(t, s.Synchronize())

	var e *Error
	require.ErrorAs(t, s.CopyDevice(a, a+4, 8), &e)
	require.Equal(t, Error{Call: "clEnqueueCopyBuffer", Code: -8, Name: "CL_MEM_COPY_OVERLAP"}, *e)
	require.NoError(t, s.Synchronize())
}

func TestMemoryLimits(t *testing.T) {
	d := openDevice(t)
	d.maxAlloc, d.info.Memory = 1<<20, 3<<20/2
	_, err := d.Alloc(1<<20 + 1)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.ErrorContains(t, err, "1048577 bytes asked for, the driver gives at most 1048576 in one piece")
	_, err = d.AllocHost(1<<20 + 1)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	a, err := d.Alloc(1 << 20)
	require.NoError(t, err)
	_, err = d.Alloc(1<<19 + 1)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.ErrorContains(t, err, "524289 bytes asked for, 1048576 of 1572864 in use")
	b, err := d.Alloc(1 << 19)
	require.NoError(t, err)
	require.NoError(t, d.Free(a))
	a, err = d.Alloc(1 << 20)
	require.NoError(t, err)
	require.NoError(t, d.Free(a))
	require.NoError(t, d.Free(b))

	// The driver has the last word.
	d.maxAlloc, d.info.Memory = ^uint64(0), ^uint64(0)
	for _, size := range []uint64{1 << 61, ^uint64(0)} {
		_, err = d.Alloc(size)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
		_, err = d.AllocHost(size)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	}
	require.Zero(t, d.used)
	// And addresses may run out.
	d.next = ^uint64(0) - page
	_, err = d.Alloc(1)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
}

// Pinned memory that is freed while a copy is queued stays until that is done.
func TestFreeOfPinnedMemoryInUse(t *testing.T) {
	d := openDevice(t)
	s, a := newStream(t, d), alloc(t, d, 64<<20)
	for i := range byte(4) {
		m, err := d.AllocHost(64 << 20)
		require.NoError(t, err)
		m.Bytes()[64<<20-1] = 7 + i
		require.NoError(t, s.CopyToDevice(a, m.Bytes()))
		require.NoError(t, m.Free())
		require.Nil(t, m.Bytes())
		require.ErrorIs(t, m.Free(), kernels.ErrClosed)
		got := make([]byte, 1)
		require.NoError(t, s.CopyToHost(got, a+64<<20-1))
		require.NoError(t, s.Synchronize())
		require.Equal(t, 7+i, got[0])
	}
}

// Memory is allocated, freed and looked up by several goroutines; the device is
// closed under them. Run with -race.
func TestConcurrentUse(t *testing.T) {
	openDevice(t)
	d, err := Open("", Options{})
	require.NoError(t, err)
	require.NoError(t, d.Load(testKernels, testSignatures...))
	add := lookup(t, d, "test_add")
	started, ended := make(chan bool), sync.WaitGroup{}
	for w := range byte(4) {
		ended.Go(func() {
			s, err := d.NewStream()
			if err != nil {
				t.Error(err)
				return
			}
			for i := 0; err == nil; i++ {
				if i == 5 {
					started <- true
				}
				err = useOnce(d, s, add, w)
			}
			if !errors.Is(err, kernels.ErrClosed) && !errors.Is(err, kernels.ErrBadAddress) {
				t.Errorf("worker %d: %v", w, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	for range 4 {
		<-started
	}
	require.ErrorContains(t, d.Close(), "closed too early")
	ended.Wait()
	require.Equal(t, Live{}, d.Live())
	require.Zero(t, d.held)
	require.Zero(t, d.context)
}

func useOnce(d *Device, s kernels.Stream, add kernels.Kernel, w byte) error {
	a, err := d.Alloc(16)
	if err != nil {
		return err
	}
	m, err := d.AllocHost(16)
	if err != nil {
		return err
	}
	e, err := d.NewEvent()
	if err != nil {
		return errors.Join(err, m.Free())
	}
	err = errors.Join(
		s.Memset(a, w, 16),
		s.Launch(add, one, kernels.Args{uint64(a), 1, uint64(a) + 8}),
		s.Record(e), s.Wait(e),
		s.CopyToHost(m.Bytes(), a), s.Synchronize())
	if err == nil && (m.Bytes()[0] != w || m.Bytes()[8] != 2*w) {
		err = errors.New("wrong bytes")
	}
	return errors.Join(err, e.Close(), m.Free(), d.Free(a))
}
