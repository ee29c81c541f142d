/* Lists of buffers whose sizes lie in the pool, in three launches: sums of chunks of
   the list, the cursor at the start of each chunk, and the slots. The stream orders
   the launches; in each of them no two cores write to one line.

   The work area has a line for the whole, and one for each chunk. The first word of a
   chunk is its sum and later the cursor at its start. Sums and cursors saturate; a
   size that cannot be rounded makes them all ones, which fits in no arena. So the
   first buffer that fails is the one whose end is above the capacity while its start
   is not, and exactly one core sees it. */
#ifndef SEQPLAN_ASCEND_LIST_H
#define SEQPLAN_ASCEND_LIST_H

#include "seqplan_ascend_control.h"

namespace seqplan {

/* The distance of the words of two chunks in the work area: cores write them. */
constexpr uint64_t list_stride = SEQPLAN_LINE_SIZE;

/* Chunks of slots start with a line if the first one does. */
static_assert(SEQPLAN_LIST_CHUNK * SEQPLAN_SLOT_SIZE % SEQPLAN_LINE_SIZE == 0, "chunks share lines");

/* The arguments of the kernels, as offsets from the base. */
struct ListArgs {
    __gm__ uint8_t *base;
    uint64_t control, sizes, slots, count, limit, work;
};

struct List : Control {
    __aicore__ inline explicit List(const ListArgs &args)
        : Control(args.base, args.control), a(args), length(a.base), sizes(a.base), slots(a.base), work(a.base)
    {
    }

    /* Reads line 0 and the length; false if there is no control block. */
    __aicore__ inline bool open_list()
    {
        if (!open_host())
            return false;
        if ((a.sizes | a.slots | a.count) % SEQPLAN_WORD_SIZE != 0 || a.work % SEQPLAN_LINE_SIZE != 0 || !usable() ||
            !ends(a.count, 1, SEQPLAN_WORD_SIZE))
            return true;
        n = length.word(a.count);
        if (n > a.limit)
            refusal = SEQPLAN_CODE_COUNT_OVER_MAX;
        else if (ends(a.sizes, n, SEQPLAN_WORD_SIZE) && ends(a.slots, n, SEQPLAN_SLOT_SIZE))
            refusal = SEQPLAN_CODE_OK;
        return true;
    }

    __aicore__ inline uint64_t chunks() const
    {
        return n / SEQPLAN_LIST_CHUNK + (n % SEQPLAN_LIST_CHUNK != 0 ? 1 : 0);
    }

    __aicore__ inline uint64_t chunk_end(uint64_t chunk) const
    {
        uint64_t first = chunk * SEQPLAN_LIST_CHUNK;
        return n - first < SEQPLAN_LIST_CHUNK ? n : first + SEQPLAN_LIST_CHUNK;
    }

    /* The offset of the word of a chunk in the work area. */
    __aicore__ inline uint64_t chunk_at(uint64_t chunk) const
    {
        return a.work + SEQPLAN_LINE_SIZE + chunk * list_stride;
    }

    __aicore__ inline uint64_t size(uint64_t index) { return sizes.word(a.sizes + index * SEQPLAN_WORD_SIZE); }

    /* A rounded size, or all ones. */
    __aicore__ inline uint64_t rounded(uint64_t size) const
    {
        uint64_t r;
        return round(size, &r) ? r : UINT64_MAX;
    }

    __aicore__ inline void put_slot(uint64_t index, uint64_t offset, uint64_t size)
    {
        uint64_t at = a.slots + index * SEQPLAN_SLOT_SIZE;
        slots.put(at, offset);
        slots.put(at + SEQPLAN_WORD_SIZE, size);
    }

    /* The cursor after the last buffer that was placed. */
    __aicore__ inline void moved(uint64_t cursor)
    {
        want(cursor - next);
        advance(cursor);
    }

