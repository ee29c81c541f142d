package staticpool_test

import (
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/staticpool"
)

// oddDevice returns addresses and host memory that are aligned to one byte, and
// fails the call with a given number, from 1.
type oddDevice struct {
	kernels.Device
	base  uint64 // what Info tells as BaseAlign
	shift kernels.Addr
	fail  int
	calls int
	sizes []uint64
}

var errBroken = errors.New("broken")

func (d *oddDevice) Info() kernels.Info { return kernels.Info{BaseAlign: d.base} }

func (d *oddDevice) call() error {
	if d.calls++; d.calls == d.fail {
		return errBroken
	}
	return nil
}

func (d *oddDevice) Alloc(size uint64) (kernels.Addr, error) {
	if err := d.call(); err != nil {
		return 0, err
	}
	d.sizes = append(d.sizes, size)
	a, err := d.Device.Alloc(size + uint64(d.shift))
	return a + d.shift, err
}

func (d *oddDevice) Free(a kernels.Addr) error { return d.Device.Free(a - d.shift) }

func (d *oddDevice) AllocHost(size uint64) (kernels.HostMemory, error) {
	if err := d.call(); err != nil {
		return nil, err
	}
	m, err := d.Device.AllocHost(size + uint64(d.shift))
	if err != nil {
		return nil, err
	}
	return oddMemory{m, m.Bytes()[d.shift:]}, nil
}

func (d *oddDevice) NewStream() (kernels.Stream, error) {
	if err := d.call(); err != nil {
		return nil, err
	}
	return d.Device.NewStream()
}

type oddMemory struct {
	kernels.HostMemory
	bytes []byte
}

func (m oddMemory) Bytes() []byte { return m.bytes }

// TestBaseAlign: a device that promises too little gets a larger request, and the
// bases are aligned all the same.
func TestBaseAlign(t *testing.T) {
	for _, test := range []struct {
		base, align, slack uint64
		shift              kernels.Addr
	}{
		{256, 256, 0, 256},
		{512, 256, 0, 512},
		{4096, 4096, 0, 0},
		{0, 256, 255, 1},
		{1, 256, 255, 255},
		{128, 256, 255, 128},
		{16, 1 << 16, 1<<16 - 1, 48},
		{384, 256, 255, 384},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			inner := host.New(host.Options{})
			dev := &oddDevice{Device: inner, base: test.base, shift: test.shift}
			l := good()
			l.Device.Align, l.Device.Size = test.align, max(l.Device.Size, test.align)
			l.Host.Align, l.Host.Size = test.align, max(l.Host.Size, test.align)
			p, err := staticpool.Open(dev, l, staticpool.Options{Arena: 1024})
			require.NoError(t, err)
			require.Equal(t, []uint64{l.Device.Size + 1024 + test.slack}, dev.sizes)
			require.Zero(t, uint64(p.Base())%test.align)
			first := p.HostBytes(0, l.Host.Size)
			require.Len(t, first, int(l.Host.Size))
			require.Zero(t, uintptr(unsafe.Pointer(&first[0]))%uintptr(test.align))

			// The last byte of the pool is inside the allocation.
			s, err := inner.NewStream()
			require.NoError(t, err)
			require.NoError(t, s.Memset(p.Base()+kernels.Addr(p.ArenaStart()+p.ArenaCapacity())-1, 1, 1))
			require.NoError(t, s.Synchronize())
			require.NoError(t, s.Close())
			require.NoError(t, p.Close())
			require.NoError(t, inner.Close())
		})
	}
}

func TestCapacity(t *testing.T) {
	l := good()
	dev := host.New(host.Options{})
	for _, test := range []struct {
		opts  staticpool.Options
		arena uint64
	}{
		{staticpool.Options{}, 0},
		{staticpool.Options{Capacity: l.Device.Size}, 0},
		{staticpool.Options{Capacity: l.Device.Size + 1}, 1},
		{staticpool.Options{Capacity: l.Device.Size + 4096, Arena: 1}, 4096},
		{staticpool.Options{Arena: 777}, 777},
		{staticpool.Options{HostCapacity: l.Host.Size}, 0},
	} {
		p, err := staticpool.Open(dev, l, test.opts)
		require.NoError(t, err, "%+v", test.opts)
		require.Equal(t, test.arena, p.ArenaCapacity(), "%+v", test.opts)
		require.Equal(t, l.Device.Size, p.ArenaStart())
		require.NoError(t, p.Close())
	}
	_, err := staticpool.Open(dev, l, staticpool.Options{Capacity: l.Device.Size - 1})
	var short *staticpool.CapacityError
	require.ErrorAs(t, err, &short)
	require.Equal(t, staticpool.CapacityError{Pool: "device", Need: l.Device.Size, Capacity: l.Device.Size - 1}, *short)
	require.Equal(t, uint64(1), short.Short())
	require.ErrorContains(t, err, "device pool does not fit")

	_, err = staticpool.Open(dev, l, staticpool.Options{HostCapacity: 1})
	require.ErrorAs(t, err, &short)
	require.Equal(t, staticpool.CapacityError{Pool: "host", Need: l.Host.Size, Capacity: 1}, *short)

	for _, opts := range []staticpool.Options{
		{Capacity: 1 << 62}, {Capacity: ^uint64(0)}, {Arena: 1 << 60},
	} {
		_, err = staticpool.Open(dev, l, opts)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory, "%+v", opts)
	}
	for _, opts := range []staticpool.Options{{Arena: ^uint64(0)}, {Capacity: ^uint64(0)}} {
		_, err = staticpool.Open(&oddDevice{Device: dev}, l, opts)
		require.Error(t, err, "%+v", opts)
	}
	require.NoError(t, dev.Close(), "nothing is left behind")
}

