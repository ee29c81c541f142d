/* The port for OpenCL C 1.2. It needs cl_khr_int64_base_atomics; a plain load of a
   64-bit word must not tear, as on every device of 64 bits. */
#ifndef SEQPLAN_PORT_OPENCL_H
#define SEQPLAN_PORT_OPENCL_H

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif

#define SEQPLAN_KERNEL __kernel void
#define SEQPLAN_DEVICE static inline
#define SEQPLAN_ADDRESS(name) __global uchar *name##_mem, ulong name##_off
#define SEQPLAN_POINTER(name) (name##_mem + name##_off)
#define SEQPLAN_INTEGER ulong
#define SEQPLAN_LOCAL __local
#define SEQPLAN_SHARED(name) __local ulong name[SEQPLAN_LANES]
#define SEQPLAN_LID ((ulong)get_local_id(0))
#define SEQPLAN_LSIZE ((ulong)get_local_size(0))
#define SEQPLAN_GROUP ((ulong)get_group_id(0))
#define SEQPLAN_NUM_GROUPS ((ulong)get_num_groups(0))
#define SEQPLAN_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define SEQPLAN_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)

typedef ulong seqplan_word;

SEQPLAN_DEVICE ulong seqplan_atomic_load(__global ulong *p)
{
    return *(volatile __global ulong *)p;
}

SEQPLAN_DEVICE void seqplan_atomic_store(__global ulong *p, ulong v)
{
    *(volatile __global ulong *)p = v;
}

SEQPLAN_DEVICE ulong seqplan_atomic_add(__global ulong *p, ulong v)
{
    return atom_add(p, v);
}

SEQPLAN_DEVICE ulong seqplan_atomic_cas(__global ulong *p, ulong old, ulong v)
{
    return atom_cmpxchg(p, old, v);
}

SEQPLAN_DEVICE ulong seqplan_atomic_max(__global ulong *p, ulong v)
{
#ifdef cl_khr_int64_extended_atomics
    return atom_max(p, v);
#else
    ulong old = seqplan_atomic_load(p);
    while (old < v) {
        ulong seen = atom_cmpxchg(p, old, v);
        if (seen == old)
            break;
        old = seen;
    }
    return old;
#endif
}

#endif /* SEQPLAN_PORT_OPENCL_H */
