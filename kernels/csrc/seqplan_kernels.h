/* The kernels that every back end provides. Include this in one source of a program. */
#ifndef SEQPLAN_KERNELS_H
#define SEQPLAN_KERNELS_H

#include "seqplan_list.h"
#include "seqplan_mark.h"
#include "seqplan_pattern.h"
#include "seqplan_step.h"

SEQPLAN_KERNEL seqplan_reset(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER control, SEQPLAN_INTEGER program)
{
    seqplan_run_reset(SEQPLAN_POINTER(base), control, program);
}

SEQPLAN_KERNEL seqplan_step(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER control, SEQPLAN_INTEGER program,
                            SEQPLAN_INTEGER step)
{
    seqplan_run_step(SEQPLAN_POINTER(base), control, program, step);
}

SEQPLAN_KERNEL seqplan_mark(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER control, SEQPLAN_INTEGER program,
                            SEQPLAN_INTEGER at)
{
    seqplan_run_mark(SEQPLAN_POINTER(base), control, program, at);
}

SEQPLAN_KERNEL seqplan_release(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER control, SEQPLAN_INTEGER program,
                               SEQPLAN_INTEGER at)
{
    seqplan_run_release(SEQPLAN_POINTER(base), control, program, at);
}

SEQPLAN_KERNEL seqplan_list_sum(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER control, SEQPLAN_INTEGER sizes,
                                SEQPLAN_INTEGER slots, SEQPLAN_INTEGER count, SEQPLAN_INTEGER limit,
                                SEQPLAN_INTEGER work)
{
    SEQPLAN_SHARED(shared);
    seqplan_list l;
    if (seqplan_open_list(&l, SEQPLAN_POINTER(base), control, sizes, slots, count, limit, work))
        seqplan_run_list_sum(&l, shared);
}

SEQPLAN_KERNEL seqplan_list_scan(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER control, SEQPLAN_INTEGER sizes,
                                 SEQPLAN_INTEGER slots, SEQPLAN_INTEGER count, SEQPLAN_INTEGER limit,
                                 SEQPLAN_INTEGER work)
{
    SEQPLAN_SHARED(shared);
    seqplan_list l;
    if (seqplan_open_list(&l, SEQPLAN_POINTER(base), control, sizes, slots, count, limit, work))
        seqplan_run_list_scan(&l, shared);
}

SEQPLAN_KERNEL seqplan_list_place(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER control, SEQPLAN_INTEGER sizes,
                                  SEQPLAN_INTEGER slots, SEQPLAN_INTEGER count, SEQPLAN_INTEGER limit,
                                  SEQPLAN_INTEGER work)
{
    SEQPLAN_SHARED(shared);
    seqplan_list l;
    if (seqplan_open_list(&l, SEQPLAN_POINTER(base), control, sizes, slots, count, limit, work))
        seqplan_run_list_place(&l, shared);
}

SEQPLAN_KERNEL seqplan_fill(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER slots, SEQPLAN_INTEGER place,
                            SEQPLAN_INTEGER from, SEQPLAN_INTEGER to, SEQPLAN_INTEGER seed)
{
    seqplan_run_fill(seqplan_find_span(SEQPLAN_POINTER(base), slots, place, from, to), seed);
}

SEQPLAN_KERNEL seqplan_check(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER slots, SEQPLAN_INTEGER place,
                             SEQPLAN_INTEGER from, SEQPLAN_INTEGER to, SEQPLAN_INTEGER seed,
                             SEQPLAN_ADDRESS(report))
{
    SEQPLAN_SHARED(shared);
    seqplan_run_check(seqplan_find_span(SEQPLAN_POINTER(base), slots, place, from, to), seed,
                      seqplan_words(SEQPLAN_POINTER(report), 0), shared);
}

SEQPLAN_KERNEL seqplan_store(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER slots, SEQPLAN_INTEGER place,
                             SEQPLAN_INTEGER at, SEQPLAN_INTEGER width, SEQPLAN_INTEGER value)
{
    seqplan_run_store(SEQPLAN_POINTER(base), slots, place, at, width, value);
}

SEQPLAN_KERNEL seqplan_check_value(SEQPLAN_ADDRESS(base), SEQPLAN_INTEGER slots, SEQPLAN_INTEGER place,
                                   SEQPLAN_INTEGER at, SEQPLAN_INTEGER width, SEQPLAN_INTEGER value,
                                   SEQPLAN_ADDRESS(report))
{
    seqplan_run_check_value(SEQPLAN_POINTER(base), slots, place, at, width, value,
                            seqplan_words(SEQPLAN_POINTER(report), 0));
}

#endif /* SEQPLAN_KERNELS_H */