// TestOpenFails fails each call to the device in turn: nothing is left behind.
func TestOpenFails(t *testing.T) {
	for fail := 1; ; fail++ {
		inner := host.New(host.Options{})
		p, err := staticpool.Open(&oddDevice{Device: inner, fail: fail}, good(), staticpool.Options{})
		if err == nil {
			require.Equal(t, 5, fail, "device pool, host pool, stream, staging")
			require.NoError(t, p.Close())
			require.NoError(t, inner.Close())
			return
		}
		require.ErrorIs(t, err, errBroken)
		require.Nil(t, p)
		require.NoError(t, inner.Close(), "after call %d", fail)
	}
}

// TestUpload: the step program lies where the layout says, and the control block
// is clear.
func TestUpload(t *testing.T) {
	dev := host.New(host.Options{})
	l := good()
	p, err := staticpool.Open(dev, l, staticpool.Options{})
	require.NoError(t, err)
	require.Same(t, l, p.Layout())
	require.Equal(t, kernels.Device(dev), p.Device())
	s, err := dev.NewStream()
	require.NoError(t, err)
	pool := make([]byte, l.Device.Size)
	require.NoError(t, s.CopyToHost(pool, p.Base()))
	require.NoError(t, s.Synchronize())
	require.Equal(t, abi.Control{}, abi.ReadControl(pool[l.ControlOffset:]))
	want := make([]byte, len(l.Program)*abi.WordSize)
	abi.PutWords(want, l.Program)
	require.Equal(t, want, pool[l.ProgramOffset:][:len(want)])
	require.NoError(t, s.Close())

	require.NoError(t, p.Close())
	require.NoError(t, p.Close(), "closing again does nothing")
	require.Nil(t, p.HostBytes(0, 1))
	require.NoError(t, dev.Close())
}

func TestHostBytes(t *testing.T) {
	dev := host.New(host.Options{})
	l := good()
	p, err := staticpool.Open(dev, l, staticpool.Options{})
	require.NoError(t, err)
	b := p.HostBytes(0, 300)
	require.Len(t, b, 300)
	require.Equal(t, 300, cap(b), "a buffer does not grow into the next")
	b[299] = 7
	require.Equal(t, byte(7), p.HostBytes(256, 44)[43])
	require.Empty(t, p.HostBytes(abi.HostOffset(l.Host.Size), 0))
	for _, r := range [][2]uint64{{0, l.Host.Size + 1}, {l.Host.Size, 1}, {^uint64(0), 1}, {1, ^uint64(0)}, {^uint64(0), ^uint64(0)}} {
		require.Nil(t, p.HostBytes(abi.HostOffset(r[0]), r[1]), "%d", r)
	}
	require.NoError(t, p.Close())

	l = good()
	l.Host.Size, l.Buffers = 0, l.Buffers[:2]
	p, err = staticpool.Open(dev, l, staticpool.Options{})
	require.NoError(t, err)
	require.Nil(t, p.HostBytes(0, 1), "there is no host pool")
	require.Empty(t, p.HostBytes(0, 0))
	require.NoError(t, p.Close())
	require.NoError(t, dev.Close())
}

func TestLookupAllocates(t *testing.T) {
	p, err := staticpool.Open(host.New(host.Options{}), good(), staticpool.Options{})
	require.NoError(t, err)
	l := p.Layout()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if p.Addr(abi.Offset(l.Buffers[1].Offset)) != p.Base()+kernels.Addr(l.Buffers[1].Offset) || len(p.HostBytes(0, 300)) != 300 {
			t.Error("wrong lookup")
		}
	}))
}

func BenchmarkLookup(b *testing.B) {
	p, err := staticpool.Open(host.New(host.Options{}), good(), staticpool.Options{})
	if err != nil {
		b.Fatal(err)
	}
	offset := abi.Offset(p.Layout().Buffers[1].Offset)
	b.ReportAllocs()
	sum := kernels.Addr(0)
	for b.Loop() {
		sum += p.Addr(offset)
	}
	if sum == 0 {
		b.Fatal("no address")
	}
}
