package kernelstest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

func testMemory(t *testing.T, d *device) {
	_, err := d.Alloc(0)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	_, err = d.Alloc(^uint64(0))
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	_, err = d.Alloc(1 << 61)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)

	require.ErrorIs(t, d.Free(0), kernels.ErrBadAddress)
	type piece struct{ at, size uint64 }
	var pieces []piece
	for _, size := range []uint64{1, 7, 256, 1 << 20} {
		a := d.alloc(size)
		require.NotZero(t, a)
		if align := d.Info().BaseAlign; align > 0 {
			require.Zero(t, uint64(a)%align)
		}
		for _, p := range pieces {
			require.False(t, uint64(a) < p.at+p.size && p.at < uint64(a)+size, "allocations overlap")
		}
		pieces = append(pieces, piece{uint64(a), size})
	}
	a, err := d.Alloc(64)
	require.NoError(t, err)
	require.ErrorIs(t, d.Free(a+8), kernels.ErrBadAddress, "an address inside is not one that Alloc returned")
	require.NoError(t, d.Free(a))
	require.ErrorIs(t, d.Free(a), kernels.ErrBadAddress, "freed twice")
}

func testHostMemory(t *testing.T, d *device) {
	_, err := d.AllocHost(0)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	_, err = d.AllocHost(1 << 61)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	m, err := d.AllocHost(100)
	require.NoError(t, err)
	require.Len(t, m.Bytes(), 100)
	copy(m.Bytes(), bytesOf(1, 100))
	require.Equal(t, bytesOf(1, 100), m.Bytes())
	require.NoError(t, m.Free())
	require.ErrorIs(t, m.Free(), kernels.ErrClosed)

	for _, align := range []uint64{1, 64, 1 << 16} {
		m, err := kernels.AllocHostAligned(d.Device, 33, align)
		require.NoError(t, err)
		require.Len(t, m.Bytes(), 33)
		a := d.upload(make([]byte, 33))
		copy(m.Bytes(), bytesOf(9, 33))
		require.NoError(t, d.stream.CopyToDevice(a, m.Bytes()))
		require.Equal(t, bytesOf(9, 33), d.read(a, 33))
		require.NoError(t, m.Free())
	}
}

func testCopies(t *testing.T, d *device) {
	a, b := d.upload(bytesOf(1, 1000)), d.upload(bytesOf(2, 1000))
	require.Equal(t, bytesOf(1, 1000), d.read(a, 1000))
	require.Equal(t, bytesOf(1, 1000)[10:20], d.read(a+10, 10))

	require.NoError(t, d.stream.CopyDevice(b+100, a+200, 300))
	want := bytesOf(2, 1000)
	copy(want[100:], bytesOf(1, 1000)[200:500])
	require.Equal(t, want, d.read(b, 1000))
	require.Equal(t, bytesOf(1, 1000), d.read(a, 1000), "the source stays")

	// Copies of no bytes do nothing.
	require.NoError(t, d.stream.CopyToDevice(a, nil))
	require.NoError(t, d.stream.CopyToHost(nil, a))
	require.NoError(t, d.stream.CopyDevice(a, b, 0))
	require.Equal(t, bytesOf(1, 1000), d.read(a, 1000))
}

func testMemset(t *testing.T, d *device) {
	a := d.upload(bytesOf(1, 500))
	require.NoError(t, d.stream.Memset(a+3, 0xEE, 77))
	require.NoError(t, d.stream.Memset(a, 0xFF, 0))
	want := bytesOf(1, 500)
	copy(want[3:], bytes.Repeat([]byte{0xEE}, 77))
	require.Equal(t, want, d.read(a, 500))
}

// Memory that was freed and allocated again belongs to the new owner alone.
func testFreedMemory(t *testing.T, d *device) {
	for i := range byte(20) {
		a, err := d.Alloc(4096)
		require.NoError(t, err)
		keep := d.upload(bytesOf(i, 4096))
		d.write(a, bytesOf(i+100, 4096))
		require.Equal(t, bytesOf(i, 4096), d.read(keep, 4096))
		require.NoError(t, d.Free(a))
		require.Equal(t, bytesOf(i, 4096), d.read(keep, 4096))
	}
}

// Offsets past 2^32 are right, in copies and in kernels. A device without so much
// memory skips this.
func testLargeOffsets(t *testing.T, d *device) {
	const far = 1<<32 + 4096
	a, err := d.Alloc(far + 4096)
	if err != nil {
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
		t.Skip("less than 4 GiB of device memory")
	}
	d.undo = append(d.undo, func() error { return d.Free(a) })
	d.write(a, bytesOf(1, 4096))
	d.write(a+4096, bytesOf(2, 4096))
	d.launch(kernels.Fill, uint64(a), 0, uint64(kernels.StaticPlace(far)), 0, 100, 7)
	want := make([]byte, 100)
	kernels.FillPattern(want, 0, 7)
	require.Equal(t, want, d.read(a+far, 100))
	require.Equal(t, bytesOf(2, 4096), d.read(a+4096, 4096), "the offset was cut to 32 bits")
	d.launch(kernels.Store, uint64(a), 0, uint64(kernels.StaticPlace(0)), far, 4, 0xDDCCBBAA)
	require.Equal(t, []byte{0xAA, 0xBB, 0xCC, 0xDD}, d.read(a+far, 4))
	require.Equal(t, bytesOf(1, 4096), d.read(a, 4096))
}
