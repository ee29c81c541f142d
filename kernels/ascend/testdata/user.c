/* Kernels of a user. */
#include <stdint.h>

/* Adds a value to so many words at an address. */
void add(const uint64_t *args, uint32_t blocks)
{
    (void)blocks;
    for (uint64_t i = 0; i < args[1]; i++)
        ((uint64_t *)args[0])[i] += args[2];
}

/* Stores the number of blocks and its eight arguments at an address. */
void dump(const uint64_t *args, uint32_t blocks)
{
    uint64_t *to = (uint64_t *)args[0];
    to[0] = blocks;
    for (int i = 0; i < 8; i++)
        to[1 + i] = args[i];
}

static uint64_t sum;

/* z = x + y, each an address. */
void add_custom(const uint64_t *args, uint32_t blocks)
{
    (void)blocks;
    sum = *(uint64_t *)args[2] = *(const uint64_t *)args[0] + *(const uint64_t *)args[1];
}

/* For the test: the last z. */
uint64_t last_sum(void) { return sum; }
