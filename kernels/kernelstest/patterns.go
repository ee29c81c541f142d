package kernelstest

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

func testKernels(t *testing.T, d *device) {
	for _, s := range kernels.Builtins() {
		k, err := d.Kernel(s.Name)
		require.NoError(t, err)
		require.Equal(t, s.Name, k.Name())
	}
	_, err := d.Kernel("seqplan_no_such_kernel")
	require.ErrorIs(t, err, kernels.ErrNoKernel)
}

// pattern is what the bytes [from, to) of a pattern must be, word by word.
func pattern(seed, from, to uint64) []byte {
	var out []byte
	for i := from; i < to; i++ {
		out = append(out, byte(kernels.Pattern(seed, i/8)>>(8*(i%8))))
	}
	return out
}

func testFill(t *testing.T, d *device) {
	const size, at = 4096, 40
	a := d.alloc(size)
	for _, r := range [][2]uint64{{0, 0}, {0, 1}, {0, 8}, {3, 5}, {3, 8}, {3, 9}, {7, 25}, {8, 64}, {0, 4001}, {1023, 3075}, {9, 8}} {
		from, to := r[0], r[1]
		d.write(a, bytesOf(3, size))
		d.launch(kernels.Fill, uint64(a), 0, uint64(kernels.StaticPlace(at)), from, to, 99)
		want := bytesOf(3, size)
		copy(want[at+from:], pattern(99, from, to))
		require.True(t, bytes.Equal(want, d.read(a, size)), "bytes %d to %d", from, to)
	}
}

// report is a report in device memory.
func (d *device) report() kernels.Addr { return d.upload(make([]byte, kernels.CheckReportSize)) }

func (d *device) result(report kernels.Addr) kernels.CheckReport {
	return kernels.ReadCheckReport(d.read(report, kernels.CheckReportSize))
}

// A check finds every single changed byte, and no byte outside its range.
func testCheck(t *testing.T, d *device) {
	const size, at, from, to = 4096, 24, 5, 3000
	good := bytesOf(3, size)
	copy(good[at+from:], pattern(99, from, to))
	a := d.alloc(size)
	check := func(seed uint64, mem []byte) kernels.CheckReport {
		d.write(a, mem)
		r := d.report()
		d.launch(kernels.Check, uint64(a), 0, uint64(kernels.StaticPlace(at)), from, to, seed, uint64(r))
		return d.result(r)
	}
	require.Equal(t, kernels.CheckReport{Checked: to - from}, check(99, good))
	for _, i := range []uint64{from, from + 1, 7, 8, 9, 1031, 1032, 2047, 2048, to - 1} {
		bad := bytes.Clone(good)
		bad[at+i] ^= 0x10
		word := kernels.Pattern(99, i/8)
		require.Equal(t, kernels.CheckReport{
			Checked: to - from, Mismatches: 1, FirstAt: i / 8 * 8, Want: word, Got: word ^ 0x10<<(8*(i%8)),
		}, check(99, bad), "byte %d", i)
	}
	for _, i := range []uint64{from - 1, to} {
		other := bytes.Clone(good)
		other[at+i] ^= 0x10
		require.Zero(t, check(99, other).Mismatches, "byte %d", i)
	}
	require.Greater(t, check(0xD1B54A32D192ED03, good).Mismatches, uint64(to-from)*9/10, "the seed does not matter")
}

// Checks add up in one report, which keeps the first mismatch. The range is large
// enough for a back end to divide it.
func testCheckSums(t *testing.T, d *device) {
	const size = 5<<20 + 3
	a, r := d.alloc(size), d.report()
	d.launch(kernels.Fill, uint64(a), 0, uint64(kernels.StaticPlace(0)), 0, size, 7)
	check := func() {
		d.launch(kernels.Check, uint64(a), 0, uint64(kernels.StaticPlace(0)), 0, size, 7, uint64(r))
	}
	check()
	require.Equal(t, kernels.CheckReport{Checked: size}, d.result(r))
	for _, at := range []uint64{4 << 20, 3<<20 - 1, 3<<20 + 8} {
		old := byte(kernels.Pattern(7, at/8) >> (8 * (at % 8)))
		d.write(a+kernels.Addr(at), []byte{^old})
	}
	check()
	got := d.result(r)
	require.Equal(t, kernels.CheckReport{
		Checked: 2 * size, Mismatches: 3, FirstAt: 3<<20 - 8,
		Want: kernels.Pattern(7, (3<<20-8)/8), Got: kernels.Pattern(7, (3<<20-8)/8) ^ 0xFF<<56,
	}, got)
	check()
	got.Checked, got.Mismatches = 3*size, 6
	require.Equal(t, got, d.result(r), "the first mismatch stays")

	// However a back end divides the work, a word is not cut.
	word := uint64(1 << 20)
	bad := kernels.Pattern(7, word/8) ^ 0xFF<<56 ^ 0xFF
	d.write(a+kernels.Addr(word), binary.LittleEndian.AppendUint64(nil, bad))
	for from := range uint64(8) {
		r := d.report()
		d.launch(kernels.Check, uint64(a), 0, uint64(kernels.StaticPlace(0)), from, 2<<20, 7, uint64(r))
		require.Equal(t, kernels.CheckReport{
			Checked: 2<<20 - from, Mismatches: 2, FirstAt: word, Want: kernels.Pattern(7, word/8), Got: bad,
		}, d.result(r), "from byte %d", from)
	}
}

