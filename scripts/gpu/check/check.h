/* What the parts of the program check share: the counts that are drawn for the batches
   of velo, and where they lie. */
#ifndef CHECK_H
#define CHECK_H

#include "velo_seqplan.h"

#include "seqplan_abi.h"

#define CHECK_NUM_COUNTS 5

/* Where the runtime's areas end: control block, slots, extents, parameters, program. */
#define CHECK_AREAS_END (VELO_PROGRAM_AT + VELO_PROGRAM_WORDS * 8)

SEQPLAN_FN uint64_t check_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The value of a count in a round: mostly around the typical one, now and then 0, its
   max, or one more. */
SEQPLAN_FN uint32_t check_draw(uint64_t round, uint64_t which, uint64_t n_events)
{
    const uint64_t per_event[CHECK_NUM_COUNTS] = {5000, 480, 120, 600, 3600}; /* as max in velo.yaml */
    uint64_t max = per_event[which] * n_events, r = check_mix(round * 8 + which);
    switch (r % 64) {
    case 0: return 0;
    case 1: return (uint32_t)max;
    case 2: return (uint32_t)max + 1;
    }
    return (uint32_t)((r >> 8) % (max * 6 / 10 + 1));
}

/* The step that leaves a count. */
SEQPLAN_FN uint64_t check_step(uint64_t which)
{
    const uint64_t steps[CHECK_NUM_COUNTS] = {
        VELO_STEP_PREFIX_SUM_OFFSETS_ESTIMATED_INPUT_SIZE,
        VELO_STEP_PREFIX_SUM_OFFSETS_VELO_TRACKS,
        VELO_STEP_PREFIX_SUM_OFFSETS_NUMBER_OF_THREE_HIT_TRACKS_FILTERED,
        VELO_STEP_VELO_COPY_TRACK_HIT_NUMBER,
        VELO_STEP_PREFIX_SUM_OFFSETS_VELO_TRACK_HIT_NUMBER,
    };
    return steps[which];
}

/* Where it leaves it. */
SEQPLAN_FN SEQPLAN_GM uint32_t *check_cell(SEQPLAN_GM void *base, uint64_t which, uint64_t n_events)
{
    switch (which) {
    case 0: return velo_prefix_sum_offsets_estimated_input_size_dev_output_buffer(base) + n_events * VELO_SENSORS;
    case 1: return velo_prefix_sum_offsets_velo_tracks_dev_output_buffer(base) + n_events;
    case 2: return velo_prefix_sum_offsets_number_of_three_hit_tracks_filtered_dev_output_buffer(base) + n_events;
    case 3: return velo_velo_copy_track_hit_number_dev_offsets_all_velo_tracks(base) + n_events;
    }
    return velo_prefix_sum_offsets_velo_track_hit_number_dev_total_sum_holder(base);
}

#endif /* CHECK_H */
