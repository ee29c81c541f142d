/* Reset and the steps of a program. */
#ifndef SEQPLAN_ASCEND_STEP_H
#define SEQPLAN_ASCEND_STEP_H

#include "seqplan_ascend_extents.h"
#include "seqplan_ascend_size.h"

namespace seqplan {

__aicore__ inline void run_reset(__gm__ uint8_t *base, uint64_t control, uint64_t program)
{
    Machine m(base, control);
    if (!m.open())
        return;
    bool ok = m.read_header(program);
    if (ok) {
        for (uint64_t i = 0; i < m.num_slots; i++)
            m.put_slot(i, SEQPLAN_NOT_PLACED, 0);
        for (uint64_t i = 0; i < m.num_slots + 1; i++)
            put_record(m, i, Extent{0, 0});
    }
    m.next = m.wanted = m.failed = m.failed_bytes = 0;
    m.first_failed = SEQPLAN_NO_SLOT;
    m.code = ok && m.usable() ? SEQPLAN_CODE_OK : SEQPLAN_CODE_BAD_PROGRAM;
    m.close();
}

/* One allocation: the words of its record. */
struct Allocation {
    uint64_t slot, flags, base, code_word, code_words, rule;
};

/* Gives a buffer the memory of its base, which must be as large. Returns the code. */
__aicore__ inline uint64_t take_over(Machine &m, const Allocation &a, uint64_t size, uint64_t *offset, uint64_t *failed)
{
    if (a.base >= m.num_slots)
        return SEQPLAN_CODE_BAD_PROGRAM;
    uint64_t rounded, room, memory = m.slot_offset(a.base);
    /* Host memory is never placed here, device memory always is. */
    if (((a.flags & SEQPLAN_ALLOC_HOST) != 0) != (memory == SEQPLAN_NOT_PLACED))
        return SEQPLAN_CODE_BAD_PROGRAM;
    if (!m.round(size, &rounded))
        return SEQPLAN_CODE_ARITHMETIC;
    if ((m.round(m.slot_size(a.base), &room) && rounded > room) || m.fault(a.slot)) {
        *failed = rounded;
        return SEQPLAN_CODE_EXHAUSTED;
    }
    *offset = memory;
    return SEQPLAN_CODE_OK;
}

/* Finds memory for one buffer. Returns the code; *failed is what failed_bytes gets. */
__aicore__ inline uint64_t place(Machine &m, const Allocation &a, uint64_t *offset, uint64_t *size, uint64_t *failed)
{
    uint64_t value, rounded, code = run_size(m, a.code_word, a.code_words, &value);
    if (code != SEQPLAN_CODE_OK) {
        *failed = value;
        return code;
    }
    *size = value;
    if ((a.flags & SEQPLAN_ALLOC_IN_PLACE) != 0)
        return take_over(m, a, value, offset, failed);
    if ((a.flags & SEQPLAN_ALLOC_HOST) != 0)
        return SEQPLAN_CODE_OK;
    if (!m.round(value, &rounded))
        return SEQPLAN_CODE_ARITHMETIC;
    m.want(rounded);
    if (!m.fault(a.slot) && take(m, rounded, a.rule, offset))
        return SEQPLAN_CODE_OK;
    *failed = rounded;
    return SEQPLAN_CODE_EXHAUSTED;
}

/* The first failure is sticky: nothing is placed after it, and no size program runs,
   because its counts may be left over. False if the record is malformed. */
__aicore__ inline bool alloc_entry(Machine &m, uint64_t first, uint64_t index)
{
    uint64_t w[SEQPLAN_ALLOC_RECORD];
    for (uint64_t i = 0; i < SEQPLAN_ALLOC_RECORD; i++)
        if (!m.record(first, index, SEQPLAN_ALLOC_RECORD, i, &w[i]))
            return false;
    Allocation a;
    a.slot = w[SEQPLAN_ALLOC_AT_SLOT];
    a.flags = w[SEQPLAN_ALLOC_AT_FLAGS];
    a.base = w[SEQPLAN_ALLOC_AT_BASE];
    a.code_word = w[SEQPLAN_ALLOC_AT_CODE_WORD];
    a.code_words = w[SEQPLAN_ALLOC_AT_CODE_WORDS];
    a.rule = w[SEQPLAN_ALLOC_AT_RULE];
    bool in_place = (a.flags & SEQPLAN_ALLOC_IN_PLACE) != 0;
    if (a.slot >= m.num_slots || (a.flags & ~(SEQPLAN_ALLOC_HOST | SEQPLAN_ALLOC_IN_PLACE)) != 0 ||
        !valid_rule(a.rule) || (!in_place && a.base != 0))
        return false;
    uint64_t offset = SEQPLAN_NOT_PLACED, size = 0, failed = 0;
    bool tries = m.code == SEQPLAN_CODE_OK;
    uint64_t code = tries ? place(m, a, &offset, &size, &failed) : SEQPLAN_CODE_OK;
    if (!tries || code != SEQPLAN_CODE_OK) {
        m.fail(a.slot, code, failed);
        offset = SEQPLAN_NOT_PLACED;
        size = 0;
    }
    m.put_slot(a.slot, offset, size);
    return true;
}

/* Runs one release. A slot whose memory is not in use is a failure. False if the
   word is malformed. */
__aicore__ inline bool release_entry(Machine &m, uint64_t first, uint64_t index)
{
    uint64_t word;
    if (!m.record(first, index, 1, 0, &word))
        return false;
    uint64_t slot = word & ~SEQPLAN_RELEASE_SLOT_ONLY;
    if (slot >= m.num_slots)
        return false;
    uint64_t offset = m.slot_offset(slot), size = m.slot_size(slot);
    if (offset == SEQPLAN_NOT_PLACED)
        return true; /* host memory */
    if (m.reuse() && (word & SEQPLAN_RELEASE_SLOT_ONLY) == 0) {
        Extent piece;
        piece.start = offset - m.arena_start;
        if (!m.round(size, &piece.size) || offset < m.arena_start || !give(m, piece)) {
            m.fail(slot, SEQPLAN_CODE_BAD_PROGRAM, 0);
            return true;
        }
    }
    m.put_slot(slot, SEQPLAN_NOT_PLACED, size);
    return true;
}

/* Runs the entry of one step; false if it is malformed. */
__aicore__ inline bool step_entry(Machine &m, uint64_t step)
{
    uint64_t w[SEQPLAN_STEP_RECORD];
    if (step > m.num_steps)
        return false;
    for (uint64_t i = 0; i < SEQPLAN_STEP_RECORD; i++)
        if (!m.record(SEQPLAN_HEADER_RECORD, step, SEQPLAN_STEP_RECORD, i, &w[i]))
            return false;
    /* After a failure nothing moves any more. */
    for (uint64_t i = 0; i < w[SEQPLAN_STEP_AT_RELEASE_COUNT] && m.code == SEQPLAN_CODE_OK; i++)
        if (!release_entry(m, w[SEQPLAN_STEP_AT_RELEASE_WORD], i))
            return false;
    for (uint64_t i = 0; i < w[SEQPLAN_STEP_AT_ALLOC_COUNT]; i++)
        if (!alloc_entry(m, w[SEQPLAN_STEP_AT_ALLOC_WORD], i))
            return false;
    if (step == m.num_steps)
        m.epoch_done = m.epoch;
    return true;
}

__aicore__ inline void run_step(__gm__ uint8_t *base, uint64_t control, uint64_t program, uint64_t step)
{
    Machine m(base, control);
    if (!m.open())
        return;
    if (!m.read_header(program) || !m.usable() || !load_extents(m) || !step_entry(m, step))
        m.fail(SEQPLAN_NO_SLOT, SEQPLAN_CODE_BAD_PROGRAM, 0);
    m.close();
}

} // namespace seqplan

#endif /* SEQPLAN_ASCEND_STEP_H */
