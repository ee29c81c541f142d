/* A model of the memory of an NPU. Each core has a write-back cache of 64-byte lines
   that is not coherent; lines stay over launches. Atomics go around the caches.

   Everything that real hardware leaves open goes against the kernels, and is decided
   by the numbers of the launch and the access alone:

   - the blocks of a launch run on other cores each time, interleaved at any access,
     and one of them stands still for long;
   - a core may give up any line at any time, and writes it back then if it is dirty;
   - lines that are dirty when a launch ends are lost, or are written back when a later
     launch starts. */
#ifndef SEQPLAN_TWIN_MACHINE_H
#define SEQPLAN_TWIN_MACHINE_H

#include <cstdint>

/* What a kernel does. A wrong use ends the program: an address that is not aligned or
   not in the memory, a launch without end, a barrier that not all blocks reach. */
uint64_t twin_load(uint64_t address, unsigned size);
void twin_store(uint64_t address, uint64_t value, unsigned size);
void twin_sync(uint64_t address); /* writes a line back if it is dirty, and drops it */
int64_t twin_block();
int64_t twin_blocks();
void twin_barrier(); /* waits for all blocks of the launch */

uint64_t *twin_atomic(uint64_t address); /* in the memory of this process */
uint64_t twin_atomic_add(uint64_t *word, uint64_t v);
uint64_t twin_atomic_max(uint64_t *word, uint64_t v);
uint64_t twin_atomic_exch(uint64_t *word, uint64_t v);
uint64_t twin_atomic_cas(uint64_t *word, uint64_t old, uint64_t v);

/* What a host does. */

typedef void (*twin_kernel)(const uint64_t *args);

/* Runs a kernel in so many blocks and waits for it. */
void twin_launch(twin_kernel kernel, const uint64_t *args, uint32_t blocks);

/* Moves the memory: kernels find this process's memory [from, to) at shift above its
   addresses, and nothing else. So an access around the model crashes. Without this
   call kernels see the whole process at its own addresses, and no line is written
   back after its launch, because the memory may be gone. */
void twin_move(uint64_t shift, uint64_t from, uint64_t to);

/* Makes this thread a core of its own, which only runs what it calls. */
void twin_become_core();

#endif /* SEQPLAN_TWIN_MACHINE_H */
