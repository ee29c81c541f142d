#ifndef SEQPLAN_CHECKED_ARITHMETIC
#define SEQPLAN_CHECKED_ARITHMETIC

#ifndef __OPENCL_C_VERSION__
#include <stdint.h>
#endif

#ifndef SEQPLAN_FN
#define SEQPLAN_FN static inline
#endif

#ifndef SEQPLAN_BAD_ARITHMETIC
#define SEQPLAN_BAD_ARITHMETIC 3
#endif

/* Exact arithmetic on sizes. *err is 0 or the first failure; after a failure
   every function returns 0. */

SEQPLAN_FN uint64_t seqplan_bad(int *err)
{
    if (*err == 0)
        *err = SEQPLAN_BAD_ARITHMETIC;
    return 0;
}

SEQPLAN_FN uint64_t seqplan_add(int *err, uint64_t a, uint64_t b)
{
    if (*err != 0 || a + b < a)
        return seqplan_bad(err);
    return a + b;
}

SEQPLAN_FN uint64_t seqplan_sub(int *err, uint64_t a, uint64_t b)
{
    if (*err != 0 || a < b)
        return seqplan_bad(err);
    return a - b;
}

SEQPLAN_FN uint64_t seqplan_mul(int *err, uint64_t a, uint64_t b)
{
    if (*err != 0 || (a != 0 && b > UINT64_MAX / a))
        return seqplan_bad(err);
    return a * b;
}

SEQPLAN_FN uint64_t seqplan_div(int *err, uint64_t a, uint64_t b)
{
    if (*err != 0 || b == 0)
        return seqplan_bad(err);
    return a / b;
}

SEQPLAN_FN uint64_t seqplan_mod(int *err, uint64_t a, uint64_t b)
{
    if (*err != 0 || b == 0)
        return seqplan_bad(err);
    return a % b;
}

SEQPLAN_FN uint64_t seqplan_ceil_div(int *err, uint64_t a, uint64_t b)
{
    if (*err != 0 || b == 0)
        return seqplan_bad(err);
    return a / b + (a % b != 0 ? 1 : 0);
}

SEQPLAN_FN uint64_t seqplan_align_up(int *err, uint64_t a, uint64_t b)
{
    if (*err != 0 || b == 0)
        return seqplan_bad(err);
    return a % b == 0 ? a : seqplan_add(err, a, b - a % b);
}

SEQPLAN_FN uint64_t seqplan_min(int *err, uint64_t a, uint64_t b)
{
    return *err != 0 ? 0 : (a < b ? a : b);
}

SEQPLAN_FN uint64_t seqplan_max(int *err, uint64_t a, uint64_t b)
{
    return *err != 0 ? 0 : (a > b ? a : b);
}

#endif
