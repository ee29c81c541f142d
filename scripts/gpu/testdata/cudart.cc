// A CUDA runtime that runs the kernels of the host port, one thread a block. Work is
// queued and runs only when somebody waits for it, so that a missing wait shows. Nothing
// may be left over at the end, and no call may fail but the one that the environment names:
//
//	FAKE_FAIL=n         the nth call fails
//	FAKE_SPOIL=kernel   the kernel of that name leaves one word wrong
#include <cuda_runtime_api.h>

#include "seqplan_port.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

extern "C" {
// Calls with more arguments than a function has are those of the ABIs that this runs on.
typedef void kernel(uint8_t *, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
kernel seqplan_reset, seqplan_step, seqplan_list_sum, seqplan_list_scan, seqplan_list_place;
kernel seqplan_test_contend, check_draws, check_produce;
}

namespace {

using Work = std::vector<std::function<void()>>;
} // namespace

struct CUstream_st {
    Work queue;
    Work *capture = nullptr;
};
struct CUevent_st {
    cudaStream_t stream;
};
struct CUgraph_st {
    Work work;
};
struct CUgraphExec_st {
    Work work;
};

namespace {

std::set<void *> live;
int calls;
bool failed;

struct AtExit {
    ~AtExit()
    {
        if (live.empty() || failed)
            return;
        std::printf("FAILED: %zu objects are left over\n", live.size());
        std::fflush(stdout);
        std::_Exit(1);
    }
} at_exit;

bool fails()
{
    const char *at = std::getenv("FAKE_FAIL");
    failed = failed || (at != nullptr && std::atoi(at) == ++calls);
    return failed;
}

template <class T> cudaError_t made(T **out, T *object)
{
    if (fails())
        return cudaErrorMemoryAllocation;
    live.insert(*out = object);
    return cudaSuccess;
}

template <class T> cudaError_t gone(T *object)
{
    if (live.erase(object) != 1)
        return cudaErrorInvalidValue;
    delete object;
    return fails() ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t memory(void **out, size_t size)
{
    // Exactly as large as it must be, and full of what nobody has written.
    return made(reinterpret_cast<void **>(out), std::memset(std::aligned_alloc(256, (size + 255) / 256 * 256), 0xA5, size));
}

cudaError_t gone_memory(void *p)
{
    if (live.erase(p) != 1)
        return cudaErrorInvalidValue;
    std::free(p);
    return fails() ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t enqueue(cudaStream_t stream, std::function<void()> work)
{
    if (live.count(stream) == 0 || fails())
        return cudaErrorInvalidValue;
    (stream->capture != nullptr ? *stream->capture : stream->queue).push_back(std::move(work));
    return cudaSuccess;
}

// A kernel, how many integers it takes, and the word that a spoiled launch leaves wrong:
// the argument that is the offset of an area, and the word in the area.
struct Kernel {
    const char *name;
    kernel *run;
    unsigned integers;
    int spoils;
    unsigned word;
} kernels[] = {
    {"seqplan_reset", seqplan_reset, 2, 0, 14},
    {"seqplan_step", seqplan_step, 3, 0, 12},
    {"seqplan_list_sum", seqplan_list_sum, 6, 5, 8},
    {"seqplan_list_scan", seqplan_list_scan, 6, 5, 8},
    {"seqplan_list_place", seqplan_list_place, 6, 2, 4001},
    {"seqplan_test_contend", seqplan_test_contend, 4, 2, 8000},
    {"check_draws", check_draws, 3, 0, 0},
    {"check_produce", check_produce, 2, 0, 0},
};

void spoil(const Kernel &k, const uint64_t *args)
{
    const char *name = std::getenv("FAKE_SPOIL");
    if (name != nullptr && std::strcmp(name, k.name) == 0)
        reinterpret_cast<uint64_t *>(args[0] + args[1 + k.spoils])[k.word] ^= 256;
}

} // namespace

cudaError_t cudaMalloc(void **out, size_t size) { return memory(out, size); }
cudaError_t cudaFree(void *p) { return gone_memory(p); }
cudaError_t cudaMallocHost(void **out, size_t size) { return memory(out, size); }
cudaError_t cudaFreeHost(void *p) { return gone_memory(p); }

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t size, cudaMemcpyKind, cudaStream_t stream)
{
    return enqueue(stream, [=] { std::memcpy(dst, src, size); });
}

cudaError_t cudaMemsetAsync(void *dst, int value, size_t size, cudaStream_t stream)
{
    return enqueue(stream, [=] { std::memset(dst, value, size); });
}

cudaError_t cudaStreamCreate(cudaStream_t *out) { return made(out, new CUstream_st); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return gone(stream); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (live.count(stream) == 0 || stream->capture != nullptr || fails())
        return cudaErrorInvalidValue;
    for (auto &work : stream->queue)
        work();
    stream->queue.clear();
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    if (stream->capture != nullptr || fails())
        return cudaErrorInvalidValue;
    stream->capture = new Work;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out)
{
    auto *graph = new CUgraph_st{*stream->capture};
    delete stream->capture;
    stream->capture = nullptr;
    return made(out, graph);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long)
{
    return made(out, new CUgraphExec_st{graph->work});
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    return enqueue(stream, [work = exec->work] {
        for (auto &w : work)
            w();
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return gone(graph); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) { return gone(exec); }
cudaError_t cudaEventCreate(cudaEvent_t *out) { return made(out, new CUevent_st{}); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return gone(event); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    event->stream = stream;
    return fails() ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return cudaStreamSynchronize(event->stream); }

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t)
{
    *ms = 1; // so that no test depends on the time
    return fails() ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    if (shared != 0 || grid.x == 0 || grid.y != 1 || grid.z != 1 || block.x == 0 || block.x > 1024 || block.y != 1)
        return cudaErrorInvalidValue;
    for (const Kernel &k : kernels) {
        if (func != reinterpret_cast<const void *>(k.run))
            continue;
        uint64_t a[7] = {};
        for (unsigned i = 0; i <= k.integers; i++)
            std::memcpy(&a[i], args[i], 8);
        std::vector<uint64_t> copy(a, a + 7);
        return enqueue(stream, [=, &k] {
            for (uint64_t i = 0; i < grid.x; i++) {
                seqplan_this = {0, 1, i, grid.x, nullptr, nullptr};
                k.run(reinterpret_cast<uint8_t *>(copy[0]), copy[1], copy[2], copy[3], copy[4], copy[5], copy[6]);
            }
            spoil(k, copy.data());
        });
    }
    return cudaErrorInvalidValue;
}

const char *cudaGetErrorName(cudaError_t err)
{
    return err == cudaSuccess ? "cudaSuccess" : err == cudaErrorInvalidValue ? "cudaErrorInvalidValue" : "cudaErrorMemoryAllocation";
}
