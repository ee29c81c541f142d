/* The kernels of a program, by their indexes in kernelstest.Launch. */
#ifndef SEQPLAN_TWIN_TABLE_H
#define SEQPLAN_TWIN_TABLE_H

#include "machine.h"

struct twin_entry {
    twin_kernel run;
    uint64_t addresses; /* bit i: argument i is an address */
};

extern const twin_entry twin_table[];
extern const uint64_t twin_table_size;

#endif /* SEQPLAN_TWIN_TABLE_H */
