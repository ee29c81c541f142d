package kernels

// The kernels that every back end provides, with their arguments in order.
// base is the base address of the device pool; the others are as named in
// package abi, offsets count from base. All are launched in stream order. Reset,
// Step, Mark, Release, ListScan, Store and CheckValue take one block, which is
// enough; the others divide their work over whatever grid they are given, and
// leave the same bytes for every grid.
const (
	// Reset starts a batch: every slot becomes NotPlaced with size 0, the table of
	// extents becomes empty, and line 1 of the control block is cleared, but for
	// High and EpochDone.
	// Arguments: base, control offset, program offset.
	Reset = "seqplan_reset"
	// Step runs the entry of one step of the program. The index NumSteps is the
	// end step, which sets EpochDone.
	// Arguments: base, control offset, program offset, step index.
	Step = "seqplan_step"
	// Mark stores the cursor of the arena in a word of the pool.
	// Arguments: base, control offset, program offset, offset of the word.
	Mark = "seqplan_mark"
	// Release moves the cursor back to what Mark has stored, and so gives back
	// what kernels have taken by themselves since.
	// Arguments: base, control offset, program offset, offset of the word.
	Release = "seqplan_release"
	// ListSum, ListScan and ListPlace, launched in this order with the same
	// arguments, place a list of buffers whose sizes lie in the pool, an array of
	// uint64. Work is an offset of ListWorkSize(limit) bytes of the pool.
	// Arguments: base, control offset, offset of the sizes, offset of the slots to
	// write, offset of the length of the list, limit of the length, work.
	ListSum   = "seqplan_list_sum"
	ListScan  = "seqplan_list_scan"
	ListPlace = "seqplan_list_place"
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

// ArgKind says what an argument of a kernel is.
type ArgKind uint8

// The kinds of arguments. A back end without addresses on its device hands an
// Address over as a memory object and an offset.
const (
	Integer ArgKind = iota
	Address
)

// Signature is the name of a kernel with the kinds of its arguments.
type Signature struct {
	Name string
	Args []ArgKind // at most MaxArgs
}

// Builtins returns the signatures of the kernels that every back end provides.
func Builtins() []Signature {
	sign := func(name string, integers int, tail ...ArgKind) Signature {
		args := append([]ArgKind{Address}, make([]ArgKind, integers)...)
		return Signature{name, append(args, tail...)}
	}
	return []Signature{
		sign(Reset, 2), sign(Step, 3), sign(Mark, 3), sign(Release, 3),
		sign(ListSum, 6), sign(ListScan, 6), sign(ListPlace, 6),
		sign(Fill, 5), sign(Check, 5, Address),
		sign(Store, 5), sign(CheckValue, 5, Address),
	}
}

// ListChunk is how many entries of a list one block places at a time. It is part
// of what the kernels of a list agree on, not a limit.
const ListChunk = 4096

// ListWorkSize returns how many bytes of the pool, aligned to 64, the kernels of a
// list of at most limit entries need for themselves: a line of 64 bytes for each
// chunk and one for the whole.
func ListWorkSize(limit uint64) uint64 {
	chunks := limit / ListChunk
	if limit%ListChunk != 0 {
		chunks++
	}
	return 64 * (chunks + 1)
}
