/* Launches of the kernels from the host code of a CUDA project, C++17. Compile
   seqplan_cuda.cu with nvcc and link it.

   Every function only enqueues work in a stream. So it works as well while the stream
   is being captured: a graph that holds the steps of a batch can be launched again and
   again, because all sizes lie in device memory. What changes from one batch to the
   next, which is line 0 of the control block with the epoch, and the parameters, must
   be copied to the pool in the stream before the reset, from pinned memory.

   base is the device address of the pool, control and program are offsets in it. */
#ifndef SEQPLAN_LAUNCH_H
#define SEQPLAN_LAUNCH_H

#include <cuda_runtime_api.h>

#include "seqplan_abi.h"

#ifdef __CUDACC__
#define SEQPLAN_DECLARE extern "C" __global__ void
#else
#define SEQPLAN_DECLARE extern "C" void
#endif

SEQPLAN_DECLARE seqplan_reset(unsigned char *, unsigned long long, unsigned long long);
SEQPLAN_DECLARE seqplan_step(unsigned char *, unsigned long long, unsigned long long, unsigned long long);
SEQPLAN_DECLARE seqplan_mark(unsigned char *, unsigned long long, unsigned long long, unsigned long long);
SEQPLAN_DECLARE seqplan_release(unsigned char *, unsigned long long, unsigned long long, unsigned long long);
SEQPLAN_DECLARE seqplan_list_sum(unsigned char *, unsigned long long, unsigned long long, unsigned long long,
                                 unsigned long long, unsigned long long, unsigned long long);
SEQPLAN_DECLARE seqplan_list_scan(unsigned char *, unsigned long long, unsigned long long, unsigned long long,
                                  unsigned long long, unsigned long long, unsigned long long);
SEQPLAN_DECLARE seqplan_list_place(unsigned char *, unsigned long long, unsigned long long, unsigned long long,
                                   unsigned long long, unsigned long long, unsigned long long);
#undef SEQPLAN_DECLARE

/* Launches a kernel whose arguments are an address and integers. */
template <class... Integers>
inline cudaError_t seqplan_launch(void (*kernel)(unsigned char *, Integers...), unsigned blocks, unsigned threads,
                                  cudaStream_t stream, void *base, Integers... integers)
{
    unsigned char *address = static_cast<unsigned char *>(base);
    void *args[] = {&address, &integers...};
    return cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(blocks, 1, 1), dim3(threads, 1, 1), args, 0,
                            stream);
}

/* Starts a batch. */
inline cudaError_t seqplan_launch_reset(cudaStream_t stream, void *base, unsigned long long control,
                                        unsigned long long program)
{
    return seqplan_launch(seqplan_reset, 1, 256, stream, base, control, program);
}

/* Runs a step of the program. The step with the index of the number of steps is the
   end of the batch. */
inline cudaError_t seqplan_launch_step(cudaStream_t stream, void *base, unsigned long long control,
                                       unsigned long long program, unsigned long long step)
{
    return seqplan_launch(seqplan_step, 1, 1, stream, base, control, program, step);
}

/* Stores the cursor of the arena in the word of the pool at an offset. */
inline cudaError_t seqplan_launch_mark(cudaStream_t stream, void *base, unsigned long long control,
                                       unsigned long long program, unsigned long long at)
{
    return seqplan_launch(seqplan_mark, 1, 1, stream, base, control, program, at);
}

/* Moves the cursor back to what a mark has stored: what kernels have taken since is
   free again. */
inline cudaError_t seqplan_launch_release(cudaStream_t stream, void *base, unsigned long long control,
                                          unsigned long long program, unsigned long long at)
{
    return seqplan_launch(seqplan_release, 1, 1, stream, base, control, program, at);
}

/* The bytes of the pool that a list of at most limit buffers needs for work. */
inline uint64_t seqplan_list_work_size(uint64_t limit)
{
    return SEQPLAN_LINE_SIZE * (limit / SEQPLAN_LIST_CHUNK + (limit % SEQPLAN_LIST_CHUNK != 0 ? 1 : 0) + 1);
}

/* Places a list of buffers: the sizes are an array of uint64_t at an offset, their
   number is the word at the offset count, at most limit. Their slots are written to
   the array at the offset slots. work is the offset of seqplan_list_work_size(limit)
   bytes, a multiple of 64. The areas must not overlap. */
inline cudaError_t seqplan_launch_list(cudaStream_t stream, void *base, unsigned long long control,
                                       unsigned long long sizes, unsigned long long slots, unsigned long long count,
                                       unsigned long long limit, unsigned long long work)
{
    unsigned long long chunks = seqplan_list_work_size(limit) / SEQPLAN_LINE_SIZE - 1;
    unsigned blocks = chunks < 1 ? 1u : chunks > 1024 ? 1024u : static_cast<unsigned>(chunks);
    cudaError_t err = seqplan_launch(seqplan_list_sum, blocks, 256, stream, base, control, sizes, slots, count, limit, work);
    if (err == cudaSuccess)
        err = seqplan_launch(seqplan_list_scan, 1, 1024, stream, base, control, sizes, slots, count, limit, work);
    if (err == cudaSuccess)
        err = seqplan_launch(seqplan_list_place, blocks, 256, stream, base, control, sizes, slots, count, limit, work);
    return err;
}

#endif /* SEQPLAN_LAUNCH_H */
