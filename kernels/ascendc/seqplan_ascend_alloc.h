/* For kernels of a user: slots, and memory that a kernel takes by itself.

   Include this before a header that seqplan has generated. The accessors of such a
   header read slots without a look at the cache: use seqplan_ascend_slot and
   seqplan_ascend_placed instead, which drop the line first. */
#ifndef SEQPLAN_ASCEND_ALLOC_H
#define SEQPLAN_ASCEND_ALLOC_H

#include "seqplan_ascend_control.h"

/* Scalar atomics that return what was there exist on Ascend 950 alone. */
#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510
#define SEQPLAN_ASCEND_ATOMICS
#endif

/* Reads a slot; slots is the offset of the slot table. False if it holds no memory. */
SEQPLAN_FN bool seqplan_ascend_slot(__gm__ void *base, uint64_t slots, uint64_t slot, uint64_t *offset, uint64_t *size)
{
    seqplan::Window table(static_cast<__gm__ uint8_t *>(base));
    *offset = table.word(slots + slot * SEQPLAN_SLOT_SIZE);
    *size = table.word(slots + slot * SEQPLAN_SLOT_SIZE + SEQPLAN_WORD_SIZE);
    return *offset != SEQPLAN_NOT_PLACED;
}

/* The address of a dynamic buffer, and its number of elements if n is not null; null
   and 0 if it was not placed. */
SEQPLAN_FN __gm__ void *seqplan_ascend_placed(__gm__ void *base, uint64_t slots, uint64_t slot, uint64_t elem_size,
                                              uint64_t *n)
{
    uint64_t offset, size;
    bool placed = seqplan_ascend_slot(base, slots, slot, &offset, &size);
    if (n != nullptr)
        *n = placed ? size / elem_size : 0;
    return placed ? static_cast<__gm__ uint8_t *>(base) + offset : nullptr;
}

#ifndef SEQPLAN_ASCEND_ATOMICS

/* Takes bytes, rounded up to the arena alignment, and returns their offset from the
   base of the pool; NOT_PLACED if there is no room or the batch has failed before.
   control is the offset of the control block. The first failure is sticky for the
   batch. The memory lasts until the reset, or until the cursor moves back to a mark.

   Atlas A2 and A3: one core of a launch may call it, and no other kernel that does
   may run at the same time. It hands the memory on to the other cores by itself, or
   in a later launch. */
SEQPLAN_FN uint64_t seqplan_alloc(__gm__ void *base, uint64_t control, uint64_t bytes)
{
    seqplan::Control c(static_cast<__gm__ uint8_t *>(base), control);
    uint64_t rounded, offset = SEQPLAN_NOT_PLACED;
    if (!c.open())
        return SEQPLAN_NOT_PLACED;
    if (!c.usable()) {
        c.fail(SEQPLAN_NO_SLOT, SEQPLAN_CODE_BAD_PROGRAM, 0);
    } else if (c.code != SEQPLAN_CODE_OK) {
        c.fail(SEQPLAN_NO_SLOT, SEQPLAN_CODE_OK, 0);
    } else if (!c.round(bytes, &rounded)) {
        c.fail(SEQPLAN_NO_SLOT, SEQPLAN_CODE_ARITHMETIC, 0);
    } else {
        c.want(rounded);
        if (!c.bump(rounded, &offset))
            c.fail(SEQPLAN_NO_SLOT, SEQPLAN_CODE_EXHAUSTED, rounded);
    }
    c.close();
    return offset;
}

#else

namespace seqplan {

/* Line 1 of the control block under atomics, which go around the cache of the core. */
struct SharedLine {
    __aicore__ inline __gm__ uint64_t *at(uint64_t index) const { return words + index; }

    __aicore__ inline uint64_t load(uint64_t index) const { return AscendC::AtomicAdd(at(index), UINT64_C(0)); }

    /* Counts a failed allocation, and records it if it is the first of the batch. */
    __aicore__ inline void fail(uint64_t code, uint64_t value) const
    {
        AscendC::AtomicAdd(at(SEQPLAN_CONTROL_AT_FAILED), UINT64_C(1));
        if (code == SEQPLAN_CODE_OK ||
            AscendC::AtomicCas(at(SEQPLAN_CONTROL_AT_CODE), SEQPLAN_CODE_OK, code) != SEQPLAN_CODE_OK)
            return;
        AscendC::AtomicExch(at(SEQPLAN_CONTROL_AT_FIRST_FAILED), SEQPLAN_NO_SLOT);
        AscendC::AtomicExch(at(SEQPLAN_CONTROL_AT_FAILED_BYTES), value);
    }

    /* Adds to the demand of the batch, which saturates: whoever makes it wrap sets it
       to the end, and after the last addition it is right. */
    __aicore__ inline void want(uint64_t rounded) const
    {
        if (AscendC::AtomicAdd(at(SEQPLAN_CONTROL_AT_WANTED), rounded) > UINT64_MAX - rounded)
            AscendC::AtomicExch(at(SEQPLAN_CONTROL_AT_WANTED), UINT64_MAX);
    }

    /* Moves the cursor by a rounded size; returns where it was, or NOT_PLACED. It
       never moves by what does not fit, so nothing has to be undone, and a small
       request never fails for a large one that did. */
    __aicore__ inline uint64_t bump(uint64_t capacity, uint64_t rounded) const
    {
        uint64_t next = load(SEQPLAN_CONTROL_AT_NEXT);
        while (rounded <= capacity && next <= capacity - rounded) {
            uint64_t seen = AscendC::AtomicCas(at(SEQPLAN_CONTROL_AT_NEXT), next, next + rounded);
            if (seen == next) {
                AscendC::AtomicMax(at(SEQPLAN_CONTROL_AT_HIGH), next + rounded);
                return next;
            }
            next = seen;
        }
        return SEQPLAN_NOT_PLACED;
    }

    __gm__ uint64_t *words;
};

} // namespace seqplan

/* The same on Ascend 950, where any number of cores may call it at once. */
SEQPLAN_FN uint64_t seqplan_alloc(__gm__ void *base, uint64_t control, uint64_t bytes)
{
    seqplan::Control c(static_cast<__gm__ uint8_t *>(base), control);
    if (!c.open_host())
        return SEQPLAN_NOT_PLACED;
    seqplan::SharedLine line{reinterpret_cast<__gm__ uint64_t *>(static_cast<__gm__ uint8_t *>(base) + control)};
    uint64_t rounded;
    if (!c.usable()) {
        line.fail(SEQPLAN_CODE_BAD_PROGRAM, 0);
    } else if (line.load(SEQPLAN_CONTROL_AT_CODE) != SEQPLAN_CODE_OK) {
        line.fail(SEQPLAN_CODE_OK, 0);
    } else if (!c.round(bytes, &rounded)) {
        line.fail(SEQPLAN_CODE_ARITHMETIC, 0);
    } else {
        line.want(rounded);
        uint64_t taken = line.bump(c.arena_capacity, rounded);
        if (taken != SEQPLAN_NOT_PLACED)
            return c.arena_start + taken;
        line.fail(SEQPLAN_CODE_EXHAUSTED, rounded);
    }
    return SEQPLAN_NOT_PLACED;
}

#endif /* SEQPLAN_ASCEND_ATOMICS */

#endif /* SEQPLAN_ASCEND_ALLOC_H */
