/* What of CUDA C++ the device sources use, for clang without the CUDA SDK. nvcc brings
   its own. */
#ifndef SEQPLAN_CUDA_STUB_H
#define SEQPLAN_CUDA_STUB_H

#ifndef __clang__
#error "this header is for clang; nvcc needs none"
#endif

#define __CUDACC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __forceinline__ inline __attribute__((always_inline))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))

#define SEQPLAN_SREG(name, x)                                                  \
    extern "C" __device__ struct {                                             \
        __declspec(property(get = get_x)) unsigned x;                          \
        __device__ unsigned get_x() const { return __nvvm_read_ptx_sreg_##name##_x(); } \
    } const
SEQPLAN_SREG(tid, x) threadIdx;
SEQPLAN_SREG(ntid, x) blockDim;
SEQPLAN_SREG(ctaid, x) blockIdx;
SEQPLAN_SREG(nctaid, x) gridDim;
#undef SEQPLAN_SREG

typedef unsigned long long seqplan_ull;

__device__ static inline void __threadfence() { __nvvm_membar_gl(); }

__device__ static inline seqplan_ull atomicAdd(seqplan_ull *p, seqplan_ull v)
{
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}

__device__ static inline seqplan_ull atomicMax(seqplan_ull *p, seqplan_ull v)
{
    return __atomic_fetch_max(p, v, __ATOMIC_RELAXED);
}

__device__ static inline seqplan_ull atomicCAS(seqplan_ull *p, seqplan_ull old, seqplan_ull v)
{
    (void)__atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return old;
}

__device__ static inline int __ffs(int v) { return __builtin_ffs(v); }

__device__ static inline unsigned __activemask() { return __nvvm_activemask(); }

__device__ static inline unsigned __match_any_sync(unsigned mask, seqplan_ull v)
{
    return __nvvm_match_any_sync_i64(mask, v);
}

__device__ static inline seqplan_ull __shfl_sync(unsigned mask, seqplan_ull v, int lane)
{
    unsigned low = __nvvm_shfl_sync_idx_i32(mask, (int)(unsigned)v, lane, 31);
    unsigned high = __nvvm_shfl_sync_idx_i32(mask, (int)(unsigned)(v >> 32), lane, 31);
    return (seqplan_ull)high << 32 | low;
}

#endif /* SEQPLAN_CUDA_STUB_H */
