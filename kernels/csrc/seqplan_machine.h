/* One launch of a kernel of the allocator: what it read from the control block and
   from the header of the program. Nothing in the pool is trusted, but where a pool
   ends is not known here: an offset is only refused where it leaves uint64. */
#ifndef SEQPLAN_MACHINE_H
#define SEQPLAN_MACHINE_H

#include "seqplan_port.h"

typedef struct seqplan_machine {
    SEQPLAN_GM uint8_t *base;
    uint64_t control; /* offset of the control block */
    /* line 0 */
    uint64_t arena_start, arena_capacity, arena_align, epoch, flags, host_slots;
    /* line 1 */
    uint64_t next, high, wanted, failed, failed_bytes, first_failed, code, epoch_done;
    /* the header */
    uint64_t program, words, num_steps, num_slots, num_params, slots, params, extents;
    uint64_t num_extents; /* of the mode reuse */
} seqplan_machine;

SEQPLAN_DEVICE SEQPLAN_GM seqplan_word *seqplan_words(SEQPLAN_GM uint8_t *base, uint64_t offset)
{
    return (SEQPLAN_GM seqplan_word *)(base + offset);
}

/* Whether count records of a size at an offset end within uint64. */
SEQPLAN_DEVICE bool seqplan_ends(uint64_t offset, uint64_t count, uint64_t size)
{
    int err = 0;
    uint64_t bytes = seqplan_mul(&err, count, size);
    (void)seqplan_add(&err, offset, bytes);
    return err == 0;
}

