// What the CUDA parts of the program check share.
#pragma once

#include "seqplan_launch.h"

#include "seqplan_alloc.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

using integer = SEQPLAN_INTEGER; // of the arguments of kernels

inline void check_try(cudaError_t err, const char *what)
{
    if (err == cudaSuccess)
        return;
    std::printf("FAILED: %s: %s\n", what, cudaGetErrorName(err));
    std::exit(1);
}

#define TRY(call) check_try(call, #call)

// Memory of the device or pinned memory of the host, in words.
class Memory {
public:
    Memory(bool device, uint64_t bytes) : device_(device)
    {
        void *p = nullptr;
        if (device)
            TRY(cudaMalloc(&p, bytes));
        else
            TRY(cudaMallocHost(&p, bytes));
        words = static_cast<uint64_t *>(p);
    }
    ~Memory()
    {
        if (device_)
            TRY(cudaFree(words));
        else
            TRY(cudaFreeHost(words));
    }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;

    uint64_t *words;

private:
    bool device_;
};

inline void upload(cudaStream_t stream, const Memory &to, const Memory &from, uint64_t bytes)
{
    TRY(cudaMemcpyAsync(to.words, from.words, bytes, cudaMemcpyHostToDevice, stream));
}

inline void download(cudaStream_t stream, const Memory &to, const Memory &from, uint64_t bytes)
{
    TRY(cudaMemcpyAsync(to.words, from.words, bytes, cudaMemcpyDeviceToHost, stream));
}

// Returns the microseconds that work takes in a stream, once in n times.
template <class Work> double timed(cudaStream_t stream, unsigned n, Work work)
{
    cudaEvent_t start, stop;
    float ms = 0;
    TRY(cudaEventCreate(&start));
    TRY(cudaEventCreate(&stop));
    work(); // the first time is slower
    TRY(cudaEventRecord(start, stream));
    for (unsigned i = 0; i < n; i++)
        work();
    TRY(cudaEventRecord(stop, stream));
    TRY(cudaEventSynchronize(stop));
    TRY(cudaEventElapsedTime(&ms, start, stop));
    TRY(cudaEventDestroy(start));
    TRY(cudaEventDestroy(stop));
    return 1000.0 * ms / n;
}

// Writes the control block of a pool with an arena and nothing else.
inline void put_arena(uint64_t *words, uint64_t start, uint64_t capacity, uint64_t align)
{
    for (unsigned i = 0; i < SEQPLAN_CONTROL_RECORD; i++)
        words[i] = 0;
    words[SEQPLAN_CONTROL_AT_MAGIC] = SEQPLAN_MAGIC;
    words[SEQPLAN_CONTROL_AT_ARENA_START] = start;
    words[SEQPLAN_CONTROL_AT_ARENA_CAPACITY] = capacity;
    words[SEQPLAN_CONTROL_AT_ARENA_ALIGN] = align;
    words[SEQPLAN_CONTROL_AT_FIRST_FAILED] = SEQPLAN_NO_SLOT;
}

// Counts what is wrong, and says the first few.
class Faults {
public:
    bool expect(bool ok, const char *what, uint64_t where)
    {
        if (!ok && count++ < 10)
            std::printf("FAILED: %s (%llu)\n", what, static_cast<unsigned long long>(where));
        return ok;
    }

    unsigned count = 0;
};

// check_alloc.cu
void check_contention(Faults &faults, cudaStream_t stream, uint64_t n);
void check_list(Faults &faults, cudaStream_t stream, uint64_t n);
