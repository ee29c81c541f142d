/* kernelstest.AllocKernel. */
#include "seqplan_ascend_alloc.h"

extern "C" __global__ __aicore__ void seqplan_test_alloc(__gm__ uint8_t *base, uint64_t control, uint64_t size,
                                                         uint64_t at)
{
    if (AscendC::GetBlockIdx() != 0)
        return;
    uint64_t offset = seqplan_alloc(base, control, size);
    seqplan::Window result(base);
    result.put(at, offset);
}
