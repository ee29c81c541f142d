// Package csrc holds the device source of the allocator: one portable source for
// CUDA C++, OpenCL C 1.2 and host C++17, the PTX that was built from it, and the
// headers that kernels of a user include.
//
// It promises that the kernels leave the same bytes in the pool as package arena,
// for every program, also a malformed one, and for every grid. Two things are
// excepted: what leads outside the pool, whose end a device does not know, and the
// work area of a list.
//
//	seqplan_abi.h      the ABI; generated from kernels/abi
//	seqplan_port.h     what differs between the languages; seqplan_port_*.h
//	seqplan_machine.h  one launch: control block and header
//	seqplan_size.h     size programs
//	seqplan_extents.h  free extents, and the placement rule
//	seqplan_step.h     reset and step
//	seqplan_mark.h     mark and release
//	seqplan_list.h     lists of sizes
//	seqplan_pattern.h  patterns and values, for tests
//	seqplan_kernels.h  the kernels
//	seqplan_alloc.h    the inline allocation for kernels of a user
//	seqplan_launch.h   launches for the host code of a CUDA project
//	seqplan_cuda.cu    the kernels for nvcc; build-ptx.sh builds seqplan.ptx from it
//	probe              kernels that allocate by themselves, for tests
//	nosdk              what clang needs in place of the CUDA SDK
package csrc
