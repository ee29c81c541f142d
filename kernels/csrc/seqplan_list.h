/* Lists of buffers whose sizes lie in the pool, in three launches over any grid: sums
   of chunks of the list, the cursor at the start of each chunk, and the slots. All
   three leave the same bytes for every grid.

   The work area has a line of 64 bytes for the whole, and one for each chunk. The
   first word of a chunk is its sum and later the cursor at its start. Sums and
   cursors saturate; a size that cannot be rounded makes them all ones, which fits in
   no arena. So the first buffer that fails is the one whose end is above the
   capacity while its start is not, and exactly one thread of the grid sees it. */
#ifndef SEQPLAN_LIST_H
#define SEQPLAN_LIST_H

#include "seqplan_machine.h"

/* What a list is; host says the arena. */
typedef struct seqplan_list {
    seqplan_machine m;
    SEQPLAN_GM const seqplan_word *sizes;
    SEQPLAN_GM seqplan_word *slots, *work;
    uint64_t n;    /* its length */
    uint64_t code; /* not OK: nothing is placed, for this reason */
} seqplan_list;

/* The states of the whole: the first word of the work area. */
#define SEQPLAN_LIST_PLACE 0
#define SEQPLAN_LIST_FAILED 1 /* the batch has failed before */

SEQPLAN_DEVICE bool seqplan_open_list(seqplan_list *l, SEQPLAN_GM uint8_t *base, uint64_t control, uint64_t sizes,
                                      uint64_t out, uint64_t count, uint64_t limit, uint64_t work)
{
    if (!seqplan_open_host(&l->m, base, control))
        return false;
    l->n = 0;
    l->code = SEQPLAN_CODE_BAD_PROGRAM;
    if ((sizes | out | count) % SEQPLAN_WORD_SIZE != 0 || work % SEQPLAN_LINE_SIZE != 0 ||
        !seqplan_arena_usable(&l->m) || !seqplan_ends(count, 1, SEQPLAN_WORD_SIZE))
        return true;
    l->n = *seqplan_words(base, count);
    if (l->n > limit)
        l->code = SEQPLAN_CODE_COUNT_OVER_MAX;
    else if (seqplan_ends(sizes, l->n, SEQPLAN_WORD_SIZE) && seqplan_ends(out, l->n, SEQPLAN_SLOT_SIZE))
        l->code = SEQPLAN_CODE_OK;
    l->sizes = seqplan_words(base, sizes);
    l->slots = seqplan_words(base, out);
    l->work = seqplan_words(base, work);
    return true;
}

SEQPLAN_DEVICE uint64_t seqplan_list_chunks(const seqplan_list *l)
{
    return l->n / SEQPLAN_LIST_CHUNK + (l->n % SEQPLAN_LIST_CHUNK != 0 ? 1 : 0);
}

/* The first word of a chunk in the work area. */
SEQPLAN_DEVICE SEQPLAN_GM seqplan_word *seqplan_list_chunk(const seqplan_list *l, uint64_t chunk)
{
    return l->work + (chunk + 1) * (SEQPLAN_LINE_SIZE / SEQPLAN_WORD_SIZE);
}

/* The rounded size of a buffer, or all ones. */
SEQPLAN_DEVICE uint64_t seqplan_list_rounded(const seqplan_list *l, uint64_t index)
{
    uint64_t rounded;
    return seqplan_round(l->sizes[index], l->m.arena_align, &rounded) ? rounded : UINT64_MAX;
}

SEQPLAN_DEVICE uint64_t seqplan_list_lanes(void)
{
    return SEQPLAN_LSIZE < SEQPLAN_LANES ? SEQPLAN_LSIZE : SEQPLAN_LANES;
}

