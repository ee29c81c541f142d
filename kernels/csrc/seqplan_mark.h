/* Mark and release, which give back what kernels have taken by themselves. */
#ifndef SEQPLAN_MARK_H
#define SEQPLAN_MARK_H

#include "seqplan_extents.h"

/* Whether a kernel can work on the word of the pool at an offset; else only a failure
   can be reported. */
SEQPLAN_DEVICE bool seqplan_ready(seqplan_machine *m, uint64_t program, uint64_t at)
{
    return at % SEQPLAN_WORD_SIZE == 0 && seqplan_ends(at, 1, SEQPLAN_WORD_SIZE) && seqplan_read_header(m, program) &&
           seqplan_arena_usable(m) && seqplan_load_extents(m);
}

SEQPLAN_DEVICE void seqplan_run_mark(SEQPLAN_GM uint8_t *base, uint64_t control, uint64_t program, uint64_t at)
{
    seqplan_machine m;
    if (SEQPLAN_GROUP != 0 || SEQPLAN_LID != 0 || !seqplan_open(&m, base, control))
        return;
    if (seqplan_ready(&m, program, at))
        *seqplan_words(base, at) = m.code == SEQPLAN_CODE_OK ? m.next : SEQPLAN_NOT_PLACED;
    else
        seqplan_fail(&m, SEQPLAN_NO_SLOT, SEQPLAN_CODE_BAD_PROGRAM, 0);
    seqplan_close(&m);
}

/* Whether a slot holds arena memory at or above a mark. */
SEQPLAN_DEVICE bool seqplan_placed_above(const seqplan_machine *m, uint64_t slot, uint64_t mark)
{
    SEQPLAN_GM const seqplan_word *s = seqplan_slot_words(m, slot);
    uint64_t rounded, start = s[0] - m->arena_start;
    if (s[0] == SEQPLAN_NOT_PLACED || s[1] == 0)
        return false;
    return !seqplan_round(s[1], m->arena_align, &rounded) || s[0] < m->arena_start || start > m->next ||
           rounded > m->next - start || start + rounded > mark;
}

/* Moves the cursor back to a mark, unless it is below already; false if the mark is no
   cursor of the arena. */
SEQPLAN_DEVICE bool seqplan_move_back(seqplan_machine *m, uint64_t mark)
{
    if (mark > m->arena_capacity || (mark & (m->arena_align - 1)) != 0)
        return false;
    if (mark > m->next)
        return true;
    for (uint64_t i = 0; i < m->num_slots; i++)
        if (seqplan_placed_above(m, i, mark)) {
            seqplan_fail(m, i, SEQPLAN_CODE_BAD_PROGRAM, 0);
            return true;
        }
    m->next = mark;
    /* Extents must neither reach above the cursor nor touch it. */
    while (m->num_extents > 0) {
        seqplan_extent e = seqplan_get_extent(m, m->num_extents - 1);
        if (e.start + e.size < m->next)
            break;
        if (e.start < m->next)
            m->next = e.start;
        seqplan_remove_extent(m, m->num_extents - 1);
    }
    return true;
}

SEQPLAN_DEVICE void seqplan_run_release(SEQPLAN_GM uint8_t *base, uint64_t control, uint64_t program, uint64_t at)
{
    seqplan_machine m;
    if (SEQPLAN_GROUP != 0 || SEQPLAN_LID != 0 || !seqplan_open(&m, base, control))
        return;
    /* In a batch that has failed nothing moves any more. */
    if (!seqplan_ready(&m, program, at) ||
        (m.code == SEQPLAN_CODE_OK && !seqplan_move_back(&m, *seqplan_words(base, at))))
        seqplan_fail(&m, SEQPLAN_NO_SLOT, SEQPLAN_CODE_BAD_PROGRAM, 0);
    seqplan_close(&m);
}

#endif /* SEQPLAN_MARK_H */
