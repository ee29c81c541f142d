/* Patterns: fill, check, store and check one value, on a static place or a slot. */
#ifndef SEQPLAN_PATTERN_H
#define SEQPLAN_PATTERN_H

#include "seqplan_machine.h"

/* What a place is: the bytes [from, to) of mem. */
typedef struct seqplan_span {
    SEQPLAN_GM uint8_t *mem;
    uint64_t from, to;
    bool known;  /* does not leave uint64 */
    bool placed; /* is not a slot without memory */
} seqplan_span;

SEQPLAN_DEVICE seqplan_span seqplan_find_span(SEQPLAN_GM uint8_t *base, uint64_t slots, uint64_t place,
                                              uint64_t from, uint64_t to)
{
    seqplan_span s;
    uint64_t offset = place, slot = place & ~SEQPLAN_SLOT_PLACE;
    s.from = s.to = from;
    s.mem = base;
    s.known = s.placed = true;
    if ((place & SEQPLAN_SLOT_PLACE) != 0) {
        s.known = seqplan_ends(slots, slot + 1, SEQPLAN_SLOT_SIZE);
        if (!s.known)
            return s;
        SEQPLAN_GM const uint8_t *record = base + (slots + slot * SEQPLAN_SLOT_SIZE);
        offset = seqplan_bytes(record, SEQPLAN_WORD_SIZE);
        uint64_t size = seqplan_bytes(record + SEQPLAN_WORD_SIZE, SEQPLAN_WORD_SIZE);
        s.placed = offset != SEQPLAN_NOT_PLACED;
        if (to > size)
            to = size;
    }
    if (s.placed && from < to) {
        s.known = offset <= UINT64_MAX - to;
        s.to = to;
        s.mem = base + offset;
    }
    return s;
}

SEQPLAN_DEVICE uint64_t seqplan_pattern_word(uint64_t seed, uint64_t i)
{
    uint64_t x = seed + i * SEQPLAN_PATTERN_STEP;
    return x ^ x >> 32;
}

/* The words of a place of which a byte lies in the span: [*first, *end). Of them,
   those in [*whole, *whole_end) do so as a whole and lie aligned. */
SEQPLAN_DEVICE void seqplan_span_words(const seqplan_span *s, uint64_t *first, uint64_t *end, uint64_t *whole,
                                       uint64_t *whole_end)
{
    *first = s->from / 8;
    *end = s->to / 8 + (s->to % 8 != 0 ? 1 : 0);
    *whole = s->from / 8 + (s->from % 8 != 0 ? 1 : 0);
    *whole_end = s->to / 8;
    if (((uintptr_t)s->mem & 7) != 0)
        *whole = *whole_end = *first;
}

SEQPLAN_DEVICE void seqplan_run_fill(seqplan_span s, uint64_t seed)
{
    uint64_t first, end, whole, whole_end, stride = SEQPLAN_NUM_GROUPS * SEQPLAN_LSIZE;
    if (!s.known || !s.placed)
        return;
    seqplan_span_words(&s, &first, &end, &whole, &whole_end);
    for (uint64_t i = first + SEQPLAN_GROUP * SEQPLAN_LSIZE + SEQPLAN_LID; i < end; i += stride) {
        uint64_t word = seqplan_pattern_word(seed, i);
        if (i >= whole && i < whole_end) {
            ((SEQPLAN_GM seqplan_word *)s.mem)[i] = word;
            continue;
        }
        for (uint64_t j = 0; j < 8; j++)
            if (8 * i + j >= s.from && 8 * i + j < s.to)
                s.mem[8 * i + j] = (uint8_t)(word >> (8 * j));
    }
}

/* A word of the span; its bytes outside of the span as in want. */
SEQPLAN_DEVICE uint64_t seqplan_span_word(const seqplan_span *s, uint64_t i, uint64_t want)
{
    uint64_t got = want;
    for (uint64_t j = 0; j < 8; j++)
        if (8 * i + j >= s->from && 8 * i + j < s->to)
            got = (got & ~(UINT64_C(255) << (8 * j))) | (uint64_t)s->mem[8 * i + j] << (8 * j);
    return got;
}

SEQPLAN_DEVICE uint64_t seqplan_count_bytes(uint64_t diff)
{
    uint64_t n = 0;
    for (; diff != 0; diff >>= 8)
        n += (diff & 255) != 0 ? 1 : 0;
    return n;
}

/* How many bytes of the words of this thread differ; *lowest is the first such word. */
SEQPLAN_DEVICE uint64_t seqplan_compare(const seqplan_span *s, uint64_t seed, uint64_t *lowest)
{
    uint64_t first, end, whole, whole_end, bad = 0, stride = SEQPLAN_NUM_GROUPS * SEQPLAN_LSIZE;
    SEQPLAN_GM const seqplan_word *words = (SEQPLAN_GM const seqplan_word *)s->mem;
    seqplan_span_words(s, &first, &end, &whole, &whole_end);
    for (uint64_t i = first + SEQPLAN_GROUP * SEQPLAN_LSIZE + SEQPLAN_LID; i < end; i += stride) {
        /* Four loads at once as long as nothing differs. */
        while (i >= whole && i + 3 * stride < whole_end) {
            uint64_t a = words[i], b = words[i + stride], c = words[i + 2 * stride], d = words[i + 3 * stride];
            a ^= seqplan_pattern_word(seed, i);
            b ^= seqplan_pattern_word(seed, i + stride);
            c ^= seqplan_pattern_word(seed, i + 2 * stride);
            d ^= seqplan_pattern_word(seed, i + 3 * stride);
            if ((a | b | c | d) != 0)
                break;
            i += 4 * stride;
        }
        if (i >= end)
            break;
        uint64_t want = seqplan_pattern_word(seed, i);
        uint64_t got = i >= whole && i < whole_end ? words[i] : seqplan_span_word(s, i, want);
        if (got != want && bad == 0)
            *lowest = i;
        bad += seqplan_count_bytes(got ^ want);
    }
    return bad;
}

