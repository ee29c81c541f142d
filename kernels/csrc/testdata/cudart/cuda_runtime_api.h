// What of the CUDA runtime seqplan_launch.h uses.
#pragma once

#include <cstddef>

enum cudaError_t { cudaSuccess = 0, cudaErrorLaunchFailure = 719 };
typedef struct CUstream_st *cudaStream_t;

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

extern "C" cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream);
