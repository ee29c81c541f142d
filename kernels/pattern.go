package kernels

import "encoding/binary"

// Place names the memory that a pattern kernel works on: an offset in the pool,
// or a slot, whose offset and size the kernel reads itself.
type Place uint64

const slotPlace Place = 1 << 63

// StaticPlace is the place that starts at an offset of the pool.
func StaticPlace(offset uint64) Place { return Place(offset) &^ slotPlace }

// SlotPlace is the memory of a slot.
func SlotPlace(slot uint64) Place { return Place(slot) | slotPlace }

// Slot returns the slot index of a slot place, or false for a static place.
func (p Place) Slot() (uint64, bool) { return uint64(p &^ slotPlace), p&slotPlace != 0 }

// Pattern is the 64-bit word with index i of the pattern with the given seed.
// It is cheap, and words of two patterns, or of one at two indexes, are equal
// with probability 2^-64 only for well mixed seeds.
func Pattern(seed, i uint64) uint64 { return patternWord(seed + i*patternStep) }

// patternStep is 2^64 divided by the golden ratio, made odd.
const (
	patternStep  = 0x9E3779B97F4A7C15
	patternStep2 = 2 * patternStep % (1 << 64)
	patternStep3 = 3 * patternStep % (1 << 64)
	patternStep4 = 4 * patternStep % (1 << 64)
)

func patternWord(x uint64) uint64 { return x ^ x>>32 }

// FillPattern writes the bytes [at, at+len(mem)) of a pattern to mem.
func FillPattern(mem []byte, at, seed uint64) {
	var word [8]byte
	i := at / 8
	if rest := at % 8; rest != 0 && len(mem) > 0 {
		binary.LittleEndian.PutUint64(word[:], Pattern(seed, i))
		mem = mem[copy(mem, word[rest:]):]
		i++
	}
	x := seed + i*patternStep
	for ; len(mem) >= 8; mem, x = mem[8:], x+patternStep {
		binary.LittleEndian.PutUint64(mem, patternWord(x))
	}
	binary.LittleEndian.PutUint64(word[:], patternWord(x))
	copy(mem, word[:])
}

// ComparePattern compares mem with the bytes [at, at+len(mem)) of a pattern and
// adds to a report.
func ComparePattern(mem []byte, at, seed uint64, r *CheckReport) {
	r.Checked += uint64(len(mem))
	i := at / 8
	if rest := at % 8; rest != 0 && len(mem) > 0 {
		n := min(8-int(rest), len(mem))
		r.compareBytes(mem[:n], i, int(rest), seed)
		mem = mem[n:]
		i++
	}
	for ; len(mem) >= block && sameBlock(mem, seed+i*patternStep); mem, i = mem[block:], i+block/8 {
	}
	for ; len(mem) >= 8; mem, i = mem[8:], i+1 {
		if binary.LittleEndian.Uint64(mem) != Pattern(seed, i) {
			r.compareBytes(mem[:8], i, 0, seed)
		}
	}
	r.compareBytes(mem, i, 0, seed)
}

// block is how many bytes sameBlock compares.
const block = 1 << 10

// sameBlock compares the first block of mem with the pattern that starts with the
// state x. It has no branch per word, which is what makes it fast.
func sameBlock(mem []byte, x uint64) bool {
	var diff uint64
	for m := mem[:block]; len(m) >= 32; m = m[32:] {
		diff |= binary.LittleEndian.Uint64(m) ^ patternWord(x)
		diff |= binary.LittleEndian.Uint64(m[8:]) ^ patternWord(x+patternStep)
		diff |= binary.LittleEndian.Uint64(m[16:]) ^ patternWord(x+patternStep2)
		diff |= binary.LittleEndian.Uint64(m[24:]) ^ patternWord(x+patternStep3)
		x += patternStep4
	}
	return diff == 0
}

// compareBytes compares some bytes of word i, from the byte rest on.
func (r *CheckReport) compareBytes(mem []byte, i uint64, rest int, seed uint64) {
	var want, got [8]byte
	binary.LittleEndian.PutUint64(want[:], Pattern(seed, i))
	got = want
	copy(got[rest:], mem)
	bad := uint64(0)
	for j := range want {
		if want[j] != got[j] {
			bad++
		}
	}
	r.mismatch(bad, i*8, binary.LittleEndian.Uint64(want[:]), binary.LittleEndian.Uint64(got[:]))
}

// mismatch counts bytes that differ and remembers the first word that does.
func (r *CheckReport) mismatch(bytes, at, want, got uint64) {
	if bytes > 0 && r.Mismatches == 0 {
		r.FirstAt, r.Want, r.Got = at, want, got
	}
	r.Mismatches += bytes
}

// CompareValue compares an unsigned integer of width bytes that lies at some
// offset of a place, and adds to a report.
func (r *CheckReport) CompareValue(at, width, want, got uint64) {
	r.Checked += width
	bad := uint64(0)
	for diff := want ^ got; diff != 0; diff >>= 8 {
		if diff&0xFF != 0 {
			bad++
		}
	}
	r.mismatch(bad, at, want, got)
}

// CheckReportSize is the size of a CheckReport in device memory in bytes.
const CheckReportSize = 64

// CheckReport is what the check kernels leave: eight uint64 words. It must be
// zero before the first check adds to it.
type CheckReport struct {
	Checked    uint64 // bytes compared
	Mismatches uint64 // bytes that differ
	FirstAt    uint64 // offset in the place of the first word that differs
	Want, Got  uint64 // that word; for CheckValue the values
	Unplaced   uint64 // checks skipped because the slot was not placed
	Reserved   [2]uint64
}

// Add adds the counts of q, whose checks came after those of r.
func (r *CheckReport) Add(q CheckReport) {
	r.Checked += q.Checked
	r.Unplaced += q.Unplaced
	r.mismatch(q.Mismatches, q.FirstAt, q.Want, q.Got)
}

// Put writes the report to the first CheckReportSize bytes of b.
func (r CheckReport) Put(b []byte) {
	for i, w := range [...]uint64{r.Checked, r.Mismatches, r.FirstAt, r.Want, r.Got, r.Unplaced, 0, 0} {
		binary.LittleEndian.PutUint64(b[i*8:], w)
	}
}

// ReadCheckReport reads a report from the first CheckReportSize bytes of b.
func ReadCheckReport(b []byte) CheckReport {
	w := func(i int) uint64 { return binary.LittleEndian.Uint64(b[i*8:]) }
	return CheckReport{Checked: w(0), Mismatches: w(1), FirstAt: w(2), Want: w(3), Got: w(4), Unplaced: w(5)}
}