SEQPLAN_DEVICE void seqplan_report_first(SEQPLAN_GM seqplan_word *report, uint64_t at, uint64_t want, uint64_t got)
{
    report[SEQPLAN_CHECK_AT_FIRST_AT] = at;
    report[SEQPLAN_CHECK_AT_WANT] = want;
    report[SEQPLAN_CHECK_AT_GOT] = got;
}

/* The last block to come here knows the lowest word that differs, from the first
   reserved word of the report. The second one counts the blocks; its top bit says
   that the first mismatch of all is one of this launch. Both end as zero. */
SEQPLAN_DEVICE void seqplan_last_block(const seqplan_span *s, uint64_t seed, SEQPLAN_GM seqplan_word *report,
                                       bool opened)
{
    const uint64_t open = UINT64_C(1) << 63;
    SEQPLAN_GM seqplan_word *lowest = &report[SEQPLAN_CHECK_AT_RESERVED], *ticket = lowest + 1;
    SEQPLAN_FENCE();
    uint64_t mine = opened ? open : 0, state = seqplan_atomic_add(ticket, mine + 1);
    if ((state & ~open) != SEQPLAN_NUM_GROUPS - 1)
        return;
    SEQPLAN_FENCE();
    if (((state | mine) & open) != 0) {
        uint64_t i = ~seqplan_atomic_load(lowest), want = seqplan_pattern_word(seed, i);
        seqplan_report_first(report, 8 * i, want, seqplan_span_word(s, i, want));
    }
    seqplan_atomic_store(lowest, 0);
    seqplan_atomic_store(ticket, 0);
}

/* No thread returns early: PoCL 3.1 runs the last part for every thread of a block if
   a barrier before it is in the branch of a condition. */
SEQPLAN_DEVICE void seqplan_run_check(seqplan_span s, uint64_t seed, SEQPLAN_GM seqplan_word *report,
                                      SEQPLAN_LOCAL uint64_t *shared)
{
    if (s.known && SEQPLAN_GROUP == 0 && SEQPLAN_LID == 0) {
        if (s.placed)
            (void)seqplan_atomic_add(&report[SEQPLAN_CHECK_AT_CHECKED], s.to - s.from);
        else
            (void)seqplan_atomic_add(&report[SEQPLAN_CHECK_AT_UNPLACED], 1);
    }
    if (SEQPLAN_LID == 0)
        shared[0] = 0;
    SEQPLAN_BARRIER();
    uint64_t lowest = 0, bad = s.known && s.placed ? seqplan_compare(&s, seed, &lowest) : 0;
    if (bad != 0) {
        (void)seqplan_atomic_max(&report[SEQPLAN_CHECK_AT_RESERVED], ~lowest);
        /* Of all threads of all launches one finds that there was no mismatch yet. */
        if (seqplan_atomic_add(&report[SEQPLAN_CHECK_AT_MISMATCHES], bad) == 0)
            shared[0] = 1;
        SEQPLAN_FENCE();
    }
    SEQPLAN_BARRIER();
    if (s.known && SEQPLAN_LID == 0)
        seqplan_last_block(&s, seed, report, shared[0] != 0);
}

/* The span of an integer; false if there is no such integer. Its slot may be too
   short or not placed: then placed is false. */
SEQPLAN_DEVICE bool seqplan_find_value(SEQPLAN_GM uint8_t *base, uint64_t slots, uint64_t place, uint64_t at,
                                       uint64_t width, seqplan_span *s)
{
    if (SEQPLAN_GROUP != 0 || SEQPLAN_LID != 0 || width == 0 || width > 8 || at > UINT64_MAX - width)
        return false;
    *s = seqplan_find_span(base, slots, place, at, at + width);
    s->placed = s->placed && s->to - s->from == width;
    return s->known;
}

SEQPLAN_DEVICE void seqplan_run_store(SEQPLAN_GM uint8_t *base, uint64_t slots, uint64_t place, uint64_t at,
                                      uint64_t width, uint64_t value)
{
    seqplan_span s;
    if (!seqplan_find_value(base, slots, place, at, width, &s) || !s.placed)
        return;
    for (uint64_t j = 0; j < width; j++)
        s.mem[at + j] = (uint8_t)(value >> (8 * j));
}

SEQPLAN_DEVICE void seqplan_run_check_value(SEQPLAN_GM uint8_t *base, uint64_t slots, uint64_t place, uint64_t at,
                                            uint64_t width, uint64_t value, SEQPLAN_GM seqplan_word *report)
{
    seqplan_span s;
    if (!seqplan_find_value(base, slots, place, at, width, &s))
        return;
    if (!s.placed) {
        report[SEQPLAN_CHECK_AT_UNPLACED] += 1;
        return;
    }
    uint64_t want = value & (UINT64_MAX >> (64 - 8 * width)), got = seqplan_bytes(s.mem + at, width);
    report[SEQPLAN_CHECK_AT_CHECKED] += width;
    if (got != want && report[SEQPLAN_CHECK_AT_MISMATCHES] == 0)
        seqplan_report_first(report, at, want, got);
    report[SEQPLAN_CHECK_AT_MISMATCHES] += seqplan_count_bytes(got ^ want);
}

#endif /* SEQPLAN_PATTERN_H */