/* The part of a chunk that a thread of the block works on: [*from, *to). */
SEQPLAN_DEVICE void seqplan_list_part(const seqplan_list *l, uint64_t chunk, uint64_t *from, uint64_t *to)
{
    uint64_t lanes = seqplan_list_lanes(), each = (SEQPLAN_LIST_CHUNK + lanes - 1) / lanes;
    uint64_t first = chunk * SEQPLAN_LIST_CHUNK;
    uint64_t left = l->n - first < SEQPLAN_LIST_CHUNK ? l->n - first : SEQPLAN_LIST_CHUNK;
    uint64_t a = SEQPLAN_LID * each, b = a + each;
    *from = first + (a < left ? a : left);
    *to = first + (b < left ? b : left);
}

SEQPLAN_DEVICE uint64_t seqplan_list_part_sum(const seqplan_list *l, uint64_t from, uint64_t to)
{
    uint64_t sum = 0;
    for (uint64_t i = from; i < to; i++)
        sum = seqplan_saturating(sum, seqplan_list_rounded(l, i));
    return sum;
}

/* Adds up one value of each thread of the block: returns the sum of those before this
   thread, and in *total the sum of all. All threads of the block must call it. */
SEQPLAN_DEVICE uint64_t seqplan_list_scan_block(SEQPLAN_LOCAL uint64_t *shared, uint64_t v, uint64_t *total)
{
    uint64_t lanes = seqplan_list_lanes(), lid = SEQPLAN_LID;
    bool works = lid < lanes;
    if (works)
        shared[lid] = v;
    SEQPLAN_BARRIER();
    for (uint64_t d = 1; d < lanes; d *= 2) {
        uint64_t left = works && lid >= d ? shared[lid - d] : 0;
        SEQPLAN_BARRIER();
        if (works)
            shared[lid] = seqplan_saturating(shared[lid], left);
        SEQPLAN_BARRIER();
    }
    *total = shared[lanes - 1];
    uint64_t before = works && lid > 0 ? shared[lid - 1] : 0;
    SEQPLAN_BARRIER();
    return before;
}

SEQPLAN_DEVICE void seqplan_run_list_sum(const seqplan_list *l, SEQPLAN_LOCAL uint64_t *shared)
{
    if (l->code != SEQPLAN_CODE_OK)
        return;
    for (uint64_t chunk = SEQPLAN_GROUP; chunk < seqplan_list_chunks(l); chunk += SEQPLAN_NUM_GROUPS) {
        uint64_t from, to, total;
        seqplan_list_part(l, chunk, &from, &to);
        (void)seqplan_list_scan_block(shared, seqplan_list_part_sum(l, from, to), &total);
        if (SEQPLAN_LID == 0)
            *seqplan_list_chunk(l, chunk) = total;
    }
}

/* Keeps what the last kernel needs of line 1, which it writes. */
SEQPLAN_DEVICE void seqplan_run_list_scan(seqplan_list *l, SEQPLAN_LOCAL uint64_t *shared)
{
    if (l->code != SEQPLAN_CODE_OK || SEQPLAN_GROUP != 0)
        return;
    seqplan_open_device(&l->m);
    if (SEQPLAN_LID == 0) {
        l->work[0] = l->m.code == SEQPLAN_CODE_OK ? SEQPLAN_LIST_PLACE : SEQPLAN_LIST_FAILED;
        l->work[1] = l->m.next;
    }
    uint64_t cursor = l->m.next, chunks = seqplan_list_chunks(l), lanes = seqplan_list_lanes();
    for (uint64_t first = 0; first < chunks; first += lanes) {
        uint64_t chunk = first + SEQPLAN_LID, total;
        bool works = SEQPLAN_LID < lanes && chunk < chunks;
        uint64_t sum = works ? *seqplan_list_chunk(l, chunk) : 0;
        uint64_t before = seqplan_list_scan_block(shared, sum, &total);
        if (works)
            *seqplan_list_chunk(l, chunk) = seqplan_saturating(cursor, before);
        cursor = seqplan_saturating(cursor, total);
    }
}

/* Writes line 1 after the last buffer that was placed, at which the cursor is. */
SEQPLAN_DEVICE void seqplan_list_moved(seqplan_list *l, uint64_t cursor)
{
    seqplan_machine *m = &l->m;
    m->wanted = seqplan_saturating(m->wanted, cursor - m->next);
    m->next = cursor;
    if (m->high < cursor)
        m->high = cursor;
}

