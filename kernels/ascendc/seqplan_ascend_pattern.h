/* Patterns: fill, check, store and check one value, on a static place or a slot. */
#ifndef SEQPLAN_ASCEND_PATTERN_H
#define SEQPLAN_ASCEND_PATTERN_H

#include "seqplan_ascend_control.h"

namespace seqplan {

/* Fill divides memory over the cores in parts of this size: cores share no line. */
constexpr uint64_t fill_part = SEQPLAN_LINE_SIZE;

/* The bytes [from, to) of a place. */
struct Span {
    __aicore__ inline Span(__gm__ uint8_t *base, uint64_t slots, uint64_t place, uint64_t first, uint64_t end)
        : memory(base), offset(place), from(first), to(first)
    {
        if ((place & SEQPLAN_SLOT_PLACE) != 0) {
            uint64_t slot = place & ~SEQPLAN_SLOT_PLACE;
            known = ends(slots, slot + 1, SEQPLAN_SLOT_SIZE);
            if (!known)
                return;
            Window table(base);
            offset = table.integer(slots + slot * SEQPLAN_SLOT_SIZE, SEQPLAN_WORD_SIZE);
            uint64_t size = table.integer(slots + slot * SEQPLAN_SLOT_SIZE + SEQPLAN_WORD_SIZE, SEQPLAN_WORD_SIZE);
            placed = offset != SEQPLAN_NOT_PLACED;
            if (end > size)
                end = size;
        }
        if (placed && first < end) {
            known = offset <= UINT64_MAX - end;
            to = end;
        }
        start = reinterpret_cast<uint64_t>(base) + offset;
    }

    /* Whether the word at a byte of the place lies aligned and in the span as a whole. */
    __aicore__ inline bool whole(uint64_t at) const
    {
        return (start + at) % SEQPLAN_WORD_SIZE == 0 && at >= from && at <= to && to - at >= SEQPLAN_WORD_SIZE;
    }

    /* The word with an index; its bytes outside of the span as in want. */
    __aicore__ inline uint64_t word(uint64_t index, uint64_t want)
    {
        uint64_t got = want, at = index * SEQPLAN_WORD_SIZE;
        if (whole(at))
            return memory.word(offset + at);
        for (uint64_t j = 0; j < SEQPLAN_WORD_SIZE; j++)
            if (at + j >= from && at + j < to) {
                got &= ~(UINT64_C(255) << (8 * j));
                got |= memory.integer(offset + at + j, 1) << (8 * j);
            }
        return got;
    }

    Window memory;
    uint64_t offset, from, to; /* offset from the base, the others in the place */
    uint64_t start = 0;        /* address of the place */
    bool known = true;         /* does not leave uint64 */
    bool placed = true;        /* is not a slot without memory */
};

__aicore__ inline uint64_t pattern_word(uint64_t seed, uint64_t index)
{
    uint64_t x = seed + index * SEQPLAN_PATTERN_STEP;
    return x ^ x >> 32;
}

__aicore__ inline void run_fill(__gm__ uint8_t *base, uint64_t slots, uint64_t place, uint64_t from, uint64_t to,
                                uint64_t seed)
{
    Span s(base, slots, place, from, to);
    if (!s.known || !s.placed || s.from >= s.to)
        return;
    uint64_t first = (s.start + s.from) / fill_part, last = (s.start + s.to - 1) / fill_part;
    uint64_t cores = AscendC::GetBlockNum();
    for (uint64_t part = first + AscendC::GetBlockIdx(); part <= last; part += cores) {
        uint64_t at = part == first ? s.from : part * fill_part - s.start;
        uint64_t end = part == last ? s.to : (part + 1) * fill_part - s.start;
        while (at < end) {
            uint64_t word = pattern_word(seed, at / SEQPLAN_WORD_SIZE), skip = at % SEQPLAN_WORD_SIZE;
            if (skip == 0 && s.whole(at)) {
                s.memory.put(s.offset + at, word);
                at += SEQPLAN_WORD_SIZE;
            } else {
                s.memory.put_byte(s.offset + at, static_cast<uint8_t>(word >> (8 * skip)));
                at++;
            }
        }
    }
}

/* A report record in memory. */
struct Report {
    __aicore__ inline explicit Report(__gm__ uint8_t *address) : record(address) {}

