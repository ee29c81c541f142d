package kernels

// The kernels that every back end provides, with their arguments in order.
// base is the base address of the device pool; the others are as named in
// package abi. All are launched in stream order with one block.
const (
	// Reset starts a batch: every slot becomes NotPlaced with size 0 and line 1
	// of the control block is cleared, but for High and EpochDone.
	// Arguments: base, control offset, program offset.
	Reset = "seqplan_reset"
	// Step runs the entry of one step of the program. The index NumSteps is the
	// end step, which sets EpochDone.
	// Arguments: base, control offset, program offset, step index.
	Step = "seqplan_step"
	// Fill writes a pattern to the bytes [from, to) of a place: the 64-bit word
	// with index i of the place is Pattern(seed, i), little-endian. A slot that
	// is not placed is left alone; bytes beyond the size of the slot too.
	// Arguments: base, slots offset, place, from, to, seed. See Place.
	Fill = "seqplan_fill"
	// Check compares the bytes [from, to) of a place with what Fill wrote and
	// adds to a report record. Arguments: base, slots offset, place, from, to,
	// seed, address of the CheckReport.
	Check = "seqplan_check"
	// Store writes the low width bytes of a value, 1 to 8, at place + at,
	// little-endian. A slot that is not placed, or that ends before them, is left
	// alone.
	// Arguments: base, slots offset, place, at, width, value.
	Store = "seqplan_store"
	// CheckValue compares width bytes at place + at with the low width bytes of a
	// value and adds to a report record. A slot that is not placed, or that ends
	// before them, counts as Unplaced.
	// Arguments: base, slots offset, place, at, width, value, address of the
	// CheckReport.
	CheckValue = "seqplan_check_value"
)