/* The first failure: buffer index, with the cursor before it. */
SEQPLAN_DEVICE void seqplan_list_first_failure(seqplan_list *l, uint64_t index, uint64_t cursor)
{
    uint64_t rounded;
    seqplan_open_device(&l->m);
    if (index > 0)
        seqplan_list_moved(l, cursor);
    if (seqplan_round(l->sizes[index], l->m.arena_align, &rounded)) {
        l->m.wanted = seqplan_saturating(l->m.wanted, rounded);
        seqplan_fail(&l->m, SEQPLAN_NO_SLOT, SEQPLAN_CODE_EXHAUSTED, rounded);
    } else {
        seqplan_fail(&l->m, SEQPLAN_NO_SLOT, SEQPLAN_CODE_ARITHMETIC, 0);
    }
    l->m.failed += l->n - index - 1;
    seqplan_close(&l->m);
}

/* Places the buffers [from, to), the first of them at the cursor. */
SEQPLAN_DEVICE void seqplan_list_place_part(seqplan_list *l, uint64_t from, uint64_t to, uint64_t cursor)
{
    uint64_t capacity = l->m.arena_capacity;
    for (uint64_t i = from; i < to; i++) {
        uint64_t size = l->sizes[i], end = seqplan_saturating(cursor, seqplan_list_rounded(l, i));
        SEQPLAN_GM seqplan_word *slot = l->slots + 2 * i;
        if (end <= capacity) {
            seqplan_put_slot(slot, l->m.arena_start + cursor, size);
            if (i == l->n - 1) {
                seqplan_open_device(&l->m);
                seqplan_list_moved(l, end);
                seqplan_close(&l->m);
            }
        } else {
            seqplan_put_slot(slot, SEQPLAN_NOT_PLACED, 0);
            if (i == 0 || cursor <= capacity)
                seqplan_list_first_failure(l, i, cursor);
        }
        cursor = end;
    }
}

/* What one thread reports where nothing is placed. */
SEQPLAN_DEVICE void seqplan_list_refused(seqplan_list *l)
{
    if (SEQPLAN_GROUP != 0 || SEQPLAN_LID != 0)
        return;
    seqplan_open_device(&l->m);
    if (l->code == SEQPLAN_CODE_OK)
        l->m.failed += l->n;
    else
        seqplan_fail(&l->m, SEQPLAN_NO_SLOT, l->code, l->code == SEQPLAN_CODE_COUNT_OVER_MAX ? l->n : 0);
    seqplan_close(&l->m);
}

SEQPLAN_DEVICE void seqplan_run_list_place(seqplan_list *l, SEQPLAN_LOCAL uint64_t *shared)
{
    bool failed = l->code != SEQPLAN_CODE_OK || l->work[0] != SEQPLAN_LIST_PLACE;
    if (failed)
        seqplan_list_refused(l);
    if (l->code != SEQPLAN_CODE_OK)
        return;
    if (failed) { /* in a loop of its own: PoCL 3.1 crashes where a way through a loop avoids its barriers */
        for (uint64_t chunk = SEQPLAN_GROUP; chunk < seqplan_list_chunks(l); chunk += SEQPLAN_NUM_GROUPS) {
            uint64_t from, to;
            seqplan_list_part(l, chunk, &from, &to);
            for (uint64_t i = from; i < to; i++)
                seqplan_put_slot(l->slots + 2 * i, SEQPLAN_NOT_PLACED, 0);
        }
        return;
    }
    for (uint64_t chunk = SEQPLAN_GROUP; chunk < seqplan_list_chunks(l); chunk += SEQPLAN_NUM_GROUPS) {
        uint64_t from, to, total;
        seqplan_list_part(l, chunk, &from, &to);
        uint64_t before = seqplan_list_scan_block(shared, seqplan_list_part_sum(l, from, to), &total);
        seqplan_list_place_part(l, from, to, seqplan_saturating(*seqplan_list_chunk(l, chunk), before));
    }
}

#endif /* SEQPLAN_LIST_H */
