/* The control block, and the arithmetic of the arena. Nothing in the pool is trusted,
   but where a pool ends is not known here: an offset is only refused where it leaves
   uint64. */
#ifndef SEQPLAN_ASCEND_CONTROL_H
#define SEQPLAN_ASCEND_CONTROL_H

#include "seqplan_ascend_window.h"

namespace seqplan {

/* Whether count records of a size at an offset end within uint64. */
__aicore__ inline bool ends(uint64_t offset, uint64_t count, uint64_t size)
{
    return count <= UINT64_MAX / size && offset <= UINT64_MAX - count * size;
}

__aicore__ inline uint64_t saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* What a launch knows of the control block at an offset. */
struct Control {
    __aicore__ inline Control(__gm__ uint8_t *base, uint64_t offset) : block(base), at(offset) {}

    /* Reads line 0; false if there is no control block. */
    __aicore__ inline bool open_host()
    {
        if (at % SEQPLAN_WORD_SIZE != 0 || !ends(at, SEQPLAN_CONTROL_RECORD, SEQPLAN_WORD_SIZE))
            return false;
        arena_start = get(SEQPLAN_CONTROL_AT_ARENA_START);
        arena_capacity = get(SEQPLAN_CONTROL_AT_ARENA_CAPACITY);
        arena_align = get(SEQPLAN_CONTROL_AT_ARENA_ALIGN);
        epoch = get(SEQPLAN_CONTROL_AT_EPOCH);
        flags = get(SEQPLAN_CONTROL_AT_FLAGS);
        host_slots = get(SEQPLAN_CONTROL_AT_NUM_SLOTS);
        return get(SEQPLAN_CONTROL_AT_MAGIC) == SEQPLAN_MAGIC;
    }

    /* Reads line 1. */
    __aicore__ inline void open_device()
    {
        next = get(SEQPLAN_CONTROL_AT_NEXT);
        high = get(SEQPLAN_CONTROL_AT_HIGH);
        wanted = get(SEQPLAN_CONTROL_AT_WANTED);
        failed = get(SEQPLAN_CONTROL_AT_FAILED);
        failed_bytes = get(SEQPLAN_CONTROL_AT_FAILED_BYTES);
        first_failed = get(SEQPLAN_CONTROL_AT_FIRST_FAILED);
        code = get(SEQPLAN_CONTROL_AT_CODE);
        epoch_done = get(SEQPLAN_CONTROL_AT_EPOCH_DONE);
    }

    __aicore__ inline bool open()
    {
        if (!open_host())
            return false;
        open_device();
        return true;
    }

    /* Writes line 1 back. */
    __aicore__ inline void close()
    {
        put(SEQPLAN_CONTROL_AT_NEXT, next);
        put(SEQPLAN_CONTROL_AT_HIGH, high);
        put(SEQPLAN_CONTROL_AT_WANTED, wanted);
        put(SEQPLAN_CONTROL_AT_FAILED, failed);
        put(SEQPLAN_CONTROL_AT_FAILED_BYTES, failed_bytes);
        put(SEQPLAN_CONTROL_AT_FIRST_FAILED, first_failed);
        put(SEQPLAN_CONTROL_AT_CODE, code);
        put(SEQPLAN_CONTROL_AT_EPOCH_DONE, epoch_done);
    }

    /* Whether line 0 describes an arena of a known mode, in which no offset can leave
       uint64 or become NOT_PLACED. */
    __aicore__ inline bool usable() const
    {
        uint64_t mode = flags & ((UINT64_C(1) << SEQPLAN_FAULT_SHIFT) - 1);
        return (mode & ~SEQPLAN_FLAG_REUSE) == 0 && arena_align != 0 && (arena_align & (arena_align - 1)) == 0 &&
               aligned(arena_start) && arena_capacity < SEQPLAN_NOT_PLACED - arena_start;
    }

    __aicore__ inline bool reuse() const { return (flags & SEQPLAN_FLAG_REUSE) != 0; }

    __aicore__ inline bool aligned(uint64_t v) const { return (v & (arena_align - 1)) == 0; }

    /* Rounds a size up to the arena alignment; false if that leaves uint64. */
    __aicore__ inline bool round(uint64_t size, uint64_t *rounded) const
    {
        uint64_t pad = (0 - size) & (arena_align - 1);
        *rounded = size + pad;
        return size <= UINT64_MAX - pad;
    }

    /* Whether the host wants the allocation of a slot to fail. */
    __aicore__ inline bool fault(uint64_t slot) const { return flags >> SEQPLAN_FAULT_SHIFT == slot + 1; }

    __aicore__ inline void want(uint64_t rounded) { wanted = saturating(wanted, rounded); }

    /* Counts a failed allocation and records it if it is the first. */
    __aicore__ inline void fail(uint64_t slot, uint64_t why, uint64_t value)
    {
        failed++;
        if (code != SEQPLAN_CODE_OK)
            return;
        code = why;
        first_failed = slot;
        failed_bytes = value;
    }

    /* Moves the cursor by a rounded size; *offset counts from the base of the pool. */
    __aicore__ inline bool bump(uint64_t rounded, uint64_t *offset)
    {
        /* Never next + rounded > arena_capacity, which can wrap. */
        if (rounded > arena_capacity || next > arena_capacity - rounded)
            return false;
        *offset = arena_start + next;
        advance(next + rounded);
        return true;
    }

    __aicore__ inline void advance(uint64_t cursor)
    {
        next = cursor;
        if (high < next)
            high = next;
    }

    Window block;
    uint64_t at;
    /* line 0 */
    uint64_t arena_start, arena_capacity, arena_align, epoch, flags, host_slots;
    /* line 1 */
    uint64_t next, high, wanted, failed, failed_bytes, first_failed, code, epoch_done;

private:
    __aicore__ inline uint64_t get(uint64_t index) { return block.word(at + index * SEQPLAN_WORD_SIZE); }
    __aicore__ inline void put(uint64_t index, uint64_t v) { block.put(at + index * SEQPLAN_WORD_SIZE, v); }
};

} // namespace seqplan

#endif /* SEQPLAN_ASCEND_CONTROL_H */
