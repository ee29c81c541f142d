// The batches of velo by the host port of the same source: what the device must leave.
#include "seqplan_step.h"

#include "check.h"

// Runs the batch of a round in a pool in host memory that has line 0 and parameters.
void host_batch(uint8_t *pool, uint64_t round)
{
    uint64_t n_events = velo_param_n_events(pool);
    seqplan_run_reset(pool, VELO_CONTROL_AT, VELO_PROGRAM_AT);
    for (uint64_t step = 0; step <= VELO_NUM_STEPS; step++) {
        seqplan_run_step(pool, VELO_CONTROL_AT, VELO_PROGRAM_AT, step);
        for (uint64_t which = 0; which < CHECK_NUM_COUNTS; which++)
            if (check_step(which) == step)
                *check_cell(pool, which, n_events) = check_draw(round, which, n_events);
    }
}
