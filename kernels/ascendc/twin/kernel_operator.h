/* A stand-in for CANN's header of this name: as much of AscendC as the kernels use.
   Memory behind __gm__ is that of machine.h, and cannot be reached in another way. */
#ifndef SEQPLAN_TWIN_KERNEL_OPERATOR_H
#define SEQPLAN_TWIN_KERNEL_OPERATOR_H

#include "machine.h"

#define __global__
#define __aicore__
#ifndef __gm__ /* a compiler with address spaces can check where it is missing */
#define __gm__
#endif

#define KERNEL_TYPE_AIV_ONLY 0
#define KERNEL_TASK_TYPE_DEFAULT(type) static_assert((type) == KERNEL_TYPE_AIV_ONLY, "vector cores")

namespace AscendC {

enum class CacheLine { SINGLE_CACHE_LINE };
enum class DcciDst { CACHELINE_OUT };

inline int64_t GetBlockIdx() { return twin_block(); }
inline int64_t GetBlockNum() { return twin_blocks(); }

template <bool isAIVOnly = true> inline void SyncAll() { twin_barrier(); }

template <typename T> class GlobalTensor {
public:
    void SetGlobalBuffer(__gm__ T *buffer) { address_ = reinterpret_cast<uint64_t>(buffer); }
    T GetValue(uint64_t offset) const { return static_cast<T>(twin_load(address_ + offset * sizeof(T), sizeof(T))); }
    void SetValue(uint64_t offset, T value) { twin_store(address_ + offset * sizeof(T), value, sizeof(T)); }
    uint64_t address() const { return address_; }

private:
    uint64_t address_ = 0;
};

template <typename T, CacheLine, DcciDst> inline void DataCacheCleanAndInvalid(const GlobalTensor<T> &tensor)
{
    twin_sync(tensor.address());
}

#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510

template <typename T> inline T AtomicAdd(__gm__ T *address, T value)
{
    return twin_atomic_add(twin_atomic(reinterpret_cast<uint64_t>(address)), value);
}

template <typename T> inline T AtomicMax(__gm__ T *address, T value)
{
    return twin_atomic_max(twin_atomic(reinterpret_cast<uint64_t>(address)), value);
}

template <typename T> inline T AtomicExch(__gm__ T *address, T value)
{
    return twin_atomic_exch(twin_atomic(reinterpret_cast<uint64_t>(address)), value);
}

template <typename T> inline T AtomicCas(__gm__ T *address, T value1, T value2)
{
    return twin_atomic_cas(twin_atomic(reinterpret_cast<uint64_t>(address)), value1, value2);
}

#endif

} // namespace AscendC

#endif /* SEQPLAN_TWIN_KERNEL_OPERATOR_H */
