/* One launch of a kernel that works on a step program: the control block, the header
   of the program, and a window for each area. */
#ifndef SEQPLAN_ASCEND_MACHINE_H
#define SEQPLAN_ASCEND_MACHINE_H

#include "seqplan_ascend_control.h"

namespace seqplan {

struct Machine : Control {
    __aicore__ inline Machine(__gm__ uint8_t *base, uint64_t control)
        : Control(base, control), records(base), code_words(base), values(base), slot_table(base), extent_table(base)
    {
    }

    /* Reads the header of the program at an offset; false if it cannot be used. */
    __aicore__ inline bool read_header(uint64_t offset)
    {
        program = offset;
        if (program % SEQPLAN_WORD_SIZE != 0 || !ends(program, SEQPLAN_HEADER_RECORD, SEQPLAN_WORD_SIZE))
            return false;
        uint64_t magic = header(SEQPLAN_HEADER_AT_MAGIC);
        words = header(SEQPLAN_HEADER_AT_WORDS);
        num_steps = header(SEQPLAN_HEADER_AT_NUM_STEPS);
        num_slots = header(SEQPLAN_HEADER_AT_NUM_SLOTS);
        num_params = header(SEQPLAN_HEADER_AT_NUM_PARAMS);
        slots = header(SEQPLAN_HEADER_AT_SLOTS_OFFSET);
        params = header(SEQPLAN_HEADER_AT_PARAMS_OFFSET);
        extents = header(SEQPLAN_HEADER_AT_EXTENTS_OFFSET);
        /* No word that leaves uint64 can be read. */
        uint64_t most = (UINT64_MAX - program) / SEQPLAN_WORD_SIZE;
        if (words > most)
            words = most;
        return magic == SEQPLAN_PROGRAM_MAGIC && (slots | params | extents) % SEQPLAN_WORD_SIZE == 0 &&
               num_slots == host_slots && ends(slots, num_slots, SEQPLAN_SLOT_SIZE) &&
               ends(extents, num_slots + 1, SEQPLAN_EXTENT_SIZE);
    }

    /* A word of an array of records in the program; false outside of it. */
    __aicore__ inline bool record(uint64_t first, uint64_t index, uint64_t size, uint64_t field, uint64_t *word)
    {
        if (index >= words / size)
            return false;
        uint64_t i = index * size + field;
        if (first >= words || i >= words - first)
            return false;
        *word = records.word(program + (first + i) * SEQPLAN_WORD_SIZE);
        return true;
    }

    /* A word of the program, which must exist. */
    __aicore__ inline uint64_t instruction(uint64_t index)
    {
        return code_words.word(program + index * SEQPLAN_WORD_SIZE);
    }

    /* The words of a slot, which must exist. */
    __aicore__ inline uint64_t slot_offset(uint64_t slot) { return slot_table.word(slots + slot * SEQPLAN_SLOT_SIZE); }

    __aicore__ inline uint64_t slot_size(uint64_t slot)
    {
        return slot_table.word(slots + slot * SEQPLAN_SLOT_SIZE + SEQPLAN_WORD_SIZE);
    }

    __aicore__ inline void put_slot(uint64_t slot, uint64_t offset, uint64_t size)
    {
        slot_table.put(slots + slot * SEQPLAN_SLOT_SIZE, offset);
        slot_table.put(slots + slot * SEQPLAN_SLOT_SIZE + SEQPLAN_WORD_SIZE, size);
    }

    /* Records change from step to step, code from buffer to buffer, and parameters and
       counts lie anywhere: each has a window of its own, so that lines stay current. */
    Window records, code_words, values, slot_table, extent_table;
    uint64_t program, words, num_steps, num_slots, num_params, slots, params, extents;
    uint64_t num_extents = 0; /* of the mode reuse */
    uint64_t stack[SEQPLAN_MAX_STACK];

private:
    __aicore__ inline uint64_t header(uint64_t index) { return records.word(program + index * SEQPLAN_WORD_SIZE); }
};

} // namespace seqplan

#endif /* SEQPLAN_ASCEND_MACHINE_H */