    ListArgs a;
    Window length, sizes, slots, work;
    uint64_t n = 0;
    uint64_t refusal = SEQPLAN_CODE_BAD_PROGRAM; /* not OK: nothing is placed, for this reason */
};

__aicore__ inline void run_list_sum(const ListArgs &args)
{
    List l(args);
    if (!l.open_list() || l.refusal != SEQPLAN_CODE_OK)
        return;
    uint64_t cores = AscendC::GetBlockNum();
    for (uint64_t chunk = AscendC::GetBlockIdx(); chunk < l.chunks(); chunk += cores) {
        uint64_t sum = 0;
        for (uint64_t i = chunk * SEQPLAN_LIST_CHUNK; i < l.chunk_end(chunk); i++)
            sum = saturating(sum, l.rounded(l.size(i)));
        l.work.put(l.chunk_at(chunk), sum);
    }
}

/* Also keeps whether the batch has failed before, which the last kernel may change. */
__aicore__ inline void run_list_scan(const ListArgs &args)
{
    List l(args);
    if (!l.open_list() || l.refusal != SEQPLAN_CODE_OK)
        return;
    l.open_device();
    l.work.put(l.a.work, l.code);
    uint64_t cursor = l.next;
    for (uint64_t chunk = 0; chunk < l.chunks(); chunk++) {
        uint64_t sum = l.work.word(l.chunk_at(chunk));
        l.work.put(l.chunk_at(chunk), cursor);
        cursor = saturating(cursor, sum);
    }
}

/* The first failure: the size of a buffer with an index, and the cursor before it. */
__aicore__ inline void list_first_failure(List &l, uint64_t index, uint64_t size, uint64_t cursor)
{
    uint64_t rounded;
    l.open_device();
    if (index > 0)
        l.moved(cursor);
    if (l.round(size, &rounded)) {
        l.want(rounded);
        l.fail(SEQPLAN_NO_SLOT, SEQPLAN_CODE_EXHAUSTED, rounded);
    } else {
        l.fail(SEQPLAN_NO_SLOT, SEQPLAN_CODE_ARITHMETIC, 0);
    }
    l.failed += l.n - index - 1;
    l.close();
}

__aicore__ inline void list_place_chunk(List &l, uint64_t chunk)
{
    uint64_t cursor = l.work.word(l.chunk_at(chunk));
    for (uint64_t i = chunk * SEQPLAN_LIST_CHUNK; i < l.chunk_end(chunk); i++) {
        uint64_t size = l.size(i), end = saturating(cursor, l.rounded(size));
        if (end <= l.arena_capacity) {
            l.put_slot(i, l.arena_start + cursor, size);
            if (i == l.n - 1) {
                l.open_device();
                l.moved(end);
                l.close();
            }
        } else {
            l.put_slot(i, SEQPLAN_NOT_PLACED, 0);
            if (i == 0 || cursor <= l.arena_capacity)
                list_first_failure(l, i, size, cursor);
        }
        cursor = end;
    }
}

/* Reports that nothing is placed. */
__aicore__ inline void list_refused(List &l)
{
    l.open_device();
    if (l.refusal == SEQPLAN_CODE_OK)
        l.failed += l.n; /* the batch has failed before */
    else
        l.fail(SEQPLAN_NO_SLOT, l.refusal, l.refusal == SEQPLAN_CODE_COUNT_OVER_MAX ? l.n : 0);
    l.close();
}

__aicore__ inline void run_list_place(const ListArgs &args)
{
    List l(args);
    if (!l.open_list())
        return;
    uint64_t core = AscendC::GetBlockIdx(), cores = AscendC::GetBlockNum();
    bool failed = l.refusal != SEQPLAN_CODE_OK || l.work.word(l.a.work) != SEQPLAN_CODE_OK;
    if (failed && core == 0)
        list_refused(l);
    if (l.refusal != SEQPLAN_CODE_OK)
        return;
    bool share_lines = (reinterpret_cast<uint64_t>(l.a.base) + l.a.slots) % SEQPLAN_LINE_SIZE != 0;
    if (share_lines) { /* the chunks do: the owner core places them all */
        if (core != 0)
            return;
        cores = 1;
    }
    for (uint64_t chunk = core; chunk < l.chunks(); chunk += cores) {
        if (!failed) {
            list_place_chunk(l, chunk);
            continue;
        }
        for (uint64_t i = chunk * SEQPLAN_LIST_CHUNK; i < l.chunk_end(chunk); i++)
            l.put_slot(i, SEQPLAN_NOT_PLACED, 0);
    }
}

} // namespace seqplan

#endif /* SEQPLAN_ASCEND_LIST_H */
