/* Size programs: postfix code over a stack, in exact arithmetic. */
#ifndef SEQPLAN_SIZE_H
#define SEQPLAN_SIZE_H

#include "seqplan_machine.h"

/* An element of the buffer [offset, offset + size). */
SEQPLAN_DEVICE bool seqplan_element(const seqplan_machine *m, uint64_t offset, uint64_t size, uint64_t width,
                                    uint64_t index, uint64_t *v)
{
    if (index >= size / width || offset > UINT64_MAX - (index + 1) * width)
        return false;
    *v = seqplan_bytes(m->base + (offset + index * width), width);
    return true;
}

/* An element of a dynamic buffer. */
SEQPLAN_DEVICE bool seqplan_load_slot(const seqplan_machine *m, uint64_t slot, uint64_t width, uint64_t index,
                                      uint64_t *v)
{
    if (slot >= m->num_slots)
        return false;
    SEQPLAN_GM const seqplan_word *s = seqplan_slot_words(m, slot);
    return s[0] != SEQPLAN_NOT_PLACED && seqplan_element(m, s[0], s[1], width, index, v);
}

/* Whether an opcode exists and its argument is legal. */
SEQPLAN_DEVICE bool seqplan_legal(const seqplan_machine *m, uint64_t op, uint64_t arg)
{
    switch (op) {
    case SEQPLAN_OP_LOAD:
    case SEQPLAN_OP_LOAD_SLOT:
        return arg == 1 || arg == 2 || arg == 4 || arg == 8;
    case SEQPLAN_OP_PARAM:
        return arg < m->num_params;
    }
    return op >= SEQPLAN_OP_CONST && op <= SEQPLAN_OP_CHECK_MAX && arg == 0;
}

/* The operations on two values, b from the top of the stack. */
SEQPLAN_DEVICE uint64_t seqplan_calculate(uint64_t op, uint64_t a, uint64_t b, int *err)
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

/* Runs one instruction on the *sp values of the stack. The immediates are there.
   Returns the code; *failed is what failed_bytes gets. */
SEQPLAN_DEVICE uint64_t seqplan_execute(const seqplan_machine *m, uint64_t instruction, uint64_t pc,
                                        uint64_t *stack, uint64_t *sp, uint64_t *failed)
{
    SEQPLAN_GM const seqplan_word *imm = seqplan_words(m->base, m->program) + pc + 1;
    uint64_t op = instruction & UINT64_C(0xffffffff), arg = instruction >> 32, v = 0;
    bool ok = true;
    switch (op) {
    case SEQPLAN_OP_CONST:
        v = imm[0];
        break;
    case SEQPLAN_OP_PARAM:
        ok = m->params <= UINT64_MAX - (arg + 1) * SEQPLAN_WORD_SIZE;
        if (ok)
            v = seqplan_words(m->base, m->params)[arg];
        break;
    case SEQPLAN_OP_LOAD:
        ok = seqplan_element(m, imm[0], imm[1], arg, stack[--*sp], &v);
        break;
    case SEQPLAN_OP_LOAD_SLOT:
        ok = seqplan_load_slot(m, imm[0], arg, stack[--*sp], &v);
        break;
    default: {
        uint64_t b = stack[--*sp], a = stack[--*sp];
        if (op == SEQPLAN_OP_CHECK_MAX) {
            if (a > b) {
                *failed = a;
                return SEQPLAN_CODE_COUNT_OVER_MAX;
            }
            v = a;
        } else {
            int err = 0;
            v = seqplan_calculate(op, a, b, &err);
            if (err != 0)
                return SEQPLAN_CODE_ARITHMETIC;
        }
    }
    }
    if (!ok)
        return SEQPLAN_CODE_BAD_PROGRAM;
    stack[(*sp)++] = v;
    return SEQPLAN_CODE_OK;
}

/* Runs a size program. Returns the code; *failed is what failed_bytes gets. */
SEQPLAN_DEVICE uint64_t seqplan_run(const seqplan_machine *m, uint64_t first, uint64_t words, uint64_t *size,
                                    uint64_t *failed)
{
    uint64_t stack[SEQPLAN_MAX_STACK];
    *failed = 0;
    if (words > SEQPLAN_MAX_CODE_SIZE || first > m->words || words > m->words - first)
        return SEQPLAN_CODE_BAD_PROGRAM;
    uint64_t sp = 0, end = first + words;
    for (uint64_t pc = first; pc < end;) {
        uint64_t instruction = seqplan_words(m->base, m->program)[pc];
        uint64_t op = instruction & UINT64_C(0xffffffff);
        uint64_t pops = 2, next = pc + 1;
        if (op == SEQPLAN_OP_CONST || op == SEQPLAN_OP_PARAM)
            pops = 0;
        else if (op == SEQPLAN_OP_LOAD || op == SEQPLAN_OP_LOAD_SLOT)
            pops = 1;
        if (op == SEQPLAN_OP_CONST || op == SEQPLAN_OP_LOAD_SLOT)
            next += 1;
        else if (op == SEQPLAN_OP_LOAD)
            next += 2;
        /* Every instruction leaves one value. */
        if (!seqplan_legal(m, op, instruction >> 32) || next > end || sp < pops || sp - pops >= SEQPLAN_MAX_STACK)
            return SEQPLAN_CODE_BAD_PROGRAM;
        uint64_t code = seqplan_execute(m, instruction, pc, stack, &sp, failed);
        if (code != SEQPLAN_CODE_OK)
            return code;
        pc = next;
    }
    if (sp != 1)
        return SEQPLAN_CODE_BAD_PROGRAM;
    *size = stack[0];
    return SEQPLAN_CODE_OK;
}

#endif /* SEQPLAN_SIZE_H */
