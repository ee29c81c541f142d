/* Reset, the steps of a program, mark and release. */
#ifndef SEQPLAN_STEP_H
#define SEQPLAN_STEP_H

#include "seqplan_extents.h"
#include "seqplan_size.h"

/* All threads of the first block take part. */
SEQPLAN_DEVICE void seqplan_run_reset(SEQPLAN_GM uint8_t *base, uint64_t control, uint64_t program)
{
    seqplan_machine m;
    if (SEQPLAN_GROUP != 0 || !seqplan_open(&m, base, control))
        return;
    bool ok = seqplan_read_header(&m, program);
    /* A wrong header may name areas that overlap: one at a time. */
    SEQPLAN_BARRIER();
    if (ok) {
        for (uint64_t i = SEQPLAN_LID; i < m.num_slots; i += SEQPLAN_LSIZE)
            seqplan_put_slot(seqplan_slot_words(&m, i), SEQPLAN_NOT_PLACED, 0);
        SEQPLAN_BARRIER();
        for (uint64_t i = SEQPLAN_LID; i < m.num_slots + 1; i += SEQPLAN_LSIZE)
            seqplan_put_slot(seqplan_words(base, m.extents + i * SEQPLAN_EXTENT_SIZE), 0, 0);
        SEQPLAN_BARRIER();
    }
    if (SEQPLAN_LID != 0)
        return;
    m.next = m.wanted = m.failed = m.failed_bytes = 0;
    m.first_failed = SEQPLAN_NO_SLOT;
    m.code = ok && seqplan_arena_usable(&m) ? SEQPLAN_CODE_OK : SEQPLAN_CODE_BAD_PROGRAM;
    seqplan_close(&m);
}

/* Whether the host wants the allocation of a slot to fail. */
SEQPLAN_DEVICE bool seqplan_fault(const seqplan_machine *m, uint64_t slot)
{
    return m->flags >> SEQPLAN_FAULT_SHIFT == slot + 1;
}

/* One allocation: the words of its record. */
typedef struct seqplan_allocation {
    uint64_t slot, flags, base, code_word, code_words, rule;
} seqplan_allocation;

/* Gives a buffer the memory of its base, which must be as large. Returns the code. */
SEQPLAN_DEVICE uint64_t seqplan_take_over(const seqplan_machine *m, const seqplan_allocation *a, uint64_t size,
                                          uint64_t *offset, uint64_t *failed)
{
    if (a->base >= m->num_slots)
        return SEQPLAN_CODE_BAD_PROGRAM;
    SEQPLAN_GM const seqplan_word *base = seqplan_slot_words(m, a->base);
    uint64_t rounded, room;
    /* Host memory is never placed here, device memory always is. */
    if (((a->flags & SEQPLAN_ALLOC_HOST) != 0) != (base[0] == SEQPLAN_NOT_PLACED))
        return SEQPLAN_CODE_BAD_PROGRAM;
    if (!seqplan_round(size, m->arena_align, &rounded))
        return SEQPLAN_CODE_ARITHMETIC;
    if ((seqplan_round(base[1], m->arena_align, &room) && rounded > room) || seqplan_fault(m, a->slot)) {
        *failed = rounded;
        return SEQPLAN_CODE_EXHAUSTED;
    }
    *offset = base[0];
    return SEQPLAN_CODE_OK;
}

/* Finds memory for one buffer. Returns the code. */
SEQPLAN_DEVICE uint64_t seqplan_place(seqplan_machine *m, const seqplan_allocation *a, uint64_t *offset,
                                      uint64_t *size, uint64_t *failed)
{
    uint64_t code = seqplan_run(m, a->code_word, a->code_words, size, failed), rounded;
    if (code != SEQPLAN_CODE_OK)
        return code;
    if ((a->flags & SEQPLAN_ALLOC_IN_PLACE) != 0)
        return seqplan_take_over(m, a, *size, offset, failed);
    if ((a->flags & SEQPLAN_ALLOC_HOST) != 0)
        return SEQPLAN_CODE_OK;
    if (!seqplan_round(*size, m->arena_align, &rounded))
        return SEQPLAN_CODE_ARITHMETIC;
    m->wanted = seqplan_saturating(m->wanted, rounded);
    if (!seqplan_fault(m, a->slot) && seqplan_take(m, rounded, a->rule, offset))
        return SEQPLAN_CODE_OK;
    *failed = rounded;
    return SEQPLAN_CODE_EXHAUSTED;
}

/* The first failure is sticky: nothing is placed after it, and no size program runs,
   because its counts may be left over. False if the record is malformed. */
