/* Size programs: postfix code over a stack, in exact arithmetic. */
#ifndef SEQPLAN_ASCEND_SIZE_H
#define SEQPLAN_ASCEND_SIZE_H

#include "seqplan_ascend_machine.h"

namespace seqplan {

/* An element of the buffer [offset, offset + size). */
__aicore__ inline bool load(Machine &m, uint64_t offset, uint64_t size, uint64_t width, uint64_t index, uint64_t *v)
{
    if (index >= size / width || offset > UINT64_MAX - (index + 1) * width)
        return false;
    *v = m.values.integer(offset + index * width, width);
    return true;
}

/* An element of a dynamic buffer. */
__aicore__ inline bool load_slot(Machine &m, uint64_t slot, uint64_t width, uint64_t index, uint64_t *v)
{
    if (slot >= m.num_slots)
        return false;
    uint64_t offset = m.slot_offset(slot);
    return offset != SEQPLAN_NOT_PLACED && load(m, offset, m.slot_size(slot), width, index, v);
}

__aicore__ inline bool load_param(Machine &m, uint64_t param, uint64_t *v)
{
    if (!ends(m.params, param + 1, SEQPLAN_WORD_SIZE))
        return false;
    *v = m.values.word(m.params + param * SEQPLAN_WORD_SIZE);
    return true;
}

/* One instruction, taken apart. */
struct Instruction {
    uint64_t op, arg;
    uint64_t pops;       /* values that it takes from the stack; it leaves one */
    uint64_t immediates; /* words that follow */
};

/* False if the opcode does not exist or its argument is not legal. */
__aicore__ inline bool decode(const Machine &m, uint64_t word, Instruction *in)
{
    in->op = word & UINT64_C(0xffffffff);
    in->arg = word >> 32;
    in->pops = 2;
    in->immediates = 0;
    switch (in->op) {
    case SEQPLAN_OP_CONST:
        in->pops = 0;
        in->immediates = 1;
        break;
    case SEQPLAN_OP_PARAM:
        in->pops = 0;
        return in->arg < m.num_params;
    case SEQPLAN_OP_LOAD:
    case SEQPLAN_OP_LOAD_SLOT:
        in->pops = 1;
        in->immediates = in->op == SEQPLAN_OP_LOAD ? 2 : 1;
        return in->arg == 1 || in->arg == 2 || in->arg == 4 || in->arg == 8;
    }
    return in->op >= SEQPLAN_OP_CONST && in->op <= SEQPLAN_OP_CHECK_MAX && in->arg == 0;
}

/* The operations on two values, b from the top of the stack. */
__aicore__ inline uint64_t calculate(uint64_t op, uint64_t a, uint64_t b, int *err)
{
    switch (op) {
    case SEQPLAN_OP_ADD:
        return seqplan_add(err, a, b);
    case SEQPLAN_OP_SUB:
        return seqplan_sub(err, a, b);
    case SEQPLAN_OP_MUL:
        return seqplan_mul(err, a, b);
    case SEQPLAN_OP_DIV:
        return seqplan_div(err, a, b);
    case SEQPLAN_OP_MOD:
        return seqplan_mod(err, a, b);
    case SEQPLAN_OP_CEIL_DIV:
        return seqplan_ceil_div(err, a, b);
    case SEQPLAN_OP_ALIGN_UP:
        return seqplan_align_up(err, a, b);
    case SEQPLAN_OP_MIN:
        return seqplan_min(err, a, b);
    }
    return seqplan_max(err, a, b);
}

/* Runs one instruction at a word index on its arguments. Returns the code; *v is the
   value that it leaves, or what failed_bytes gets. */
__aicore__ inline uint64_t execute(Machine &m, const Instruction &in, uint64_t pc, const uint64_t *args, uint64_t *v)
{
    bool ok = true;
    int err = 0;
    *v = 0;
    switch (in.op) {
    case SEQPLAN_OP_CONST:
        *v = m.instruction(pc + 1);
        break;
    case SEQPLAN_OP_PARAM:
        ok = load_param(m, in.arg, v);
        break;
    case SEQPLAN_OP_LOAD:
        ok = load(m, m.instruction(pc + 1), m.instruction(pc + 2), in.arg, args[0], v);
        break;
    case SEQPLAN_OP_LOAD_SLOT:
        ok = load_slot(m, m.instruction(pc + 1), in.arg, args[0], v);
        break;
    case SEQPLAN_OP_CHECK_MAX:
        *v = args[0];
        if (args[0] > args[1])
            return SEQPLAN_CODE_COUNT_OVER_MAX;
        break;
    default:
        *v = calculate(in.op, args[0], args[1], &err);
        if (err != 0)
            return SEQPLAN_CODE_ARITHMETIC;
    }
    return ok ? SEQPLAN_CODE_OK : SEQPLAN_CODE_BAD_PROGRAM;
}

/* Runs a size program. Returns the code; *v is the size, or what failed_bytes gets. */
__aicore__ inline uint64_t run_size(Machine &m, uint64_t first, uint64_t words, uint64_t *v)
{
    *v = 0;
    if (words > SEQPLAN_MAX_CODE_SIZE || first > m.words || words > m.words - first)
        return SEQPLAN_CODE_BAD_PROGRAM;
    uint64_t sp = 0, end = first + words;
    for (uint64_t pc = first; pc < end;) {
        Instruction in;
        bool ok = decode(m, m.instruction(pc), &in);
        uint64_t next = pc + 1 + in.immediates;
        if (!ok || next > end || sp < in.pops || sp - in.pops >= SEQPLAN_MAX_STACK)
            return SEQPLAN_CODE_BAD_PROGRAM;
        sp -= in.pops;
        uint64_t value, code = execute(m, in, pc, &m.stack[sp], &value);
        if (code != SEQPLAN_CODE_OK) {
            *v = code == SEQPLAN_CODE_COUNT_OVER_MAX ? value : 0;
            return code;
        }
        m.stack[sp++] = value;
        pc = next;
    }
    if (sp != 1)
        return SEQPLAN_CODE_BAD_PROGRAM;
    *v = m.stack[0];
    return SEQPLAN_CODE_OK;
}

} // namespace seqplan

#endif /* SEQPLAN_ASCEND_SIZE_H */
