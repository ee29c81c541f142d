/* The table of extents: the free pieces of the arena below the cursor, in order.
   They are not empty, and neither touch each other nor the cursor. */
#ifndef SEQPLAN_ASCEND_EXTENTS_H
#define SEQPLAN_ASCEND_EXTENTS_H

#include "seqplan_ascend_machine.h"

namespace seqplan {

struct Extent {
    uint64_t start, size; /* start counts from the start of the arena */
};

/* Record 0 of the table holds its length, the extents come behind it. */
__aicore__ inline Extent get_record(Machine &m, uint64_t index)
{
    uint64_t at = m.extents + index * SEQPLAN_EXTENT_SIZE;
    Extent e;
    e.start = m.extent_table.word(at);
    e.size = m.extent_table.word(at + SEQPLAN_WORD_SIZE);
    return e;
}

__aicore__ inline void put_record(Machine &m, uint64_t index, Extent e)
{
    uint64_t at = m.extents + index * SEQPLAN_EXTENT_SIZE;
    m.extent_table.put(at, e.start);
    m.extent_table.put(at + SEQPLAN_WORD_SIZE, e.size);
}

__aicore__ inline Extent get_extent(Machine &m, uint64_t index) { return get_record(m, index + 1); }
__aicore__ inline void put_extent(Machine &m, uint64_t index, Extent e) { put_record(m, index + 1, e); }

__aicore__ inline void resize_extents(Machine &m, uint64_t n)
{
    m.num_extents = n;
    m.extent_table.put(m.extents, n);
}

/* Puts an extent before the one with the index. There must be room. */
__aicore__ inline void insert_extent(Machine &m, uint64_t index, Extent e)
{
    for (uint64_t i = m.num_extents; i > index; i--)
        put_extent(m, i, get_extent(m, i - 1));
    put_extent(m, index, e);
    resize_extents(m, m.num_extents + 1);
}

__aicore__ inline void remove_extent(Machine &m, uint64_t index)
{
    for (uint64_t i = index; i + 1 < m.num_extents; i++)
        put_extent(m, i, get_extent(m, i + 1));
    put_extent(m, m.num_extents - 1, Extent{0, 0});
    resize_extents(m, m.num_extents - 1);
}

/* Whether a piece is not empty and lies aligned below the cursor. */
__aicore__ inline bool freeable(const Machine &m, Extent e)
{
    return e.size != 0 && m.aligned(e.start | e.size) && e.start <= m.next && e.size <= m.next - e.start;
}

/* Checks the table if the arena mode needs it: a kernel may have written over it. */
__aicore__ inline bool load_extents(Machine &m)
{
    if (!m.reuse())
        return true;
    Extent length = get_record(m, 0);
    if (length.start > m.num_slots || length.size != 0)
        return false;
    uint64_t end = 0; /* of the extent before */
    for (uint64_t i = 0; i < length.start; i++) {
        Extent e = get_extent(m, i);
        if (!freeable(m, e) || (i > 0 && e.start <= end))
            return false;
        end = e.start + e.size;
    }
    m.num_extents = length.start;
    return m.num_extents == 0 || end < m.next;
}

/* Gives a piece back; false if it was not in use. A piece that finds no place in the
   table is lost until the reset. */
__aicore__ inline bool give(Machine &m, Extent piece)
{
    if (piece.size == 0)
        return true;
    if (!freeable(m, piece))
        return false;
    uint64_t i = 0, end = piece.start + piece.size; /* i: the first extent behind the piece */
    while (i < m.num_extents && get_extent(m, i).start < piece.start)
        i++;
    Extent before = {0, 0}, behind = {UINT64_MAX, 0};
    if (i > 0)
        before = get_extent(m, i - 1);
    if (i < m.num_extents)
        behind = get_extent(m, i);
    if (before.start + before.size > piece.start || behind.start < end)
        return false;
    /* The piece may touch both neighbours and the cursor. */
    if (i < m.num_extents && behind.start == end) {
        end += behind.size;
        remove_extent(m, i);
    }
    if (before.size > 0 && before.start + before.size == piece.start) {
        piece.start = before.start;
        i--;
        remove_extent(m, i);
    }
    piece.size = end - piece.start;
    if (end == m.next)
        m.next = piece.start;
    else if (m.num_extents < m.num_slots)
        insert_extent(m, i, piece);
    return true;
}

__aicore__ inline bool valid_rule(uint64_t rule) { return rule <= SEQPLAN_RULE_HIGH; }

/* The placement rule: the extent that a rounded size goes to, or num_extents for the
   cursor, and *start of it in the arena. It is the smallest extent that is large
   enough, of those the first, and the end that the rule names. */
__aicore__ inline uint64_t choose(Machine &m, uint64_t rounded, uint64_t rule, uint64_t *start)
{
    uint64_t best = m.num_extents, size = 0;
    for (uint64_t i = 0; rounded > 0 && i < m.num_extents; i++) {
        Extent e = get_extent(m, i);
        if (e.size < rounded || (best < m.num_extents && e.size >= size))
            continue;
        best = i;
        size = e.size;
        *start = rule == SEQPLAN_RULE_HIGH ? e.start + (e.size - rounded) : e.start;
    }
    return best;
}

/* Finds room for a rounded size; *offset counts from the base of the pool. */
__aicore__ inline bool take(Machine &m, uint64_t rounded, uint64_t rule, uint64_t *offset)
{
    uint64_t start = 0, i = choose(m, rounded, rule, &start);
    if (i == m.num_extents)
        return m.bump(rounded, offset);
    *offset = m.arena_start + start;
    Extent rest = get_extent(m, i);
    if (start == rest.start)
        rest.start += rounded;
    rest.size -= rounded;
    if (rest.size == 0)
        remove_extent(m, i);
    else
        put_extent(m, i, rest);
    return true;
}

} // namespace seqplan

#endif /* SEQPLAN_ASCEND_EXTENTS_H */