SEQPLAN_DEVICE bool seqplan_alloc_entry(seqplan_machine *m, uint64_t first, uint64_t index)
{
    uint64_t w[SEQPLAN_ALLOC_RECORD];
    for (uint64_t i = 0; i < SEQPLAN_ALLOC_RECORD; i++)
        if (!seqplan_entry(m, first, index, SEQPLAN_ALLOC_RECORD, i, &w[i]))
            return false;
    seqplan_allocation a;
    a.slot = w[SEQPLAN_ALLOC_AT_SLOT];
    a.flags = w[SEQPLAN_ALLOC_AT_FLAGS];
    a.base = w[SEQPLAN_ALLOC_AT_BASE];
    a.code_word = w[SEQPLAN_ALLOC_AT_CODE_WORD];
    a.code_words = w[SEQPLAN_ALLOC_AT_CODE_WORDS];
    a.rule = w[SEQPLAN_ALLOC_AT_RULE];
    if (a.slot >= m->num_slots || (a.flags & ~(SEQPLAN_ALLOC_HOST | SEQPLAN_ALLOC_IN_PLACE)) != 0 ||
        !seqplan_valid_rule(a.rule) || ((a.flags & SEQPLAN_ALLOC_IN_PLACE) == 0 && a.base != 0))
        return false;
    uint64_t offset = SEQPLAN_NOT_PLACED, size = 0, failed = 0;
    uint64_t code = SEQPLAN_CODE_OK;
    bool placed = m->code == SEQPLAN_CODE_OK;
    if (placed) {
        code = seqplan_place(m, &a, &offset, &size, &failed);
        placed = code == SEQPLAN_CODE_OK;
    }
    if (!placed) {
        seqplan_fail(m, a.slot, code, failed);
        offset = SEQPLAN_NOT_PLACED;
        size = 0;
    }
    seqplan_put_slot(seqplan_slot_words(m, a.slot), offset, size);
    return true;
}

/* Runs one release. A slot whose memory is not in use is a failure. False if the
   word is malformed. */
SEQPLAN_DEVICE bool seqplan_release_entry(seqplan_machine *m, uint64_t first, uint64_t index)
{
    uint64_t word;
    if (!seqplan_entry(m, first, index, 1, 0, &word))
        return false;
    uint64_t slot = word & ~SEQPLAN_RELEASE_SLOT_ONLY;
    if (slot >= m->num_slots)
        return false;
    SEQPLAN_GM seqplan_word *s = seqplan_slot_words(m, slot);
    if (s[0] == SEQPLAN_NOT_PLACED)
        return true; /* host memory */
    if (seqplan_reuse(m) && (word & SEQPLAN_RELEASE_SLOT_ONLY) == 0) {
        seqplan_extent piece;
        piece.start = s[0] - m->arena_start;
        if (!seqplan_round(s[1], m->arena_align, &piece.size) || s[0] < m->arena_start || !seqplan_give(m, piece)) {
            seqplan_fail(m, slot, SEQPLAN_CODE_BAD_PROGRAM, 0);
            return true;
        }
    }
    s[0] = SEQPLAN_NOT_PLACED;
    return true;
}

/* Runs the entry of one step; false if it is malformed. */
SEQPLAN_DEVICE bool seqplan_step_entry(seqplan_machine *m, uint64_t step)
{
    uint64_t w[SEQPLAN_STEP_RECORD];
    if (step > m->num_steps)
        return false;
    for (uint64_t i = 0; i < SEQPLAN_STEP_RECORD; i++)
        if (!seqplan_entry(m, SEQPLAN_HEADER_RECORD, step, SEQPLAN_STEP_RECORD, i, &w[i]))
            return false;
    /* After a failure nothing moves any more. */
    for (uint64_t i = 0; i < w[SEQPLAN_STEP_AT_RELEASE_COUNT] && m->code == SEQPLAN_CODE_OK; i++)
        if (!seqplan_release_entry(m, w[SEQPLAN_STEP_AT_RELEASE_WORD], i))
            return false;
    for (uint64_t i = 0; i < w[SEQPLAN_STEP_AT_ALLOC_COUNT]; i++)
        if (!seqplan_alloc_entry(m, w[SEQPLAN_STEP_AT_ALLOC_WORD], i))
            return false;
    if (step == m->num_steps)
        m->epoch_done = m->epoch;
    return true;
}

SEQPLAN_DEVICE void seqplan_run_step(SEQPLAN_GM uint8_t *base, uint64_t control, uint64_t program, uint64_t step)
{
    seqplan_machine m;
    if (SEQPLAN_GROUP != 0 || SEQPLAN_LID != 0 || !seqplan_open(&m, base, control))
        return;
    if (!seqplan_read_header(&m, program) || !seqplan_arena_usable(&m) || !seqplan_load_extents(&m) ||
        !seqplan_step_entry(&m, step))
        seqplan_fail(&m, SEQPLAN_NO_SLOT, SEQPLAN_CODE_BAD_PROGRAM, 0);
    seqplan_close(&m);
}

#endif /* SEQPLAN_STEP_H */