/* A little-endian integer of width bytes, 1 to 8, at any offset. */
SEQPLAN_DEVICE uint64_t seqplan_bytes(SEQPLAN_GM const uint8_t *p, uint64_t width)
{
    uint64_t v = 0;
    for (uint64_t i = 0; i < width; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

SEQPLAN_DEVICE uint64_t seqplan_saturating(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

/* Rounds up to align, a power of two; false if that leaves uint64. */
SEQPLAN_DEVICE bool seqplan_round(uint64_t size, uint64_t align, uint64_t *rounded)
{
    uint64_t pad = (0 - size) & (align - 1);
    *rounded = size + pad;
    return size <= UINT64_MAX - pad;
}

/* Reads line 0; false if there is no control block. */
SEQPLAN_DEVICE bool seqplan_open_host(seqplan_machine *m, SEQPLAN_GM uint8_t *base, uint64_t control)
{
    if (control % SEQPLAN_WORD_SIZE != 0 || !seqplan_ends(control, SEQPLAN_CONTROL_RECORD, SEQPLAN_WORD_SIZE))
        return false;
    SEQPLAN_GM const seqplan_word *w = seqplan_words(base, control);
    m->base = base;
    m->control = control;
    m->arena_start = w[SEQPLAN_CONTROL_AT_ARENA_START];
    m->arena_capacity = w[SEQPLAN_CONTROL_AT_ARENA_CAPACITY];
    m->arena_align = w[SEQPLAN_CONTROL_AT_ARENA_ALIGN];
    m->epoch = w[SEQPLAN_CONTROL_AT_EPOCH];
    m->flags = w[SEQPLAN_CONTROL_AT_FLAGS];
    m->host_slots = w[SEQPLAN_CONTROL_AT_NUM_SLOTS];
    m->num_extents = 0;
    return w[SEQPLAN_CONTROL_AT_MAGIC] == SEQPLAN_MAGIC;
}

SEQPLAN_DEVICE void seqplan_open_device(seqplan_machine *m)
{
    SEQPLAN_GM const seqplan_word *w = seqplan_words(m->base, m->control);
    m->next = w[SEQPLAN_CONTROL_AT_NEXT];
    m->high = w[SEQPLAN_CONTROL_AT_HIGH];
    m->wanted = w[SEQPLAN_CONTROL_AT_WANTED];
    m->failed = w[SEQPLAN_CONTROL_AT_FAILED];
    m->failed_bytes = w[SEQPLAN_CONTROL_AT_FAILED_BYTES];
    m->first_failed = w[SEQPLAN_CONTROL_AT_FIRST_FAILED];
    m->code = w[SEQPLAN_CONTROL_AT_CODE];
    m->epoch_done = w[SEQPLAN_CONTROL_AT_EPOCH_DONE];
}

SEQPLAN_DEVICE bool seqplan_open(seqplan_machine *m, SEQPLAN_GM uint8_t *base, uint64_t control)
{
    if (!seqplan_open_host(m, base, control))
        return false;
    seqplan_open_device(m);
    return true;
}

/* Writes line 1 back. */
SEQPLAN_DEVICE void seqplan_close(const seqplan_machine *m)
{
    SEQPLAN_GM seqplan_word *w = seqplan_words(m->base, m->control);
    w[SEQPLAN_CONTROL_AT_NEXT] = m->next;
    w[SEQPLAN_CONTROL_AT_HIGH] = m->high;
    w[SEQPLAN_CONTROL_AT_WANTED] = m->wanted;
    w[SEQPLAN_CONTROL_AT_FAILED] = m->failed;
    w[SEQPLAN_CONTROL_AT_FAILED_BYTES] = m->failed_bytes;
    w[SEQPLAN_CONTROL_AT_FIRST_FAILED] = m->first_failed;
    w[SEQPLAN_CONTROL_AT_CODE] = m->code;
    w[SEQPLAN_CONTROL_AT_EPOCH_DONE] = m->epoch_done;
}

/* Whether line 0 describes an arena of a known mode, in which no offset can leave
   uint64 or become NOT_PLACED. */
SEQPLAN_DEVICE bool seqplan_usable(uint64_t flags, uint64_t align, uint64_t start, uint64_t capacity)
{
    uint64_t mode = flags & ((UINT64_C(1) << SEQPLAN_FAULT_SHIFT) - 1);
    return (mode & ~SEQPLAN_FLAG_REUSE) == 0 && align != 0 && (align & (align - 1)) == 0 &&
           (start & (align - 1)) == 0 && capacity < SEQPLAN_NOT_PLACED - start;
}

SEQPLAN_DEVICE bool seqplan_arena_usable(const seqplan_machine *m)
{
    return seqplan_usable(m->flags, m->arena_align, m->arena_start, m->arena_capacity);
}

/* Reads the header of the program at an offset; false if it cannot be used. */
SEQPLAN_DEVICE bool seqplan_read_header(seqplan_machine *m, uint64_t program)
{
    if (program % SEQPLAN_WORD_SIZE != 0 || !seqplan_ends(program, SEQPLAN_HEADER_RECORD, SEQPLAN_WORD_SIZE))
        return false;
    SEQPLAN_GM const seqplan_word *w = seqplan_words(m->base, program);
    m->program = program;
    m->words = w[SEQPLAN_HEADER_AT_WORDS];
    m->num_steps = w[SEQPLAN_HEADER_AT_NUM_STEPS];
    m->num_slots = w[SEQPLAN_HEADER_AT_NUM_SLOTS];
    m->num_params = w[SEQPLAN_HEADER_AT_NUM_PARAMS];
    m->slots = w[SEQPLAN_HEADER_AT_SLOTS_OFFSET];
    m->params = w[SEQPLAN_HEADER_AT_PARAMS_OFFSET];
    m->extents = w[SEQPLAN_HEADER_AT_EXTENTS_OFFSET];
    /* No word that leaves uint64 can be read. */
    uint64_t most = (UINT64_MAX - program) / SEQPLAN_WORD_SIZE;
    if (m->words > most)
        m->words = most;
    return w[SEQPLAN_HEADER_AT_MAGIC] == SEQPLAN_PROGRAM_MAGIC &&
           (m->slots | m->params | m->extents) % SEQPLAN_WORD_SIZE == 0 && m->num_slots == m->host_slots &&
           seqplan_ends(m->slots, m->num_slots, SEQPLAN_SLOT_SIZE) &&
           seqplan_ends(m->extents, m->num_slots + 1, SEQPLAN_EXTENT_SIZE);
}

/* A word of the program; false outside of it. */
SEQPLAN_DEVICE bool seqplan_instruction(const seqplan_machine *m, uint64_t index, uint64_t *word)
{
    if (index >= m->words)
        return false;
    *word = seqplan_words(m->base, m->program)[index];
    return true;
}

/* A word of an array of records in the program. */
SEQPLAN_DEVICE bool seqplan_entry(const seqplan_machine *m, uint64_t first, uint64_t index, uint64_t size,
                                  uint64_t at, uint64_t *word)
{
    if (index >= m->words / size)
        return false;
    at += index * size;
    return first <= UINT64_MAX - at && seqplan_instruction(m, first + at, word);
}

/* The two words of a slot, which must exist. */
SEQPLAN_DEVICE SEQPLAN_GM seqplan_word *seqplan_slot_words(const seqplan_machine *m, uint64_t slot)
{
    return seqplan_words(m->base, m->slots + slot * SEQPLAN_SLOT_SIZE);
}

SEQPLAN_DEVICE void seqplan_put_slot(SEQPLAN_GM seqplan_word *slot, uint64_t offset, uint64_t size)
{
    slot[0] = offset;
    slot[1] = size;
}

/* Counts a failed allocation and records it if it is the first. */
SEQPLAN_DEVICE void seqplan_fail(seqplan_machine *m, uint64_t slot, uint64_t code, uint64_t value)
{
    m->failed++;
    if (m->code == SEQPLAN_CODE_OK) {
        m->code = code;
        m->first_failed = slot;
        m->failed_bytes = value;
    }
}

#endif /* SEQPLAN_MACHINE_H */
