// Package ascendc holds the device source of the allocator for Ascend NPUs, in AscendC,
// and the header that kernels of a user include.
//
// It promises that the kernels leave the same bytes in the pool as package arena, for
// every program, also a malformed one, and for every number of blocks. Two things are
// excepted: what leads outside the pool, whose end a device does not know, and the
// work area of a list.
//
//	seqplan_ascend.asc        the kernels
//	seqplan_ascend_window.h   memory one cache line at a time
//	seqplan_ascend_control.h  the control block, and the arithmetic of the arena
//	seqplan_ascend_machine.h  one launch on a step program
//	seqplan_ascend_size.h     size programs
//	seqplan_ascend_extents.h  free extents, and the placement rule
//	seqplan_ascend_step.h     reset and step
//	seqplan_ascend_mark.h     mark and release
//	seqplan_ascend_list.h     lists of sizes
//	seqplan_ascend_pattern.h  patterns and values, for tests
//	seqplan_ascend_alloc.h    slots and allocation in kernels of a user
//	seqplan_abi.h             the ABI; generated from kernels/abi
//
// # Building
//
// With the compiler of CANN, in the directory of the files:
//
//	bisheng -c --cce-aicore-only --npu-arch=dav-2201 seqplan_ascend.asc -o seqplan_ascend.o
//
// dav-2201 is Atlas A2 and A3, dav-3510 is Ascend 950. This command has never been run
// and nothing here has run on an NPU: neither was at hand. What has been done is in
// package twin: the same files, compiled by g++ against a stand-in for CANN's header
// that models the caches, leave the bytes of the oracle in 10,000 random programs; and
// each cache operation is needed, because without any single one of them the same test
// fails.
//
// # Caches
//
// The scalar unit of each core has a cache of 64-byte lines that writes back and is
// not coherent, neither with the other cores nor with DMA, through which the host
// copies. Atlas A2 and A3 have no compare-and-swap for it. So block 0 alone works on
// the control block, the slots and the extents, and kernels follow one another in the
// order of a stream. All accesses go through the class Window, which drops a line when
// it goes there and writes it back when it leaves.
//
// Where several cores write, each line is written by one of them: fill divides memory
// by lines, the work area of a list has a line for each chunk, and a chunk of slots is
// a number of lines. If the slots of a list do not start with a line, one core writes
// them all. Nothing else depends on alignment, but sharing a line of the control
// block, the slots or the extents with memory that a kernel of another stream writes
// would lose data; the layout gives them lines of their own.
package ascendc
