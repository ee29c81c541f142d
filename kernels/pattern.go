package kernels

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
func Pattern(seed, i uint64) uint64 {
	x := seed + i*0x9E3779B97F4A7C15
	return x ^ x>>32
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