func testValues(t *testing.T, d *device) {
	a := d.upload(bytesOf(1, 64))
	for width := uint64(1); width <= 8; width++ {
		d.write(a, bytesOf(1, 64))
		at, value := 3+width, uint64(0xF7E6D5C4B3A29180)
		d.launch(kernels.Store, uint64(a), 0, uint64(kernels.StaticPlace(8)), at, width, value)
		want := bytesOf(1, 64)
		copy(want[8+at:8+at+width], binary.LittleEndian.AppendUint64(nil, value))
		require.Equal(t, want, d.read(a, 64), "width %d", width)

		r := d.report()
		args := []uint64{uint64(a), 0, uint64(kernels.StaticPlace(8)), at, width, value, uint64(r)}
		d.launch(kernels.CheckValue, args...)
		require.Equal(t, kernels.CheckReport{Checked: width}, d.result(r), "width %d", width)
		args[5] ^= 0x21
		d.launch(kernels.CheckValue, args...)
		low := ^uint64(0) >> (64 - 8*width)
		require.Equal(t, kernels.CheckReport{
			Checked: 2 * width, Mismatches: 1, FirstAt: at, Want: (value ^ 0x21) & low, Got: value & low,
		}, d.result(r), "width %d", width)
	}
}

// A slot's memory is found through the slot, and ends with it.
func testSlots(t *testing.T, d *device) {
	const size, slots, at = 512, 64, 128
	pool := bytesOf(1, size)
	abi.Slot{Offset: abi.NotPlaced}.Put(pool[slots:])
	abi.Slot{Offset: at, Size: 20}.Put(pool[slots+abi.SlotSize:])
	abi.Slot{Offset: at, Size: 0}.Put(pool[slots+2*abi.SlotSize:])
	abi.Slot{Offset: abi.NotPlaced, Size: 30}.Put(pool[slots+3*abi.SlotSize:])
	a := d.upload(pool)
	for slot, bytesIn := range []uint64{0, 20, 0, 0} {
		t.Logf("slot %d", slot)
		d.write(a, pool)
		place := uint64(kernels.SlotPlace(uint64(slot)))
		d.launch(kernels.Fill, uint64(a), slots, place, 0, 100, 5)
		want := bytes.Clone(pool)
		copy(want[at:], pattern(5, 0, bytesIn))
		require.Equal(t, want, d.read(a, size))

		r := d.report()
		d.launch(kernels.Check, uint64(a), slots, place, 0, 100, 5, uint64(r))
		report := kernels.CheckReport{Checked: bytesIn}
		if slot == 0 || slot == 3 {
			report.Unplaced = 1
		}
		require.Equal(t, report, d.result(r))

		// Of an integer all bytes or none.
		d.launch(kernels.Store, uint64(a), slots, place, 12, 8, 77)
		d.launch(kernels.Store, uint64(a), slots, place, 13, 8, 88)
		d.launch(kernels.CheckValue, uint64(a), slots, place, 12, 8, 77, uint64(r))
		d.launch(kernels.CheckValue, uint64(a), slots, place, 13, 8, 88, uint64(r))
		if bytesIn == 20 {
			binary.LittleEndian.PutUint64(want[at+12:], 77)
			report.Checked += 8
			report.Unplaced++
		} else {
			report.Unplaced += 2
		}
		require.Equal(t, want, d.read(a, size))
		require.Equal(t, report, d.result(r))
	}
}
