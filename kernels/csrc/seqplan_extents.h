/* The table of extents: the free pieces of the arena below the cursor, in order.
   They are not empty, and neither touch each other nor the cursor. */
#ifndef SEQPLAN_EXTENTS_H
#define SEQPLAN_EXTENTS_H

#include "seqplan_machine.h"

typedef struct seqplan_extent {
    uint64_t start, size; /* start counts from the start of the arena */
} seqplan_extent;

/* The words of the extent with an index; those of -1 hold the length of the table. */
SEQPLAN_DEVICE SEQPLAN_GM seqplan_word *seqplan_extent_words(const seqplan_machine *m, uint64_t index)
{
    return seqplan_words(m->base, m->extents + (index + 1) * SEQPLAN_EXTENT_SIZE);
}

SEQPLAN_DEVICE seqplan_extent seqplan_get_extent(const seqplan_machine *m, uint64_t index)
{
    SEQPLAN_GM const seqplan_word *w = seqplan_extent_words(m, index);
    seqplan_extent e;
    e.start = w[0];
    e.size = w[1];
    return e;
}

SEQPLAN_DEVICE void seqplan_set_extent(const seqplan_machine *m, uint64_t index, uint64_t start, uint64_t size)
{
    SEQPLAN_GM seqplan_word *w = seqplan_extent_words(m, index);
    w[0] = start;
    w[1] = size;
}

SEQPLAN_DEVICE void seqplan_resize_extents(seqplan_machine *m, uint64_t n)
{
    m->num_extents = n;
    *seqplan_words(m->base, m->extents) = n;
}

/* Puts an extent before the one with the index. There must be room. */
SEQPLAN_DEVICE void seqplan_insert_extent(seqplan_machine *m, uint64_t index, uint64_t start, uint64_t size)
{
    for (uint64_t i = m->num_extents; i > index; i--) {
        seqplan_extent e = seqplan_get_extent(m, i - 1);
        seqplan_set_extent(m, i, e.start, e.size);
    }
    seqplan_set_extent(m, index, start, size);
    seqplan_resize_extents(m, m->num_extents + 1);
}

SEQPLAN_DEVICE void seqplan_remove_extent(seqplan_machine *m, uint64_t index)
{
    for (uint64_t i = index; i + 1 < m->num_extents; i++) {
        seqplan_extent e = seqplan_get_extent(m, i + 1);
        seqplan_set_extent(m, i, e.start, e.size);
    }
    seqplan_set_extent(m, m->num_extents - 1, 0, 0);
    seqplan_resize_extents(m, m->num_extents - 1);
}

SEQPLAN_DEVICE bool seqplan_reuse(const seqplan_machine *m)
{
    return (m->flags & SEQPLAN_FLAG_REUSE) != 0;
}

/* Whether a piece is not empty and lies aligned below the cursor. */
SEQPLAN_DEVICE bool seqplan_freeable(const seqplan_machine *m, seqplan_extent e)
{
    return e.size != 0 && ((e.start | e.size) & (m->arena_align - 1)) == 0 && e.start <= m->next &&
           e.size <= m->next - e.start;
}

/* Checks the table if the arena mode needs it: a kernel may have written over it. */
SEQPLAN_DEVICE bool seqplan_load_extents(seqplan_machine *m)
{
    if (!seqplan_reuse(m))
        return true;
    SEQPLAN_GM const seqplan_word *w = seqplan_words(m->base, m->extents);
    uint64_t n = w[0], end = 0;
    if (n > m->num_slots || w[1] != 0)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        seqplan_extent e = seqplan_get_extent(m, i);
        if (!seqplan_freeable(m, e) || (i > 0 && e.start <= end))
            return false;
        end = e.start + e.size;
    }
    m->num_extents = n;
    return n == 0 || end < m->next;
}

/* Gives a piece back; false if it was not in use. A piece that finds no place in the
   table is lost until the reset. */
SEQPLAN_DEVICE bool seqplan_give(seqplan_machine *m, seqplan_extent piece)
{
    if (piece.size == 0)
        return true;
    if (!seqplan_freeable(m, piece))
        return false;
    uint64_t i = 0, end = piece.start + piece.size; /* i: the first extent behind the piece */
    while (i < m->num_extents && seqplan_get_extent(m, i).start < piece.start)
        i++;
    seqplan_extent before = {0, 0}, behind = {0, 0};
    if (i > 0)
        before = seqplan_get_extent(m, i - 1);
    if (i < m->num_extents)
        behind = seqplan_get_extent(m, i);
    if (before.start + before.size > piece.start || (i < m->num_extents && behind.start < end))
        return false;
    /* The piece may touch both neighbours and the cursor. */
    if (i < m->num_extents && behind.start == end) {
        end += behind.size;
        seqplan_remove_extent(m, i);
    }
    if (before.size > 0 && before.start + before.size == piece.start) {
        piece.start = before.start;
        seqplan_remove_extent(m, --i);
    }
    if (end == m->next)
        m->next = piece.start;
    else if (m->num_extents < m->num_slots)
        seqplan_insert_extent(m, i, piece.start, end - piece.start);
    return true;
}

/* Moves the cursor by a rounded size; *offset counts from the base of the pool. */
SEQPLAN_DEVICE bool seqplan_bump(seqplan_machine *m, uint64_t rounded, uint64_t *offset)
{
    /* Never next + rounded > capacity, which can wrap. */
    if (rounded > m->arena_capacity || m->next > m->arena_capacity - rounded)
        return false;
    *offset = m->arena_start + m->next;
    m->next += rounded;
    if (m->high < m->next)
        m->high = m->next;
    return true;
}

/* The placement rule: which extent a rounded size goes to, or num_extents for the
   cursor, and at which end of it. It is the smallest that is large enough, of those
   the first. */
SEQPLAN_DEVICE uint64_t seqplan_choose(const seqplan_machine *m, uint64_t rounded, uint64_t rule, bool *high)
{
    uint64_t best = m->num_extents, size = 0;
    *high = rule == SEQPLAN_RULE_HIGH;
    for (uint64_t i = 0; rounded > 0 && i < m->num_extents; i++) {
        seqplan_extent e = seqplan_get_extent(m, i);
        if (e.size >= rounded && (best == m->num_extents || e.size < size)) {
            best = i;
            size = e.size;
        }
    }
    return best;
}

SEQPLAN_DEVICE bool seqplan_valid_rule(uint64_t rule)
{
    return rule <= SEQPLAN_RULE_HIGH;
}

/* Finds room for a rounded size. */
SEQPLAN_DEVICE bool seqplan_take(seqplan_machine *m, uint64_t rounded, uint64_t rule, uint64_t *offset)
{
    bool high;
    uint64_t i = seqplan_choose(m, rounded, rule, &high);
    if (i == m->num_extents)
        return seqplan_bump(m, rounded, offset);
    seqplan_extent e = seqplan_get_extent(m, i);
    uint64_t rest = e.size - rounded;
    *offset = m->arena_start + e.start + (high ? rest : 0);
    if (rest == 0)
        seqplan_remove_extent(m, i);
    else
        seqplan_set_extent(m, i, e.start + (high ? 0 : rounded), rest);
    return true;
}

#endif /* SEQPLAN_EXTENTS_H */
