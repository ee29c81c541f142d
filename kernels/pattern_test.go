package kernels_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/kernels"
)

// patternByte is byte i of a pattern.
func patternByte(seed, i uint64) byte {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], kernels.Pattern(seed, i/8))
	return word[i%8]
}

// compare is ComparePattern byte by byte.
func compare(mem []byte, at, seed uint64, r *kernels.CheckReport) {
	for i, b := range mem {
		r.Checked++
		j := at + uint64(i)
		if b == patternByte(seed, j) {
			continue
		}
		if r.Mismatches++; r.Mismatches > 1 {
			continue
		}
		r.FirstAt, r.Want = j&^7, kernels.Pattern(seed, j/8)
		var got [8]byte
		binary.LittleEndian.PutUint64(got[:], r.Want)
		for k := range got { // bytes of the word that were not compared count as right
			if m := int64(r.FirstAt) + int64(k) - int64(at); m >= 0 && m < int64(len(mem)) {
				got[k] = mem[m]
			}
		}
		r.Got = binary.LittleEndian.Uint64(got[:])
	}
}

func TestPattern(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		at := rapid.OneOf(rapid.Uint64Range(0, 40), rapid.Uint64Range(1<<32-20, 1<<32+20)).Draw(t, "at")
		n := rapid.OneOf(rapid.IntRange(0, 40), rapid.IntRange(1000, 3200)).Draw(t, "bytes")
		mem := make([]byte, n+1)
		mem[n] = 0xA5
		kernels.FillPattern(mem[:n], at, seed)
		for i, b := range mem[:n] {
			if b != patternByte(seed, at+uint64(i)) {
				t.Fatalf("byte %d is wrong", i)
			}
		}
		require.Equal(t, byte(0xA5), mem[n], "a byte behind was written")

		var clean kernels.CheckReport
		kernels.ComparePattern(mem[:n], at, seed, &clean)
		require.Equal(t, kernels.CheckReport{Checked: uint64(n)}, clean)

		if n == 0 {
			return
		}
		for range rapid.IntRange(1, 4).Draw(t, "faults") {
			mem[rapid.IntRange(0, n-1).Draw(t, "where")] ^= rapid.ByteRange(1, 255).Draw(t, "bits")
		}
		var got, want kernels.CheckReport
		kernels.ComparePattern(mem[:n], at, seed, &got)
		compare(mem[:n], at, seed, &want)
		require.Equal(t, want, got)
	})
}

// TestPatternWordsDiffer: a pattern repeats no word, and another seed gives
// another pattern.
func TestPatternWordsDiffer(t *testing.T) {
	seen := make(map[uint64]bool)
	for i := range uint64(10_000) {
		for _, seed := range []uint64{1, 0x9C6E6877736C46E3} {
			w := kernels.Pattern(seed, i)
			require.False(t, seen[w])
			seen[w] = true
		}
	}
}

func TestCompareValue(t *testing.T) {
	var r kernels.CheckReport
	r.CompareValue(16, 4, 7, 7)
	require.Equal(t, kernels.CheckReport{Checked: 4}, r)
	r.CompareValue(24, 4, 0x010203, 0x01FF04)
	require.Equal(t, kernels.CheckReport{Checked: 8, Mismatches: 2, FirstAt: 24, Want: 0x010203, Got: 0x01FF04}, r)
	r.CompareValue(32, 8, 0, ^uint64(0))
	require.Equal(t, kernels.CheckReport{Checked: 16, Mismatches: 10, FirstAt: 24, Want: 0x010203, Got: 0x01FF04}, r)
}

func TestCheckReport(t *testing.T) {
	a := kernels.CheckReport{Checked: 1, Unplaced: 2}
	b := kernels.CheckReport{Checked: 3, Mismatches: 4, FirstAt: 5, Want: 6, Got: 7, Unplaced: 8}
	a.Add(b)
	require.Equal(t, kernels.CheckReport{Checked: 4, Mismatches: 4, FirstAt: 5, Want: 6, Got: 7, Unplaced: 10}, a)
	a.Add(kernels.CheckReport{Mismatches: 1, FirstAt: 9, Want: 9, Got: 9})
	require.Equal(t, kernels.CheckReport{Checked: 4, Mismatches: 5, FirstAt: 5, Want: 6, Got: 7, Unplaced: 10}, a)

	buf := make([]byte, kernels.CheckReportSize+1)
	a.Put(buf)
	require.Equal(t, a, kernels.ReadCheckReport(buf))
	require.Zero(t, buf[kernels.CheckReportSize])
	require.Equal(t, uint64(10), binary.LittleEndian.Uint64(buf[5*8:]), "the order of the words is read by the device")
}

func TestPlace(t *testing.T) {
	_, ok := kernels.StaticPlace(1 << 40).Slot()
	require.False(t, ok)
	require.Equal(t, uint64(1<<40), uint64(kernels.StaticPlace(1<<40)))
	slot, ok := kernels.SlotPlace(12).Slot()
	require.True(t, ok)
	require.Equal(t, uint64(12), slot)
}

func BenchmarkPattern(b *testing.B) {
	mem := make([]byte, 1<<16)
	b.Run("fill", func(b *testing.B) {
		b.SetBytes(int64(len(mem)))
		for b.Loop() {
			kernels.FillPattern(mem, 0, 1)
		}
	})
	b.Run("compare", func(b *testing.B) {
		kernels.FillPattern(mem, 0, 1)
		b.SetBytes(int64(len(mem)))
		var r kernels.CheckReport
		for b.Loop() {
			kernels.ComparePattern(mem, 0, 1, &r)
		}
		if r.Mismatches > 0 {
			b.Fatal(r)
		}
	})
}
