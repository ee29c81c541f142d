/* The port for CUDA C++, from sm_70 on; HIP has the same names, but for the warp. */
#ifndef SEQPLAN_PORT_CUDA_H
#define SEQPLAN_PORT_CUDA_H

#define SEQPLAN_KERNEL extern "C" __global__ void __launch_bounds__(SEQPLAN_LANES)
#define SEQPLAN_DEVICE static __device__ __forceinline__
#define SEQPLAN_ADDRESS(name) unsigned char *name
#define SEQPLAN_POINTER(name) name
#define SEQPLAN_INTEGER unsigned long long
#define SEQPLAN_LOCAL
#define SEQPLAN_SHARED(name) __shared__ uint64_t name[SEQPLAN_LANES]
#define SEQPLAN_LID ((uint64_t)threadIdx.x)
#define SEQPLAN_LSIZE ((uint64_t)blockDim.x)
#define SEQPLAN_GROUP ((uint64_t)blockIdx.x)
#define SEQPLAN_NUM_GROUPS ((uint64_t)gridDim.x)
#define SEQPLAN_BARRIER() __syncthreads()
#define SEQPLAN_FENCE() __threadfence()

typedef unsigned long long seqplan_word; /* which is what the atomics want */

SEQPLAN_DEVICE uint64_t seqplan_atomic_load(seqplan_word *p)
{
    return *(volatile seqplan_word *)p;
}

SEQPLAN_DEVICE void seqplan_atomic_store(seqplan_word *p, uint64_t v)
{
    *(volatile seqplan_word *)p = v;
}

SEQPLAN_DEVICE uint64_t seqplan_atomic_add(seqplan_word *p, uint64_t v)
{
    return atomicAdd(p, (seqplan_word)v);
}

SEQPLAN_DEVICE uint64_t seqplan_atomic_cas(seqplan_word *p, uint64_t old, uint64_t v)
{
    return atomicCAS(p, (seqplan_word)old, (seqplan_word)v);
}

SEQPLAN_DEVICE uint64_t seqplan_atomic_max(seqplan_word *p, uint64_t v)
{
    return atomicMax(p, (seqplan_word)v);
}

#ifndef __HIPCC__
#define SEQPLAN_WARP

/* The threads of the warp that are here now with the same pointer. */
SEQPLAN_DEVICE unsigned seqplan_warp_match(const seqplan_word *p)
{
    return __match_any_sync(__activemask(), (unsigned long long)p);
}

/* The lowest thread of a mask that is not empty. */
SEQPLAN_DEVICE unsigned seqplan_warp_first(unsigned mask)
{
    return (unsigned)__ffs((int)mask) - 1;
}

/* This thread in the warp. */
SEQPLAN_DEVICE unsigned seqplan_warp_lane(void)
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* The value that a thread of the mask has. All threads of the mask call it. */
SEQPLAN_DEVICE uint64_t seqplan_warp_get(unsigned mask, uint64_t v, unsigned from)
{
    return __shfl_sync(mask, (unsigned long long)v, (int)from);
}
#endif /* __HIPCC__ */

#endif /* SEQPLAN_PORT_CUDA_H */
