/* Mark and release, which give back what kernels have taken by themselves. */
#ifndef SEQPLAN_ASCEND_MARK_H
#define SEQPLAN_ASCEND_MARK_H

#include "seqplan_ascend_extents.h"

namespace seqplan {

/* Whether a launch on a word of the pool can do what it is for. */
__aicore__ inline bool ready_to_mark(Machine &m, uint64_t program, uint64_t at)
{
    return at % SEQPLAN_WORD_SIZE == 0 && ends(at, 1, SEQPLAN_WORD_SIZE) && m.read_header(program) && m.usable() &&
           load_extents(m);
}

__aicore__ inline void run_mark(__gm__ uint8_t *base, uint64_t control, uint64_t program, uint64_t at)
{
    Machine m(base, control);
    Window mark(base);
    if (!m.open())
        return;
    if (ready_to_mark(m, program, at))
        mark.put(at, m.code == SEQPLAN_CODE_OK ? m.next : SEQPLAN_NOT_PLACED);
    else
        m.fail(SEQPLAN_NO_SLOT, SEQPLAN_CODE_BAD_PROGRAM, 0);
    m.close();
}

/* Whether a slot holds arena memory at or above a mark. */
__aicore__ inline bool placed_above(Machine &m, uint64_t slot, uint64_t mark)
{
    uint64_t offset = m.slot_offset(slot), size = m.slot_size(slot), start = offset - m.arena_start, rounded;
    if (offset == SEQPLAN_NOT_PLACED || size == 0)
        return false;
    return !m.round(size, &rounded) || offset < m.arena_start || start > m.next || rounded > m.next - start ||
           start + rounded > mark;
}

/* Moves the cursor back to a mark, unless it is below already; false if the mark is no
   cursor of the arena. */
__aicore__ inline bool move_back(Machine &m, uint64_t mark)
{
    if (mark > m.arena_capacity || !m.aligned(mark))
        return false;
    if (mark > m.next)
        return true;
    for (uint64_t i = 0; i < m.num_slots; i++)
        if (placed_above(m, i, mark)) {
            m.fail(i, SEQPLAN_CODE_BAD_PROGRAM, 0);
            return true;
        }
    m.next = mark;
    /* Extents must neither reach above the cursor nor touch it. */
    while (m.num_extents > 0) {
        Extent last = get_extent(m, m.num_extents - 1);
        if (last.start + last.size < m.next)
            break;
        if (last.start < m.next)
            m.next = last.start;
        remove_extent(m, m.num_extents - 1);
    }
    return true;
}

__aicore__ inline void run_release(__gm__ uint8_t *base, uint64_t control, uint64_t program, uint64_t at)
{
    Machine m(base, control);
    Window released(base);
    if (!m.open())
        return;
    bool ok = ready_to_mark(m, program, at);
    if (ok && m.code == SEQPLAN_CODE_OK)
        ok = move_back(m, released.word(at));
    if (!ok)
        m.fail(SEQPLAN_NO_SLOT, SEQPLAN_CODE_BAD_PROGRAM, 0);
    m.close();
}

} // namespace seqplan

#endif /* SEQPLAN_ASCEND_MARK_H */
