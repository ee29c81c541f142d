/* What differs between OpenCL C 1.2, CUDA C++ and host C++17. Each port defines:

   SEQPLAN_KERNEL              what a kernel starts with, the return type included
   SEQPLAN_DEVICE              what a device function starts with
   SEQPLAN_ADDRESS(name)       an argument of a kernel that is an address
   SEQPLAN_POINTER(name)       that address as a pointer
   SEQPLAN_INTEGER             the type of the other arguments
   SEQPLAN_SHARED(name)        declares SEQPLAN_LANES words that a block shares; one
                               such declaration in a kernel, at its start
   SEQPLAN_LOCAL               qualifier of pointers to them
   SEQPLAN_LID, SEQPLAN_LSIZE, SEQPLAN_GROUP, SEQPLAN_NUM_GROUPS
                               thread in the block, threads of a block, block, blocks
   SEQPLAN_BARRIER()           waits for the block
   SEQPLAN_FENCE()             orders the memory accesses of a thread for the device
   seqplan_word                a uint64_t in device memory
   seqplan_atomic_load, seqplan_atomic_store, seqplan_atomic_add,
   seqplan_atomic_cas, seqplan_atomic_max
                               on such a word; the last three return what was there

   CUDA has SEQPLAN_WARP and the functions of a warp as well. */
#ifndef SEQPLAN_PORT_H
#define SEQPLAN_PORT_H

#include "seqplan_abi.h"

/* Threads of a block that work together; more of them only wait. */
#define SEQPLAN_LANES 1024

#if defined(__OPENCL_C_VERSION__)
#include "seqplan_port_opencl.h"
#elif defined(__CUDACC__) || defined(__HIPCC__)
#include "seqplan_port_cuda.h"
#else
#include "seqplan_port_host.h"
#endif

#endif /* SEQPLAN_PORT_H */
