/* Kernels that allocate by themselves, as those of a user do; for tests. */
#ifndef SEQPLAN_PROBE_H
#define SEQPLAN_PROBE_H

#include "seqplan_alloc.h"

/* One thread takes size bytes and stores their offset in the word at an offset. */
SEQPLAN_KERNEL seqplan_test_alloc(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER control, SEQPLAN_INTEGER size,
                                  SEQPLAN_INTEGER at)
{
    if (SEQPLAN_GROUP == 0 && SEQPLAN_LID == 0)
        *seqplan_words(SEQPLAN_POINTER(base), at) = seqplan_alloc(SEQPLAN_POINTER(base), control, size);
}

/* All threads take the n sizes of an array at an offset, and write a slot for each. */
SEQPLAN_KERNEL seqplan_test_contend(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER control, SEQPLAN_INTEGER sizes,
                                    SEQPLAN_INTEGER slots, SEQPLAN_INTEGER n)
{
    uint64_t stride = SEQPLAN_NUM_GROUPS * SEQPLAN_LSIZE;
    for (uint64_t i = SEQPLAN_GROUP * SEQPLAN_LSIZE + SEQPLAN_LID; i < n; i += stride) {
        uint64_t size = seqplan_words(SEQPLAN_POINTER(base), sizes)[i];
        SEQPLAN_GM seqplan_word *slot = seqplan_words(SEQPLAN_POINTER(base), slots) + 2 * i;
        slot[0] = seqplan_alloc(SEQPLAN_POINTER(base), control, size);
        slot[1] = size;
    }
}

#endif /* SEQPLAN_PROBE_H */
