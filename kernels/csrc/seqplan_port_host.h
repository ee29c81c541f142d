/* The port for host C++17. Kernels are plain functions, which run as one thread of
   one block, unless the caller says in seqplan_this what it is. */
#ifndef SEQPLAN_PORT_HOST_H
#define SEQPLAN_PORT_HOST_H

/* The words of the arguments are aligned, but programs put other types there. */
typedef uint64_t __attribute__((may_alias)) seqplan_word;

/* The place of this thread in the grid. */
struct seqplan_thread {
    uint64_t lid, lsize, group, num_groups;
    uint64_t *shared;                /* of the block, SEQPLAN_LANES words */
    void (*barrier)(seqplan_thread *); /* waits for the block */
};

inline thread_local uint64_t seqplan_own[SEQPLAN_LANES];
inline thread_local seqplan_thread seqplan_this = {0, 1, 0, 1, nullptr, nullptr};

#define SEQPLAN_KERNEL extern "C" void
#define SEQPLAN_DEVICE static inline
#define SEQPLAN_ADDRESS(name) uint8_t *name
#define SEQPLAN_POINTER(name) name
#define SEQPLAN_INTEGER uint64_t
#define SEQPLAN_LOCAL
#define SEQPLAN_SHARED(name) uint64_t *name = seqplan_this.shared != nullptr ? seqplan_this.shared : seqplan_own
#define SEQPLAN_LID seqplan_this.lid
#define SEQPLAN_LSIZE seqplan_this.lsize
#define SEQPLAN_GROUP seqplan_this.group
#define SEQPLAN_NUM_GROUPS seqplan_this.num_groups
#define SEQPLAN_BARRIER() (seqplan_this.barrier != nullptr ? seqplan_this.barrier(&seqplan_this) : (void)0)
#define SEQPLAN_FENCE() ((void)0) /* the atomics order everything */

SEQPLAN_DEVICE uint64_t seqplan_atomic_load(seqplan_word *p)
{
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

SEQPLAN_DEVICE void seqplan_atomic_store(seqplan_word *p, uint64_t v)
{
    __atomic_store_n(p, v, __ATOMIC_RELEASE);
}

SEQPLAN_DEVICE uint64_t seqplan_atomic_add(seqplan_word *p, uint64_t v)
{
    return __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL);
}

SEQPLAN_DEVICE uint64_t seqplan_atomic_cas(seqplan_word *p, uint64_t old, uint64_t v)
{
    (void)__atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return old;
}

SEQPLAN_DEVICE uint64_t seqplan_atomic_max(seqplan_word *p, uint64_t v)
{
    uint64_t old = seqplan_atomic_load(p);
    while (old < v) {
        uint64_t seen = seqplan_atomic_cas(p, old, v);
        if (seen == old)
            break;
        old = seen;
    }
    return old;
}

#endif /* SEQPLAN_PORT_HOST_H */
