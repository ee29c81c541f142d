// Launches of cases by seqplan_launch.h, on a runtime that runs the host port.
#include "seqplan_launch.h"

namespace {

const cudaStream_t stream = reinterpret_cast<cudaStream_t>(0x57);
int calls, fail_at = -1;

cudaError_t launch(uint64_t kernel, void *base, const uint64_t *a)
{
    switch (kernel) {
    case 0: return seqplan_launch_reset(stream, base, a[1], a[2]);
    case 1: return seqplan_launch_step(stream, base, a[1], a[2], a[3]);
    case 2: return seqplan_launch_mark(stream, base, a[1], a[2], a[3]);
    case 3: return seqplan_launch_release(stream, base, a[1], a[2], a[3]);
    }
    return seqplan_launch_list(stream, base, a[1], a[2], a[3], a[4], a[5], a[6]);
}

} // namespace

void run_kernel(const void *func, unsigned blocks, void **args);

extern "C" cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t s)
{
    bool sound = s == stream && shared == 0 && grid.x > 0 && grid.y == 1 && grid.z == 1 && block.x > 0 &&
                 block.x <= 1024 && block.y == 1 && block.z == 1;
    if (calls++ == fail_at || !sound)
        return cudaErrorLaunchFailure;
    run_kernel(func, grid.x, args);
    return cudaSuccess;
}

// Runs one launch of a case. Those of a list are one call, in place of the last.
bool launch_by_helper(uint64_t kernel, uint8_t *pool, const uint64_t *a)
{
    return kernel == 4 || kernel == 5 || launch(kernel, pool + a[0], a) == cudaSuccess;
}

// Whether an error of each launch of a list comes back at once, and of no other call.
bool errors_come_back()
{
    bool ok = true;
    alignas(64) uint8_t pool[128] = {}; // without a control block
    const uint64_t args[8] = {};
    for (fail_at = 0; fail_at < 4; fail_at++) {
        calls = 0;
        cudaError_t err = launch(6, pool, args);
        ok = ok && (err == cudaErrorLaunchFailure) == (fail_at < 3) && calls == (fail_at < 3 ? fail_at + 1 : 3);
    }
    fail_at = -1;
    return ok;
}