    __aicore__ inline void add(uint64_t index, uint64_t v)
    {
        record.put(index * SEQPLAN_WORD_SIZE, record.word(index * SEQPLAN_WORD_SIZE) + v);
    }

    /* Compares a value that lies at a byte of its place. */
    __aicore__ inline void compare(uint64_t at, uint64_t want, uint64_t got)
    {
        uint64_t bad = 0;
        for (uint64_t diff = want ^ got; diff != 0; diff >>= 8)
            bad += (diff & 255) != 0 ? 1 : 0;
        if (bad == 0)
            return;
        if (record.word(SEQPLAN_CHECK_AT_MISMATCHES * SEQPLAN_WORD_SIZE) == 0) {
            record.put(SEQPLAN_CHECK_AT_FIRST_AT * SEQPLAN_WORD_SIZE, at);
            record.put(SEQPLAN_CHECK_AT_WANT * SEQPLAN_WORD_SIZE, want);
            record.put(SEQPLAN_CHECK_AT_GOT * SEQPLAN_WORD_SIZE, got);
        }
        add(SEQPLAN_CHECK_AT_MISMATCHES, bad);
    }

    Window record;
};

/* One core compares all: reports of several could only be added up with atomics. */
__aicore__ inline void run_check(__gm__ uint8_t *base, uint64_t slots, uint64_t place, uint64_t from, uint64_t to,
                                 uint64_t seed, __gm__ uint8_t *address)
{
    Span s(base, slots, place, from, to);
    if (!s.known)
        return;
    Report r(address);
    if (!s.placed) {
        r.add(SEQPLAN_CHECK_AT_UNPLACED, 1);
        return;
    }
    r.add(SEQPLAN_CHECK_AT_CHECKED, s.to - s.from);
    if (s.from >= s.to)
        return;
    for (uint64_t i = s.from / SEQPLAN_WORD_SIZE; i <= (s.to - 1) / SEQPLAN_WORD_SIZE; i++) {
        uint64_t want = pattern_word(seed, i);
        r.compare(i * SEQPLAN_WORD_SIZE, want, s.word(i, want));
    }
}

/* Whether there is such an integer. */
__aicore__ inline bool integer_exists(uint64_t at, uint64_t width)
{
    return width != 0 && width <= 8 && at <= UINT64_MAX - width;
}

__aicore__ inline void run_store(__gm__ uint8_t *base, uint64_t slots, uint64_t place, uint64_t at, uint64_t width,
                                 uint64_t value)
{
    if (!integer_exists(at, width))
        return;
    Span s(base, slots, place, at, at + width);
    if (!s.known || s.to - s.from != width)
        return;
    for (uint64_t j = 0; j < width; j++)
        s.memory.put_byte(s.offset + at + j, static_cast<uint8_t>(value >> (8 * j)));
}

__aicore__ inline void run_check_value(__gm__ uint8_t *base, uint64_t slots, uint64_t place, uint64_t at,
                                       uint64_t width, uint64_t value, __gm__ uint8_t *address)
{
    if (!integer_exists(at, width))
        return;
    Span s(base, slots, place, at, at + width);
    if (!s.known)
        return;
    Report r(address);
    if (s.to - s.from != width) {
        r.add(SEQPLAN_CHECK_AT_UNPLACED, 1);
        return;
    }
    r.add(SEQPLAN_CHECK_AT_CHECKED, width);
    r.compare(at, value & (UINT64_MAX >> (64 - 8 * width)), s.memory.integer(s.offset + at, width));
}

} // namespace seqplan

#endif /* SEQPLAN_ASCEND_PATTERN_H */
