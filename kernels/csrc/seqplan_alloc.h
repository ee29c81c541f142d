/* The inline allocation for kernels that take memory by themselves. */
#ifndef SEQPLAN_ALLOC_H
#define SEQPLAN_ALLOC_H

#include "seqplan_machine.h"

/* Counts a failed allocation, and records it if it is the first of the batch. */
SEQPLAN_DEVICE void seqplan_alloc_failed(SEQPLAN_GM seqplan_word *line, uint64_t code, uint64_t value)
{
    (void)seqplan_atomic_add(&line[SEQPLAN_CONTROL_AT_FAILED], 1);
    if (code == SEQPLAN_CODE_OK ||
        seqplan_atomic_cas(&line[SEQPLAN_CONTROL_AT_CODE], SEQPLAN_CODE_OK, code) != SEQPLAN_CODE_OK)
        return;
    seqplan_atomic_store(&line[SEQPLAN_CONTROL_AT_FIRST_FAILED], SEQPLAN_NO_SLOT);
    seqplan_atomic_store(&line[SEQPLAN_CONTROL_AT_FAILED_BYTES], value);
}

/* Adds to the demand of the batch, which saturates: whoever makes it wrap sets it to
   the end, and after the last addition it is right. */
SEQPLAN_DEVICE void seqplan_alloc_wanted(SEQPLAN_GM seqplan_word *line, uint64_t rounded)
{
    if (rounded == 0)
        return;
    if (seqplan_atomic_add(&line[SEQPLAN_CONTROL_AT_WANTED], rounded) > UINT64_MAX - rounded)
        seqplan_atomic_store(&line[SEQPLAN_CONTROL_AT_WANTED], UINT64_MAX);
}

/* Moves the cursor by a rounded size and returns where it was, or NOT_PLACED. The
   cursor never moves by what does not fit, so nothing has to be undone and a small
   request never fails for a large one that did. */
SEQPLAN_DEVICE uint64_t seqplan_alloc_bump(SEQPLAN_GM seqplan_word *line, uint64_t capacity, uint64_t rounded)
{
    uint64_t next = seqplan_atomic_load(&line[SEQPLAN_CONTROL_AT_NEXT]);
    while (rounded <= capacity && next <= capacity - rounded) {
        uint64_t seen = next;
        if (rounded > 0)
            seen = seqplan_atomic_cas(&line[SEQPLAN_CONTROL_AT_NEXT], next, next + rounded);
        if (seen == next) {
            if (seqplan_atomic_load(&line[SEQPLAN_CONTROL_AT_HIGH]) < next + rounded)
                (void)seqplan_atomic_max(&line[SEQPLAN_CONTROL_AT_HIGH], next + rounded);
            return next;
        }
        next = seen;
    }
    return SEQPLAN_NOT_PLACED;
}

/* The same for all threads of a warp that are here: one of them moves the cursor for
   all, if there is room for all. */
SEQPLAN_DEVICE uint64_t seqplan_alloc_take(SEQPLAN_GM seqplan_word *line, uint64_t capacity, uint64_t rounded)
{
#ifdef SEQPLAN_WARP
    unsigned mask = seqplan_warp_match(line), leader = seqplan_warp_first(mask), lane = seqplan_warp_lane();
    uint64_t sum = 0, before = 0, taken = SEQPLAN_NOT_PLACED;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        unsigned from = seqplan_warp_first(rest);
        uint64_t r = seqplan_warp_get(mask, rounded, from);
        if (from < lane)
            before = seqplan_saturating(before, r);
        sum = seqplan_saturating(sum, r);
    }
    if (lane == leader) {
        seqplan_alloc_wanted(line, sum);
        taken = seqplan_alloc_bump(line, capacity, sum);
    }
    taken = seqplan_warp_get(mask, taken, leader);
    if (taken != SEQPLAN_NOT_PLACED)
        return taken + before;
#else
    seqplan_alloc_wanted(line, rounded);
#endif
    return seqplan_alloc_bump(line, capacity, rounded);
}

/* Takes bytes, rounded up to the arena alignment, and returns their offset from the
   base of the pool; NOT_PLACED if there is no room or the batch has failed before.
   control is the offset of the control block. Any number of threads may call it at
   once. The first failure is sticky for the batch. The memory lasts until the reset,
   or until the cursor moves back to a mark. */
SEQPLAN_DEVICE uint64_t seqplan_alloc(SEQPLAN_GM void *base, uint64_t control, uint64_t bytes)
{
    if (control % SEQPLAN_WORD_SIZE != 0 || control > UINT64_MAX - SEQPLAN_CONTROL_RECORD * SEQPLAN_WORD_SIZE)
        return SEQPLAN_NOT_PLACED;
    SEQPLAN_GM seqplan_word *line = seqplan_words((SEQPLAN_GM uint8_t *)base, control);
    if (line[SEQPLAN_CONTROL_AT_MAGIC] != SEQPLAN_MAGIC)
        return SEQPLAN_NOT_PLACED;
    uint64_t start = line[SEQPLAN_CONTROL_AT_ARENA_START], capacity = line[SEQPLAN_CONTROL_AT_ARENA_CAPACITY];
    uint64_t align = line[SEQPLAN_CONTROL_AT_ARENA_ALIGN], rounded;
    uint64_t code = SEQPLAN_CODE_OK, value = 0;
    if (!seqplan_usable(line[SEQPLAN_CONTROL_AT_FLAGS], align, start, capacity)) {
        code = SEQPLAN_CODE_BAD_PROGRAM;
    } else if (seqplan_atomic_load(&line[SEQPLAN_CONTROL_AT_CODE]) == SEQPLAN_CODE_OK) {
        if (!seqplan_round(bytes, align, &rounded)) {
            code = SEQPLAN_CODE_ARITHMETIC;
        } else {
            uint64_t taken = seqplan_alloc_take(line, capacity, rounded);
            if (taken != SEQPLAN_NOT_PLACED)
                return start + taken;
            code = SEQPLAN_CODE_EXHAUSTED;
            value = rounded;
        }
    }
    seqplan_alloc_failed(line, code, value);
    return SEQPLAN_NOT_PLACED;
}

#endif /* SEQPLAN_ALLOC_H */
